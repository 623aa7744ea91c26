/** What happens to a text longer than the model's window. */
export type LongTexts =
  /** Embedded in parts; the vector is their mean, weighted by tokens. */
  | 'parts'
  /** Only what fits the window is embedded, as the sentence-transformers library does. */
  | 'cut';

/** What makes two vectors comparable: an index or store never mixes vectors of different stamps. */
export interface EmbedderStamp {
  /** Registry name of the model, such as `all-MiniLM-L6-v2`. */
  readonly model: string;
  /** Weight format the vectors were made with, such as `int8` or `fp32`. */
  readonly dtype: string;
  readonly dimension: number;
  /** Absent means `parts`. */
  readonly longTexts?: LongTexts;
}

/** `query` and `passage` differ only for models that want a prefix on one of them. */
export type TextKind = 'query' | 'passage';

export interface EmbedOptions {
  readonly kind: TextKind;
  readonly signal?: AbortSignal;
  /** Called with the number of finished texts; a long text counts as a fraction by its finished parts. */
  readonly onProgress?: (done: number) => void;
}

/** Port: turns texts into unit-length vectors of `stamp.dimension` floats, in input order. */
export interface Embedder {
  readonly stamp: EmbedderStamp;
  embed(texts: readonly string[], options: EmbedOptions): Promise<Float32Array[]>;
  /**
   * For late interaction, where the embedder can tell: the unit vectors of each text's own tokens, row after row,
   * without special tokens, prefix or pooling. A text longer than the window is read as `longTexts` says.
   */
  embedTokens?(texts: readonly string[], options: EmbedOptions): Promise<Float32Array[]>;
}

/** `stamp` as one string, for keys and comparison. */
export function stampKey(stamp: EmbedderStamp): string {
  const key = `${stamp.model}/${stamp.dtype}/${stamp.dimension}`;
  return stamp.longTexts === 'cut' ? `${key}/cut` : key;
}
