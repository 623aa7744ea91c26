/** RRF's constant, as in its paper and in SCALE-QA. */
export const RRF_K = 60;

/**
 * Reciprocal rank fusion: each list gives an item 1 / (RRF_K + its rank, counted from 1). Returns the items with
 * their sums, best first; equal sums by ascending item.
 */
export function reciprocalRankFusion(
  lists: readonly (readonly number[])[],
): { readonly item: number; readonly score: number }[] {
  const scores = new Map<number, number>();
  for (const list of lists) {
    for (const [i, item] of list.entries()) {
      scores.set(item, (scores.get(item) ?? 0) + 1 / (RRF_K + i + 1));
    }
  }
  return [...scores]
    .map(([item, score]) => ({ item, score }))
    .sort((a, b) => b.score - a.score || a.item - b.item);
}
