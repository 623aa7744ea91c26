import * as Comlink from 'comlink';
import { abortedError, type ErrorCode, SkeinError, toSkeinError } from './errors.ts';

/**
 * What crosses a worker boundary besides structured clones: an AbortSignal (as a port that fires once),
 * and errors that keep `code` and `remedy`. Both sides of every boundary call this before they talk.
 */
export function installTransferHandlers(): void {
  Comlink.transferHandlers.set('abort-signal', abortSignalHandler);
  Comlink.transferHandlers.set('throw', throwHandler);
}

const abortSignalHandler: Comlink.TransferHandler<AbortSignal, { aborted: boolean; port: MessagePort }> = {
  canHandle: (value): value is AbortSignal => value instanceof AbortSignal,
  serialize(signal) {
    const { port1, port2 } = new MessageChannel();
    signal.addEventListener('abort', () => port1.postMessage('abort'), { once: true });
    return [{ aborted: signal.aborted, port: port2 }, [port2]];
  },
  deserialize({ aborted, port }) {
    const controller = new AbortController();
    if (aborted) controller.abort();
    port.onmessage = () => {
      controller.abort();
      port.close();
    };
    return controller.signal;
  },
};

interface Thrown {
  readonly code: ErrorCode;
  readonly message: string;
  readonly remedy: string;
  readonly stack?: string;
}

/** Comlink marks what it throws with `value` under its own symbol; the shape is its wire contract. */
type ThrownBox = { value: unknown };
const comlinkThrow = Comlink.transferHandlers.get('throw')!;

const throwHandler: Comlink.TransferHandler<ThrownBox, Thrown> = {
  canHandle: comlinkThrow.canHandle as (value: unknown) => value is ThrownBox,
  serialize({ value }) {
    const error = toSkeinError(value);
    return [{ code: error.code, message: error.message, remedy: error.remedy, stack: error.stack }, []];
  },
  deserialize(thrown) {
    const error = new SkeinError(thrown.code, thrown.message, thrown.remedy);
    if (thrown.stack) error.stack = thrown.stack;
    throw error;
  },
};

/** A worker and the typed proxy to what it exposes. */
interface Running<Api> {
  readonly worker: Worker;
  readonly remote: Comlink.Remote<Api>;
  /** Resolves once the worker holds its life lock. */
  readonly ready: Promise<void>;
  readonly died: Promise<never>;
  readonly kill: (error: SkeinError) => void;
}

/**
 * Owns one worker that exposes `Api`: starts it on the first call, rejects what is pending when it dies
 * (a crash, a failed script, or `restart`), and starts a fresh one on the next call.
 *
 * Death is noticed through a Web Lock that the worker holds as long as it lives (see `holdLifeLock`).
 */
export class WorkerClient<Api extends object> {
  private running: Running<Api> | undefined;
  private started = 0;

  constructor(
    private readonly name: string,
    private readonly create: (lifeLock: string) => Worker,
    private readonly onDeath: (error: SkeinError) => void = () => {},
  ) {
    installTransferHandlers();
  }

  /**
   * Runs `work` against the live worker; rejects with `worker-died` or `aborted` as soon as either happens.
   * `work` passes on the signal it is given: it lives as long as the call, so that a long-lived `signal`
   * does not gather a port for each call.
   */
  async call<T>(
    work: (remote: Comlink.Remote<Api>, signal: AbortSignal) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T> {
    if (signal?.aborted) throw abortedError();
    const { remote, ready, died } = this.start();
    const own = new AbortController();
    const { promise: aborted, reject } = Promise.withResolvers<never>();
    const abort = () => {
      own.abort();
      reject(abortedError());
    };
    signal?.addEventListener('abort', abort, { once: true });
    try {
      // A worker that died before it held its lock would not be noticed: work waits for the lock.
      await Promise.race([ready, died, aborted]);
      return await Promise.race([work(remote, own.signal), died, aborted]);
    } finally {
      signal?.removeEventListener('abort', abort);
    }
  }

  /** Ends the worker now; pending calls reject, the next call starts a fresh one. */
  restart(reason = `The ${this.name} worker was restarted.`): void {
    this.running?.kill(new SkeinError('worker-died', reason, 'Try again: a fresh worker is started.'));
  }

  private start(): Running<Api> {
    if (this.running) return this.running;
    const lifeLock = `${this.name}-worker-${crypto.randomUUID()}-${this.started++}`;
    const worker = this.create(lifeLock);
    const { promise: died, reject } = Promise.withResolvers<never>();
    died.catch(() => {});
    const kill = (error: SkeinError) => {
      if (this.running !== running) return;
      this.running = undefined;
      worker.terminate();
      reject(error);
      this.onDeath(error);
    };
    const { promise: ready, resolve: setReady } = Promise.withResolvers<void>();
    const running: Running<Api> = { worker, remote: Comlink.wrap<Api>(worker), ready, died, kill };
    worker.addEventListener('error', (event) => {
      event.preventDefault();
      kill(this.death(event.message));
    });
    worker.addEventListener('messageerror', () => kill(this.death('A message could not be read.')));
    worker.addEventListener('message', (event) => {
      if (event.data !== READY) return;
      setReady();
      void navigator.locks?.request(lifeLock, () => kill(this.death('It ended without a word.')));
    });
    this.running = running;
    return running;
  }

  private death(detail: string): SkeinError {
    return new SkeinError(
      'worker-died',
      `The ${this.name} worker stopped. ${detail}`,
      'Try again: a fresh worker is started. Nothing that was saved is lost.',
    );
  }
}

const READY = 'skein-worker-ready';

/**
 * Called once by a worker: exposes `api`, and holds the lock named in its own `name` until it dies. Where there
 * are no locks (an insecure origin), a death without an error event goes unnoticed.
 */
export function exposeWorker(api: object): void {
  installTransferHandlers();
  Comlink.expose(api);
  const ready = () => self.postMessage(READY);
  if (!navigator.locks) ready();
  void navigator.locks?.request(self.name, () => {
    ready();
    return new Promise(() => {});
  });
}
