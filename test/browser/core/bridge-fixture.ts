import { abortedError, SkeinError } from '../../../src/core/errors.ts';

/** What the worker of the bridge test exposes: every way to work, wait, fail and die. */
export interface FixtureApi {
  add(a: number, b: number): Promise<number>;
  fail(): Promise<void>;
  failPlainly(): Promise<void>;
  /** Never settles. */
  hang(): Promise<void>;
  /** Rejects with `aborted` once `signal` fires; calls `onAbort` when it did. */
  waitForAbort(onWaiting: () => void, onAbort: () => void, signal: AbortSignal): Promise<void>;
  /** Ends the worker from inside without a word. */
  close(): Promise<void>;
  /** Throws where no promise sees it. */
  throwOutside(): Promise<void>;
  count(upTo: number, onCount: (n: number) => void): Promise<void>;
}

export class Fixture implements FixtureApi {
  async add(a: number, b: number) {
    return a + b;
  }
  async fail() {
    throw new SkeinError('model-broken', 'The file x is broken.', 'Fetch x again.');
  }
  async failPlainly() {
    throw new TypeError('no such thing');
  }
  hang() {
    return new Promise<void>(() => {});
  }
  waitForAbort(onWaiting: () => void, onAbort: () => void, signal: AbortSignal) {
    onWaiting();
    return new Promise<void>((_, reject) => {
      signal.addEventListener('abort', () => {
        onAbort();
        reject(abortedError());
      });
    });
  }
  close() {
    self.close();
    return this.hang();
  }
  throwOutside() {
    setTimeout(() => {
      throw new Error('nobody catches this');
    });
    return this.hang();
  }
  async count(upTo: number, onCount: (n: number) => void) {
    for (let n = 1; n <= upTo; n++) onCount(n);
  }
}
