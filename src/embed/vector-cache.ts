import type { EmbedderStamp } from './embedder.ts';

/**
 * Port: vectors kept by the exact text that the model read, for one stamp.
 * A cache may forget, never mix stamps, and never give a vector of another text.
 */
export interface VectorCache {
  readonly stamp: EmbedderStamp;
  /** The vectors it holds, in input order; `undefined` for a text it does not hold. */
  get(texts: readonly string[]): Promise<(Float32Array | undefined)[]>;
  put(texts: readonly string[], vectors: readonly Float32Array[]): Promise<void>;
}
