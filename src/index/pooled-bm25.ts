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
  const reached = new Int32Array(count);
  const common = Math.max(commonDocuments, commonShare * index.documents);
  index.eachTerm(query, starts, (term) => {
    if (term.documents > common) return;
    const size = gather(term, pools, left, frequencies, reached);
    let held = 0;
    for (let i = 0; i < size; i++) held += Math.min(1, frequencies[reached[i]!]!);
    const weight = term.times * Math.log(1 + (count - held + 0.5) / (held + 0.5)) * (k1 + 1);
    for (let i = 0; i < size; i++) {
      const pool = reached[i]!;
      const frequency = frequencies[pool]!;
      scores[pool]! += (weight * frequency) / (frequency + norms[pool]!);
      frequencies[pool] = 0;
    }
  });
  return scores;
}

/** Adds up how often each pool holds a term; notes in `reached` the pools that do and returns how many they are. */
function gather(
  { count, groups, frequencies: held }: GroupedTerm,
  { reach, weights }: Pools,
  left: Uint8Array,
  frequencies: Float64Array,
  reached: Int32Array,
): number {
  const last = frequencies.length - 1;
  let size = 0;
  for (let i = 0; i < count; i++) {
    const group = groups[i]!;
    if (left[group] === 0) continue;
    const times = held[i]!;
    const row = group * (2 * reach + 1) + reach - group;
    const to = Math.min(last, group + reach);
    for (let pool = Math.max(0, group - reach); pool <= to; pool++) {
      const weight = weights[row + pool]!;
      if (weight === 0) continue;
      if (frequencies[pool] === 0) reached[size++] = pool;
      frequencies[pool]! += weight * times;
    }
  }
  return size;
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
