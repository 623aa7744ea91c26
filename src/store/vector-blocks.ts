import { SkeinError } from '../core/errors.ts';
import { type EmbedderStamp, stampKey } from '../embed/embedder.ts';
import type { VectorBlock } from './records.ts';

/** Vectors in one stored record. At 384 dimensions a full block is 393,216 bytes. */
export const BLOCK_ROWS = 256;

/** The block that holds `row`. */
export function blockOf(row: number): number {
  return Math.floor(row / BLOCK_ROWS);
}

/** Number of rows that `block` holds. */
export function rowsIn(block: VectorBlock): number {
  return block.vectors.length / block.stamp.dimension;
}

/** The blocks that rows `from` to `to - 1` touch, in order; none for an empty range. */
export function blocksBetween(from: number, to: number): number[] {
  const blocks: number[] = [];
  for (let block = blockOf(from); block * BLOCK_ROWS < to && from < to; block++) blocks.push(block);
  return blocks;
}

/**
 * `block` (or a new one) with those of `vectors` that fall into it written over its rows; the others stay.
 * `vectors[0]` belongs to row `from` of the thread.
 */
export function writeRows(
  previous: VectorBlock | undefined,
  block: number,
  stamp: EmbedderStamp,
  from: number,
  vectors: readonly Float32Array[],
): VectorBlock {
  const first = block * BLOCK_ROWS;
  const end = Math.min(from + vectors.length, first + BLOCK_ROWS);
  const rows = Math.max(end - first, previous ? rowsIn(previous) : 0);
  const data = new Float32Array(rows * stamp.dimension);
  if (previous) data.set(previous.vectors);
  for (let row = Math.max(from, first); row < end; row++) {
    data.set(vectors[row - from]!, (row - first) * stamp.dimension);
  }
  return { block, stamp, vectors: data };
}

/** `block` with those of the thread's rows `from` to `to - 1` that it holds set to zero. */
export function zeroRows(block: VectorBlock, from: number, to: number): VectorBlock {
  const first = block.block * BLOCK_ROWS;
  const { dimension } = block.stamp;
  const data = block.vectors.slice();
  data.fill(0, Math.max(0, from - first) * dimension, Math.max(0, to - first) * dimension);
  return { ...block, vectors: data };
}

/** Gives copies of a thread's vectors by their row, those that were made under `stamp`; undefined for any other. */
export function rowReader(
  blocks: readonly VectorBlock[],
): (row: number, stamp: EmbedderStamp) => Float32Array | undefined {
  const byNumber = new Map(blocks.map((block) => [block.block, block]));
  return (row, stamp) => {
    const block = byNumber.get(blockOf(row));
    return block && stampKey(block.stamp) === stampKey(stamp) ? readRow(block, row) : undefined;
  };
}

/** A copy of the vector at the thread's `row`, or undefined when it is not there. */
export function readRow(block: VectorBlock, row: number): Float32Array | undefined {
  const { dimension } = block.stamp;
  const start = (row - block.block * BLOCK_ROWS) * dimension;
  if (start < 0 || start + dimension > block.vectors.length) return undefined;
  const vector = block.vectors.slice(start, start + dimension);
  return vector.some((x) => x !== 0) ? vector : undefined;
}

/**
 * Rows 0 to `rows - 1` of a thread in one array.
 * Throws `stamp-mismatch` or `internal` when the blocks do not hold them all under `stamp`.
 */
export function joinBlocks(blocks: readonly VectorBlock[], stamp: EmbedderStamp, rows: number): Float32Array {
  const joined = new Float32Array(rows * stamp.dimension);
  const key = stampKey(stamp);
  let filled = 0;
  for (const block of blocks) {
    if (filled >= rows) break;
    if (stampKey(block.stamp) !== key) {
      throw new SkeinError(
        'stamp-mismatch',
        `Vector block ${block.block} was made with ${stampKey(block.stamp)}, the thread with ${key}.`,
        'Rebuild the memory of this thread.',
      );
    }
    const take = Math.min(rowsIn(block), rows - filled);
    if (block.block * BLOCK_ROWS !== filled) break;
    joined.set(block.vectors.subarray(0, take * stamp.dimension), filled * stamp.dimension);
    filled += take;
  }
  if (filled < rows) {
    throw new SkeinError(
      'internal',
      `Only ${filled} of ${rows} vectors of this thread are stored.`,
      'Rebuild the memory of this thread; its turns are not affected.',
    );
  }
  return joined;
}
