import type { GroupedTerm, LexicalIndex } from './lexical-index.ts';

/**
 * Overlapping pools of neighbouring groups, one around each: group g lends its terms to the pool of `g + d` with the
 * weight `weights[g * (2 * reach + 1) + reach + d]`, for d from -reach to reach; 0 is not at all. The weights there
 * and back should be the same or nearly so, since a pool's length is told by its own row.
 */
export interface Pools {
  readonly reach: number;
  readonly weights: Float32Array;
}

export interface PooledOptions {
  readonly k1?: number;
  readonly b?: number;
  /**
   * Terms that more than this share of all documents hold are left out: they tell nothing and cost most. In a young
   * index, only those that more than `commonDocuments` hold.
   */
  readonly commonShare?: number;
  readonly commonDocuments?: number;
}

/** Number of terms in each pool, by weight; `lengths` are those of the groups. */
export function poolLengths(lengths: Float64Array, { reach, weights }: Pools): Float64Array {
  const pooled = new Float64Array(lengths.length);
  for (let g = 0; g < lengths.length; g++) {
    const row = g * (2 * reach + 1) + reach;
    const to = Math.min(reach, lengths.length - 1 - g);
    let length = 0;
    for (let d = Math.max(-reach, -g); d <= to; d++) length += weights[row + d]! * lengths[g + d]!;
    pooled[g] = length;
  }
  return pooled;
}

/**
 * BM25 over pools: in a pool, a term occurs as often as the weighted sum over its groups says, and the pool is as
 * long as `lengths` says (see `poolLengths`). A pool in which a term occurs less than once counts for as much less in
 * the term's document frequency. Groups that `left` marks with 0 lend their terms to no pool.
 */
export function scorePools(
  index: LexicalIndex,
  query: string,
  starts: ArrayLike<number>,
  pools: Pools,
  lengths: Float64Array,
  left: Uint8Array,
  { k1 = 1.2, b = 0.75, commonShare = 0.05, commonDocuments = 20 }: PooledOptions = {},
): Float64Array {
  const count = starts.length;
  const scores = new Float64Array(count);
  const norms = normsOf(lengths, k1, b);
  const frequencies = new Float64Array(count);
  const common = Math.max(commonDocuments, commonShare * index.documents);
  index.eachTerm(query, starts, common, (term) => {
    const spans = gather(term, pools, left, frequencies);
    const held = heldPools(spans, frequencies);
    const weight = term.times * Math.log(1 + (count - held + 0.5) / (held + 0.5)) * (k1 + 1);
    for (let s = 0; s < spans.length; s += 2) {
      for (let pool = spans[s]!; pool < spans[s + 1]!; pool++) {
        const frequency = frequencies[pool]!;
        if (frequency === 0) continue;
        scores[pool]! += (weight * frequency) / (frequency + norms[pool]!);
        frequencies[pool] = 0;
      }
    }
  });
  return scores;
}

/**
 * Adds up how often each pool holds a term. Returns the spans of pools that may: begin and end of one after the
 * other, ascending.
 */
function gather(
  { count, groups, frequencies: held }: GroupedTerm,
  { reach, weights }: Pools,
  left: Uint8Array,
  frequencies: Float64Array,
): number[] {
  const spans: number[] = [];
  let end = -1;
  for (let i = 0; i < count; i++) {
    const group = groups[i]!;
    if (left[group] === 0) continue;
    const times = held[i]!;
    const from = Math.max(0, group - reach);
    const row = group * (2 * reach + 1) + reach - group;
    if (from > end) {
      if (end >= 0) spans.push(end);
      spans.push(from);
    }
    end = Math.min(frequencies.length, group + reach + 1);
    for (let pool = from; pool < end; pool++) frequencies[pool]! += weights[row + pool]! * times;
  }
  if (end >= 0) spans.push(end);
  return spans;
}

/** The number of pools that hold a term; one that holds it less than once counts for as much less. */
function heldPools(spans: readonly number[], frequencies: Float64Array): number {
  let held = 0;
  for (let s = 0; s < spans.length; s += 2) {
    for (let pool = spans[s]!; pool < spans[s + 1]!; pool++) held += Math.min(1, frequencies[pool]!);
  }
  return held;
}

/** What each pool's length adds below the fraction. */
function normsOf(lengths: Float64Array, k1: number, b: number): Float64Array {
  let total = 0;
  for (let i = 0; i < lengths.length; i++) total += lengths[i]!;
  const mean = total / lengths.length || 1;
  const norms = new Float64Array(lengths.length);
  for (let i = 0; i < norms.length; i++) norms[i] = k1 * (1 - b + (b * lengths[i]!) / mean);
  return norms;
}
