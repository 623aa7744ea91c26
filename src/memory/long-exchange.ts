import type { RankerQuery } from './ranker.ts';
import type { Views } from './views.ts';

/** Turns `start` to `end - 1`. */
export interface Stretch {
  readonly start: number;
  readonly end: number;
}

/**
 * What stands for an exchange longer than `limit` tokens: its turn that fits the question best, however long, and
 * the turns behind it and then before it that fit beside it.
 */
export function closestPart(exchange: Stretch, query: RankerQuery, views: Views, limit: number): Stretch {
  const closest = closestTurn(exchange, query, views);
  let start = closest;
  let end = closest + 1;
  let used = views.tokensOf(closest);
  const fits = (turn: number) => used + views.tokensOf(turn) <= limit;
  while (end < exchange.end && fits(end)) used += views.tokensOf(end++);
  while (start > exchange.start && fits(start - 1)) used += views.tokensOf(--start);
  return { start, end };
}

/** The first of equals; turns without a vector come last. */
function closestTurn({ start, end }: Stretch, query: RankerQuery, views: Views): number {
  let best = start;
  let bestScore = Number.NEGATIVE_INFINITY;
  views.turns.scoreRange(query.vector, start, end).forEach((score, i) => {
    if (score > bestScore) [best, bestScore] = [start + i, score];
  });
  return best;
}
