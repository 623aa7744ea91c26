import { createHash, randomUUID } from 'node:crypto';
import { appendFile, mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SkeinError } from '../../core/errors.ts';
import { type EmbedderStamp, stampKey } from '../embedder.ts';
import type { VectorCache } from '../vector-cache.ts';

/** Bytes of the text's hash at the head of each record. */
const HASH_BYTES = 16;
const ENDING = '.vectors';

/**
 * Vectors in files below `root`, a folder a stamp. A file is a run of records: 16 bytes of the text's
 * SHA-256, then the vector as little-endian float32. Each process appends to a file of its own, so that
 * several may run at once; a record torn by a kill is the last of its file and is left out on reading.
 */
export class FileVectorCache implements VectorCache {
  private readonly vectors = new Map<string, Float32Array>();
  private readonly ownFile: string;

  private constructor(
    readonly stamp: EmbedderStamp,
    folder: string,
  ) {
    this.ownFile = join(folder, `${randomUUID()}${ENDING}`);
  }

  /** Opens the cache of `stamp` and reads all of it into memory. */
  static async open(stamp: EmbedderStamp, root = '.cache/vectors'): Promise<FileVectorCache> {
    const folder = join(root, stampKey(stamp).replaceAll('/', '~'));
    await mkdir(folder, { recursive: true });
    const cache = new FileVectorCache(stamp, folder);
    for (const name of (await readdir(folder)).sort()) {
      if (name.endsWith(ENDING)) cache.read(await readFile(join(folder, name)));
    }
    return cache;
  }

  /** Number of texts it holds. */
  get size(): number {
    return this.vectors.size;
  }

  async get(texts: readonly string[]): Promise<(Float32Array | undefined)[]> {
    return texts.map((text) => this.vectors.get(hashOf(text)));
  }

  async put(texts: readonly string[], vectors: readonly Float32Array[]): Promise<void> {
    const { dimension } = this.stamp;
    const size = HASH_BYTES + dimension * 4;
    const records = Buffer.alloc(texts.length * size);
    texts.forEach((text, row) => {
      const vector = vectors[row];
      if (vector?.length !== dimension) {
        throw new SkeinError(
          'wrong-dimension',
          `A vector of ${vector?.length} floats is none of ${stampKey(this.stamp)}.`,
        );
      }
      records.write(hashOf(text), row * size, 'latin1');
      Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength).copy(records, row * size + HASH_BYTES);
    });
    await appendFile(this.ownFile, records);
    this.read(records);
  }

  private read(records: Buffer): void {
    const { dimension } = this.stamp;
    const size = HASH_BYTES + dimension * 4;
    for (let at = 0; at + size <= records.length; at += size) {
      const hash = records.toString('latin1', at, at + HASH_BYTES);
      this.vectors.set(
        hash,
        new Float32Array(records.buffer, records.byteOffset + at + HASH_BYTES, dimension),
      );
    }
  }
}

function hashOf(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest().toString('latin1', 0, HASH_BYTES);
}
