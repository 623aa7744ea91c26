import type { Gpu } from '../runtime/gpu.ts';
import type { Files } from '../runtime/verified-files.ts';
import type { Backend, EmbeddingModel, Weights } from './registry.ts';
import type { Encoder } from './transformers/transformers-embedder.ts';

/** What the embed service needs from where it runs; a test gives its own. */
export interface Platform {
  detectGpu(): Promise<Gpu>;
  /** All files of a model, with `reference-vectors.json` where the model is shipped. */
  fetchModel(
    model: EmbeddingModel,
    weights: Weights,
    onBytes: (loaded: number, total: number) => void,
    signal?: AbortSignal,
  ): Promise<{ readonly files: Files; readonly notice?: string }>;
  /** Fetches the runtime for a backend, once: whichever comes first serves all later sessions. */
  prepareRuntime(
    backend: Backend,
    onBytes: (loaded: number, total: number) => void,
    signal?: AbortSignal,
  ): Promise<void>;
  createEncoder(model: EmbeddingModel, weights: Weights, backend: Backend, files: Files): Promise<Encoder>;
  /** Deletes what is kept of a model, after it turned out to be broken. */
  forgetModel(model: EmbeddingModel): Promise<void>;
}
