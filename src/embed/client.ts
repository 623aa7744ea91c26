import * as Comlink from 'comlink';
import { WorkerClient } from '../core/bridge.ts';
import { SkeinError } from '../core/errors.ts';
import type { EmbedApi, EmbedderState, LoadRequest, ReadyState } from './contract.ts';
import {
  type Embedder,
  type EmbedderStamp,
  type EmbedOptions,
  type LongTexts,
  stampKey,
} from './embedder.ts';

/** Starts the embed worker; the literal is where the bundler finds it. */
function startWorker(lifeLock: string): Worker {
  return new Worker(new URL('../../workers/embed.worker.ts', import.meta.url), {
    type: 'module',
    name: lifeLock,
  });
}

/**
 * The embed worker as seen from a page or from another worker. `open` loads a model and gives the `Embedder`
 * port; when the worker dies, pending calls reject with `worker-died` and the next call loads the model again.
 */
export class EmbedClient {
  private readonly worker: WorkerClient<EmbedApi>;
  private current: EmbedderState;
  /** The load that the live worker has done or is doing. */
  private loading: { readonly request: LoadRequest; readonly ready: Promise<ReadyState> } | undefined;

  constructor(
    model: string,
    private readonly onState: (state: EmbedderState) => void = () => {},
    create: (lifeLock: string) => Worker = startWorker,
  ) {
    this.current = { kind: 'idle', model };
    this.worker = new WorkerClient<EmbedApi>('embed', create, () => {
      this.loading = undefined;
      this.setState({ kind: 'idle', model: modelOf(this.current) });
    });
  }

  get state(): EmbedderState {
    return this.current;
  }

  /**
   * Loads and tests the model of `request` in place of the present one and gives its embedder. Rejects as
   * `EmbedApi.load` does.
   */
  async open(
    request: LoadRequest,
    { longTexts = 'parts', signal }: { longTexts?: LongTexts; signal?: AbortSignal } = {},
  ): Promise<Embedder> {
    const { stamp } = await this.load(request, signal);
    const full: EmbedderStamp = longTexts === 'cut' ? { ...stamp, longTexts } : stamp;
    return {
      stamp: full,
      embed: (texts, options) => this.embed(request, full, texts, options),
      embedTokens: (texts, options) => this.embedTokens(request, full, texts, options),
    };
  }

  /** Ends the worker and frees its memory; the next call starts it again. */
  close(): void {
    this.worker.restart('The embed worker was closed.');
  }

  private load(request: LoadRequest, signal?: AbortSignal): Promise<ReadyState> {
    if (this.loading && sameRequest(this.loading.request, request)) return this.loading.ready;
    const onState = Comlink.proxy((state: EmbedderState) => this.setState(state));
    const ready = this.worker.call((remote, own) => remote.load(request, onState, own), signal);
    const entry = { request, ready };
    this.loading = entry;
    ready.catch(() => {
      if (this.loading === entry) this.loading = undefined;
    });
    return ready;
  }

  private async embed(
    request: LoadRequest,
    stamp: EmbedderStamp,
    texts: readonly string[],
    { kind, signal, onProgress }: EmbedOptions,
  ): Promise<Float32Array[]> {
    const longTexts = await this.reload(request, stamp);
    const report = Comlink.proxy((done: number) => onProgress?.(done));
    const flat = await this.worker.call(
      (remote, own) => remote.embed({ texts, kind, longTexts }, report, own),
      signal,
    );
    return texts.map((_, row) => flat.subarray(row * stamp.dimension, (row + 1) * stamp.dimension));
  }

  private async embedTokens(
    request: LoadRequest,
    stamp: EmbedderStamp,
    texts: readonly string[],
    { kind, signal }: EmbedOptions,
  ): Promise<Float32Array[]> {
    const longTexts = await this.reload(request, stamp);
    return this.worker.call((remote, own) => remote.embedTokens({ texts, kind, longTexts }, own), signal);
  }

  /** Has the model of an opened embedder loaded, after a death of the worker once more. */
  private async reload(request: LoadRequest, stamp: EmbedderStamp): Promise<LongTexts> {
    // Without the signal: a load is shared by all who wait for it.
    const ready = await this.load(request);
    const { longTexts = 'parts' } = stamp;
    if (stampKey({ ...ready.stamp, longTexts }) === stampKey(stamp)) return longTexts;
    throw new SkeinError(
      'stamp-mismatch',
      `${stampKey(ready.stamp)} is loaded, not ${stampKey(stamp)}.`,
      'Reload.',
    );
  }

  private setState(state: EmbedderState): void {
    this.current = state;
    this.onState(state);
  }
}

function sameRequest(a: LoadRequest, b: LoadRequest): boolean {
  return a.model === b.model && a.dtype === b.dtype && a.backend === b.backend;
}

function modelOf(state: EmbedderState): string {
  return state.kind === 'ready' ? state.stamp.model : state.model;
}
