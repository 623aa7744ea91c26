import type { EmbedderStamp, LongTexts, TextKind } from './embedder.ts';
import type { Backend } from './registry.ts';

export type { Backend };

/** State of the embedder, shown wherever it matters. */
export type EmbedderState =
  | { readonly kind: 'idle'; readonly model: string }
  | {
      readonly kind: 'loading';
      readonly model: string;
      readonly loadedBytes: number;
      readonly totalBytes: number;
    }
  | { readonly kind: 'testing'; readonly model: string; readonly backend: Backend }
  | ReadyState
  | { readonly kind: 'failed'; readonly model: string; readonly message: string; readonly remedy: string };

/** `notice` says what a person should know, such as a fall-back from WebGPU to WASM and why. */
export interface ReadyState {
  readonly kind: 'ready';
  readonly stamp: EmbedderStamp;
  readonly backend: Backend;
  readonly notice?: string;
}

/** Which model to load, and how. */
export interface LoadRequest {
  /** Name in the registry. */
  readonly model: string;
  /** Default: the model's best weights for the backend. */
  readonly dtype?: string;
  /** Forces a backend; default: WebGPU on a real GPU, else WASM. A forced one still falls back to WASM. */
  readonly backend?: Backend;
}

export interface EmbedRequest {
  readonly texts: readonly string[];
  readonly kind: TextKind;
  readonly longTexts: LongTexts;
}

/**
 * The boundary between an engine (or page) and the embed worker. Both sides share this file only.
 * Callbacks are Comlink proxies; every call may reject with a SkeinError.
 */
export interface EmbedApi {
  /**
   * Loads and tests a model in place of the present one; at once where it is loaded already.
   * Rejects with `model-missing`, `model-broken`, `self-test-failed`, `no-webgpu`, `offline` or `aborted`.
   */
  load(
    request: LoadRequest,
    onState: (state: EmbedderState) => void,
    signal?: AbortSignal,
  ): Promise<ReadyState>;
  /** The vectors of all texts, one after another. Rejects with `aborted`, or `model-missing` before a load. */
  embed(
    request: EmbedRequest,
    onProgress: (done: number) => void,
    signal?: AbortSignal,
  ): Promise<Float32Array>;
  /** Vectors of the texts' tokens (see `Embedder.embedTokens`), one array a text. Rejects as `embed` does. */
  embedTokens(request: EmbedRequest, signal?: AbortSignal): Promise<Float32Array[]>;
}
