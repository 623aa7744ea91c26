/** What makes two vectors comparable: an index or store never mixes vectors of different stamps. */
export interface EmbedderStamp {
  /** Registry name of the model, such as `all-MiniLM-L6-v2`. */
  readonly model: string;
  /** Weight format the vectors were made with, such as `int8` or `fp32`. */
  readonly dtype: string;
  readonly dimension: number;
}

/** `query` and `passage` differ only for models that want a prefix on one of them. */
export type TextKind = 'query' | 'passage';

export interface EmbedOptions {
  readonly kind: TextKind;
  readonly signal?: AbortSignal;
  /** Called with the number of finished texts. */
  readonly onProgress?: (done: number) => void;
}

/** Port: turns texts into unit-length vectors of `stamp.dimension` floats, in input order. */
export interface Embedder {
  readonly stamp: EmbedderStamp;
  embed(texts: readonly string[], options: EmbedOptions): Promise<Float32Array[]>;
}

/** `stamp` as one string, for keys and comparison. */
export function stampKey(stamp: EmbedderStamp): string {
  return `${stamp.model}/${stamp.dtype}/${stamp.dimension}`;
}
