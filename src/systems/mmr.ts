import { dot } from '../core/vectors.ts';

/** A candidate for a place: `vector` has length 1. */
export interface MmrCandidate {
  readonly score: number;
  readonly vector: Float32Array;
}

/**
 * Orders candidates by maximal marginal relevance: each next one has the best
 * `lambda` x score - (1 - `lambda`) x its closest cosine with one before it. Returns their positions.
 */
export function mmrOrder(candidates: readonly MmrCandidate[], lambda: number): number[] {
  const left = new Set(candidates.keys());
  const closest = new Float64Array(candidates.length);
  const order: number[] = [];
  while (left.size > 0) {
    let best = -1;
    let bestValue = Number.NEGATIVE_INFINITY;
    for (const i of left) {
      const value = lambda * candidates[i]!.score - (1 - lambda) * closest[i]!;
      if (value > bestValue) [best, bestValue] = [i, value];
    }
    left.delete(best);
    order.push(best);
    for (const i of left) {
      closest[i] = Math.max(closest[i]!, dot(candidates[i]!.vector, candidates[best]!.vector));
    }
  }
  return order;
}
