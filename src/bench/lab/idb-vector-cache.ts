import { type EmbedderStamp, stampKey } from '../../embed/embedder.ts';
import type { VectorCache } from '../../embed/vector-cache.ts';
import { sha256 } from '../canonical.ts';
import type { LabDatabase } from './lab-database.ts';

/** Hexadecimal digits of a text's SHA-256 that name it: 128 bits. */
const HASH_DIGITS = 32;

/** Vectors of one stamp in the lab's database, shared by all systems, runs and reloads. */
export class IdbVectorCache implements VectorCache {
  constructor(
    private readonly database: LabDatabase,
    readonly stamp: EmbedderStamp,
  ) {}

  async get(texts: readonly string[]): Promise<(Float32Array | undefined)[]> {
    return this.database.vectors(await this.keys(texts));
  }

  async put(texts: readonly string[], vectors: readonly Float32Array[]): Promise<void> {
    // A vector may be a view into all vectors of its call: only its own numbers are kept.
    const own = vectors.map((vector) => vector.slice());
    await this.database.putVectors(await this.keys(texts), own);
  }

  private keys(texts: readonly string[]): Promise<[string, string][]> {
    const stamp = stampKey(this.stamp);
    return Promise.all(
      texts.map(
        async (text): Promise<[string, string]> => [stamp, (await sha256(text)).slice(0, HASH_DIGITS)],
      ),
    );
  }
}
