import { abortedError, SkeinError, throwIfAborted, toSkeinError } from '../core/errors.ts';
import { isOutOfMemory } from '../runtime/out-of-memory.ts';
import type { Files } from '../runtime/verified-files.ts';
import type { EmbedApi, EmbedderState, EmbedRequest, LoadRequest, ReadyState } from './contract.ts';
import type { LongTexts } from './embedder.ts';
import type { Platform } from './platform.ts';
import {
  type Backend,
  chooseWeights,
  type EmbeddingModel,
  embeddingModel,
  type Weights,
} from './registry.ts';
import { type Reference, testAgainstItself, testAgainstReferences } from './self-test.ts';
import { type Encoder, TransformersEmbedder } from './transformers/transformers-embedder.ts';

interface Loaded {
  readonly key: string;
  readonly ready: ReadyState;
  readonly encoder: Encoder;
  readonly embedders: Readonly<Record<LongTexts, TransformersEmbedder>>;
}

function keyOf({ model, dtype, backend }: LoadRequest): string {
  return JSON.stringify([model, dtype, backend]);
}

/** Whether a request asks by name for the weights that were chosen for the same model without one. */
function namesWeightsOf({ key, ready }: Loaded, request: LoadRequest): boolean {
  return request.dtype === ready.stamp.dtype && key === keyOf({ ...request, dtype: undefined });
}

/** A backend to try, and why it is not the one a person might expect. */
interface Plan {
  readonly backend: Backend;
  readonly notice?: string;
}

type OnState = (state: EmbedderState) => void;

/**
 * What the embed worker exposes: holds one model, tested before use. Where WebGPU fails to load it or computes
 * wrong vectors, the same weights go to WASM and the ready state says so.
 */
export class EmbedService implements EmbedApi {
  private loaded: Loaded | undefined;
  /** Loads run one after another; the last one asked for wins. */
  private loading: Promise<unknown> = Promise.resolve();

  constructor(private readonly platform: Platform) {}

  load(request: LoadRequest, onState: OnState, signal?: AbortSignal): Promise<ReadyState> {
    const turn = this.loading.then(() => this.loadNow(request, onState, signal));
    this.loading = turn.catch(() => {});
    return turn;
  }

  async embed(
    { texts, kind, longTexts }: EmbedRequest,
    onProgress: (done: number) => void,
    signal?: AbortSignal,
  ): Promise<Float32Array> {
    const { vectors, dimension } = await this.withEmbedder(longTexts, async (embedder) => ({
      vectors: await embedder.embed(texts, { kind, signal, onProgress }),
      dimension: embedder.stamp.dimension,
    }));
    const flat = new Float32Array(texts.length * dimension);
    vectors.forEach((vector, row) => void flat.set(vector, row * dimension));
    return flat;
  }

  embedTokens({ texts, kind, longTexts }: EmbedRequest, signal?: AbortSignal): Promise<Float32Array[]> {
    return this.withEmbedder(longTexts, (embedder) => embedder.embedTokens(texts, { kind, signal }));
  }

  /** Runs `work` on the loaded model; a failure because another one took its place meanwhile is an abort. */
  private async withEmbedder<T>(
    longTexts: LongTexts,
    work: (embedder: TransformersEmbedder) => Promise<T>,
  ): Promise<T> {
    const { loaded } = this;
    if (!loaded) throw new SkeinError('model-missing', 'No embedding model is loaded.', 'Load one first.');
    try {
      return await work(loaded.embedders[longTexts]);
    } catch (error) {
      if (this.loaded !== loaded) throw abortedError();
      throw error;
    }
  }

  private async loadNow(request: LoadRequest, onState: OnState, signal?: AbortSignal): Promise<ReadyState> {
    throwIfAborted(signal);
    const key = keyOf(request);
    if (this.loaded && (this.loaded.key === key || namesWeightsOf(this.loaded, request))) {
      onState(this.loaded.ready);
      return this.loaded.ready;
    }
    await this.unload();
    try {
      const loaded = await this.loadAndTest(key, request, onState, signal);
      this.loaded = loaded;
      onState(loaded.ready);
      return loaded.ready;
    } catch (error) {
      const { code, message, remedy } = toSkeinError(error);
      onState(
        code === 'aborted'
          ? { kind: 'idle', model: request.model }
          : { kind: 'failed', model: request.model, message, remedy },
      );
      throw error;
    }
  }

  private async unload(): Promise<void> {
    const { loaded } = this;
    this.loaded = undefined;
    await loaded?.encoder.dispose();
  }

  private async loadAndTest(
    key: string,
    request: LoadRequest,
    onState: OnState,
    signal?: AbortSignal,
  ): Promise<Loaded> {
    const model = embeddingModel(request.model);
    const plan = await this.plan(model, request);
    const weights = chooseWeights(model, plan.backend, request.dtype);
    const { files, notice } = await this.fetchAll(model, weights, plan.backend, onState, signal);
    const tried = await this.startTested(model, weights, plan, files, onState, signal);
    const embedder = (longTexts: LongTexts) =>
      new TransformersEmbedder(model, tried.encoder, {
        dtype: weights.dtype,
        longTexts,
        batching: batching(tried.backend, weights),
      });
    const embedders = { parts: embedder('parts'), cut: embedder('cut') };
    const notices = [tried.notice, notice].filter((n) => n !== undefined).join(' ');
    const ready: ReadyState = { kind: 'ready', stamp: embedders.parts.stamp, backend: tried.backend };
    return {
      key,
      ready: notices === '' ? ready : { ...ready, notice: notices },
      encoder: tried.encoder,
      embedders,
    };
  }

  private async plan(model: EmbeddingModel, { backend, dtype }: LoadRequest): Promise<Plan> {
    if (backend === 'wasm') return { backend };
    const gpu = await this.platform.detectGpu();
    if (backend === 'webgpu') {
      if (gpu.kind !== 'none') return { backend };
      throw new SkeinError(
        'no-webgpu',
        'This browser offers no WebGPU that the runtime can use.',
        'Use WASM, or another browser.',
      );
    }
    if (gpu.kind === 'none')
      return { backend: 'wasm', notice: 'No WebGPU here: the processor computes (WASM).' };
    if (gpu.kind === 'software') {
      return {
        backend: 'wasm',
        notice: 'WebGPU is emulated in software here: WASM is used, which is faster.',
      };
    }
    const fits = model.weights.filter((w) => dtype === undefined || w.dtype === dtype);
    const onGpu = fits.some((w) => w.backends.includes('webgpu') && (w.dtype !== 'fp16' || gpu.halfFloats));
    return onGpu
      ? { backend: 'webgpu' }
      : { backend: 'wasm', notice: 'These weights run on WASM only here.' };
  }

  /** Runtime and model at the same time, counted as one. */
  private async fetchAll(
    model: EmbeddingModel,
    weights: Weights,
    backend: Backend,
    onState: OnState,
    signal?: AbortSignal,
  ) {
    const stop = new AbortController();
    const either = signal ? AbortSignal.any([signal, stop.signal]) : stop.signal;
    const counts = { runtime: [0, 0], model: [0, weights.bytes] };
    const count = (what: keyof typeof counts) => (loaded: number, total: number) => {
      // What one file failed at is the last word, though others are still on their way.
      if (either.aborted) return;
      counts[what] = [loaded, total];
      const [a, b] = [counts.runtime, counts.model];
      onState({ kind: 'loading', model: model.name, loadedBytes: a[0]! + b[0]!, totalBytes: a[1]! + b[1]! });
    };
    try {
      const [fetched] = await Promise.all([
        this.platform.fetchModel(model, weights, count('model'), either),
        this.platform.prepareRuntime(backend, count('runtime'), either),
      ]);
      return fetched;
    } catch (error) {
      stop.abort();
      throw error;
    }
  }

  /** A model that passed its test, on the planned backend or, failing that, on WASM. */
  private async startTested(
    model: EmbeddingModel,
    weights: Weights,
    plan: Plan,
    files: Files,
    onState: OnState,
    signal?: AbortSignal,
  ): Promise<Plan & { readonly encoder: Encoder }> {
    try {
      return { ...plan, encoder: await this.start(model, weights, plan.backend, files, onState, signal) };
    } catch (error) {
      throwIfAborted(signal);
      const failure = startFailure(error, plan.backend);
      if (plan.backend === 'webgpu' && weights.backends.includes('wasm')) {
        const notice = `WebGPU failed, so WASM is used instead. ${failure.message}`;
        return this.startTested(model, weights, { backend: 'wasm', notice }, files, onState, signal);
      }
      if (failure.code === 'model-broken') await this.platform.forgetModel(model);
      throw failure;
    }
  }

  private async start(
    model: EmbeddingModel,
    weights: Weights,
    backend: Backend,
    files: Files,
    onState: OnState,
    signal?: AbortSignal,
  ): Promise<Encoder> {
    const encoder = await this.platform.createEncoder(model, weights, backend, files);
    try {
      throwIfAborted(signal);
      onState({ kind: 'testing', model: model.name, backend });
      await this.test(model, weights, backend, encoder, files);
      throwIfAborted(signal);
      return encoder;
    } catch (error) {
      await encoder.dispose();
      throw error;
    }
  }

  private async test(
    model: EmbeddingModel,
    weights: Weights,
    backend: Backend,
    encoder: Encoder,
    files: Files,
  ): Promise<void> {
    const stored = files.get('reference-vectors.json');
    if (stored) {
      const { texts }: { texts: Reference[] } = JSON.parse(new TextDecoder().decode(stored));
      await testAgainstReferences(model, weights, encoder, texts);
      return;
    }
    const compare = backend === 'webgpu' && weights.backends.includes('wasm');
    const other = compare ? await this.platform.createEncoder(model, weights, 'wasm', files) : undefined;
    try {
      await testAgainstItself(model, weights, encoder, other);
    } finally {
      await other?.dispose();
    }
  }
}

/** Tokens in a batch: enough to keep the arithmetic busy, few enough that a stop is felt at once. */
function batching(backend: Backend, { scaledByBatch }: Weights) {
  if (scaledByBatch) return { lengthStep: 1, tokenBudget: 1, maxUnits: 1 };
  return backend === 'wasm'
    ? { lengthStep: 1, tokenBudget: 1024, maxUnits: 64 }
    : { lengthStep: 16, tokenBudget: 8192, maxUnits: 128 };
}

/** Why a session could not be made: only a failure on WASM, with memory to spare, speaks against the files. */
function startFailure(error: unknown, backend: Backend): SkeinError {
  if (error instanceof SkeinError) return error;
  const message = error instanceof Error ? error.message : String(error);
  if (isOutOfMemory(error)) {
    return new SkeinError(
      'out-of-memory',
      `There is not enough memory for this model. ${message}`,
      'Choose a smaller one.',
    );
  }
  return backend === 'webgpu'
    ? new SkeinError('no-webgpu', message, 'Choose a model that also runs on WASM.')
    : new SkeinError('model-broken', message, 'Load the model again, or choose another one.');
}
