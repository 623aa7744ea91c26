import { estimateTokens } from '../core/tokens.ts';
import type { ThreadSnapshot, VectorBlock } from '../store/records.ts';
import { BLOCK_ROWS } from '../store/vector-blocks.ts';
import { MARKS, type Mark, marksOf } from './marks.ts';

/** A new thread to be stored, with the caches that it needs to make its episodes as they were. */
export interface Branch {
  readonly snapshot: ThreadSnapshot;
  readonly caches: Readonly<Record<string, unknown>>;
}

/**
 * The first `turns` turns of a thread as a thread of its own: texts, vectors, questions, pins and forgetting. Its
 * episodes are made anew from the vectors; cutting is deterministic, so they are the same as far as they were closed.
 */
export function branchOf(
  source: ThreadSnapshot,
  turns: number,
  { id, name, now, marks }: { id: string; name: string; now: number; marks: readonly Mark[] },
): Branch {
  const { segmenter: _, ...head } = source.thread;
  const kept = source.turns.slice(0, turns);
  const snapshot: ThreadSnapshot = {
    thread: {
      ...head,
      id,
      name,
      createdAt: now,
      updatedAt: now,
      turns: kept.length,
      ingested: 0,
      tokens: kept.reduce((sum, { text }) => sum + estimateTokens(text), 0),
      branchedFrom: { threadId: head.id, turns: kept.length },
    },
    turns: kept,
    episodes: [],
    clusters: [],
    asks: source.asks.filter(({ position }) => position <= kept.length),
    blocks: source.blocks.flatMap((block) => firstRows(block, kept.length)),
  };
  return { snapshot, caches: { [MARKS]: [...marks, ...marksOf(source.episodes)] } };
}

function firstRows(block: VectorBlock, rows: number): VectorBlock[] {
  const left = rows - block.block * BLOCK_ROWS;
  if (left <= 0) return [];
  return [{ ...block, vectors: block.vectors.slice(0, left * block.stamp.dimension) }];
}
