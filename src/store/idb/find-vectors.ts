import type { EmbedderStamp } from '../../embed/embedder.ts';
import type { VectorBlock } from '../records.ts';
import { textHash } from '../text-hash.ts';
import { sameStamp } from '../thread-rules.ts';
import { blockOf, readRow } from '../vector-blocks.ts';
import { type Transaction, threadRange } from './schema.ts';

type Reader = Transaction<readonly ['threads', 'turns', 'vectors'], 'readonly'>;

/**
 * The vectors that any thread holds for `texts` under `stamp`. The hash index only proposes turns: a vector is
 * taken when the turn's text is the same, so two texts with one hash never swap vectors.
 */
export async function findStoredVectors(
  tx: Reader,
  texts: ReadonlySet<string>,
  stamp: EmbedderStamp,
): Promise<Map<string, Float32Array>> {
  const blocks = await BlockReader.open(tx, stamp);
  const turns = tx.objectStore('turns');
  const keysByHash = turns.index('hash');
  const candidates = await Promise.all(
    [...texts].map(async (text) => ({ text, keys: await keysByHash.getAllKeys(textHash(text)) })),
  );
  const found = new Map<string, Float32Array>();
  for (const { text, keys } of candidates) {
    for (const [threadId, index] of keys) {
      // The text is read last: most candidates of a running ingest are turns that have no vector yet.
      const vector = await blocks.vector(threadId, index);
      if (!vector || (await turns.get([threadId, index]))?.text !== text) continue;
      found.set(text, vector);
      break;
    }
  }
  return found;
}

/** Reads each vector block at most once, and only blocks that exist in threads under the wanted stamp. */
class BlockReader {
  private readonly read = new Map<string, VectorBlock | undefined>();

  private constructor(
    private readonly tx: Reader,
    private readonly existing: ReadonlySet<string>,
  ) {}

  static async open(tx: Reader, stamp: EmbedderStamp): Promise<BlockReader> {
    const threads = (await tx.objectStore('threads').getAll()).filter((head) => sameStamp(head, stamp));
    const store = tx.objectStore('vectors');
    const keys = await Promise.all(threads.map((head) => store.getAllKeys(threadRange(head.id))));
    return new BlockReader(tx, new Set(keys.flat().map(nameOf)));
  }

  async vector(threadId: string, index: number): Promise<Float32Array | undefined> {
    const key: [string, number] = [threadId, blockOf(index)];
    const name = nameOf(key);
    if (!this.existing.has(name)) return undefined;
    if (!this.read.has(name)) this.read.set(name, await this.tx.objectStore('vectors').get(key));
    const block = this.read.get(name);
    return block && readRow(block, index);
  }
}

function nameOf([threadId, block]: [string, number]): string {
  return `${block}/${threadId}`;
}
