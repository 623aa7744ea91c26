/**
 * Positions of the `k` highest of the first `count` scores, best first; equal scores by ascending position.
 * Costs O(count + k log k) comparisons when few scores displace others, O(count log k) at most.
 */
export function topK(scores: ArrayLike<number>, count: number, k: number): number[] {
  const size = Math.min(k, count);
  if (size === 0) return [];
  const heap: number[] = [];
  for (let i = 0; i < size; i++) heap.push(i);
  for (let i = (size >> 1) - 1; i >= 0; i--) siftDown(heap, i, scores);
  for (let i = size; i < count; i++) {
    // An equal score at a later position never displaces, which settles ties.
    if (scores[i]! > scores[heap[0]!]!) {
      heap[0] = i;
      siftDown(heap, 0, scores);
    }
  }
  return heap.sort((a, b) => scores[b]! - scores[a]! || a - b);
}

/** Restores the heap below `at`: the worst (lowest score, then latest position) stands on top. */
function siftDown(heap: number[], at: number, scores: ArrayLike<number>): void {
  const moved = heap[at]!;
  for (;;) {
    let child = 2 * at + 1;
    if (child >= heap.length) break;
    if (child + 1 < heap.length && worse(heap[child + 1]!, heap[child]!, scores)) child++;
    if (!worse(heap[child]!, moved, scores)) break;
    heap[at] = heap[child]!;
    at = child;
  }
  heap[at] = moved;
}

function worse(a: number, b: number, scores: ArrayLike<number>): boolean {
  return scores[a]! < scores[b]! || (scores[a] === scores[b] && a > b);
}
