import { SkeinError } from '../core/errors.ts';
import { type Embedder, type EmbedderStamp, type EmbedOptions, stampKey } from './embedder.ts';
import { EMBEDDING_MODELS, modelInput } from './registry.ts';
import type { VectorCache } from './vector-cache.ts';

/** Texts embedded between two writes to the cache: what a kill can lose. */
const TEXTS_A_WRITE = 256;

/**
 * An embedder that embeds nothing twice: it asks `cache` first and adds what was missing, bit by bit. Token
 * vectors, a hundred times as large, pass by the cache.
 */
export class CachingEmbedder implements Embedder {
  readonly stamp: EmbedderStamp;
  readonly embedTokens?: Embedder['embedTokens'];

  constructor(
    private readonly embedder: Embedder,
    private readonly cache: VectorCache,
  ) {
    this.stamp = embedder.stamp;
    this.embedTokens = embedder.embedTokens?.bind(embedder);
    if (stampKey(cache.stamp) !== stampKey(embedder.stamp)) {
      throw new SkeinError(
        'stamp-mismatch',
        `A cache of ${stampKey(cache.stamp)} can't serve ${stampKey(embedder.stamp)}.`,
        'Open the cache that belongs to this embedder.',
      );
    }
  }

  async embed(texts: readonly string[], options: EmbedOptions): Promise<Float32Array[]> {
    const keys = texts.map((text) => this.cacheText(text, options));
    const vectors = await this.cache.get(keys);
    const missing = firstOfEachMissing(keys, vectors);
    let done = texts.length - vectors.filter((v) => v === undefined).length;
    if (done > 0) options.onProgress?.(done);

    const made = new Map<string, Float32Array>();
    for (let from = 0; from < missing.length; from += TEXTS_A_WRITE) {
      const batch = missing.slice(from, from + TEXTS_A_WRITE);
      const before = done;
      const fresh = await this.embedder.embed(
        batch.map((at) => texts[at]!),
        { ...options, onProgress: (n) => options.onProgress?.(before + n) },
      );
      const batchKeys = batch.map((at) => keys[at]!);
      await this.cache.put(batchKeys, fresh);
      batchKeys.forEach((key, i) => void made.set(key, fresh[i]!));
      done += batch.length;
    }
    if (missing.length > 0) options.onProgress?.(texts.length);
    return vectors.map((vector, at) => vector ?? made.get(keys[at]!)!);
  }

  /** Equal for two texts exactly when the model reads the same. */
  private cacheText(text: string, { kind }: EmbedOptions): string {
    const model = EMBEDDING_MODELS.find((m) => m.name === this.stamp.model);
    return model ? modelInput(model, kind, text) : `${kind}: ${text}`;
  }
}

function firstOfEachMissing(
  keys: readonly string[],
  vectors: readonly (Float32Array | undefined)[],
): number[] {
  const seen = new Set<string>();
  const missing: number[] = [];
  keys.forEach((key, at) => {
    if (vectors[at] !== undefined || seen.has(key)) return;
    seen.add(key);
    missing.push(at);
  });
  return missing;
}
