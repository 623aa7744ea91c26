import type { Band } from './band.ts';
import { QUAD } from './flat/scan-kernel.ts';
import type { GroupedTerm, LexicalIndex, RelatedTerms, TermCounting } from './lexical-index.ts';

export interface PooledOptions extends TermCounting {
  readonly k1?: number;
  readonly b?: number;
  /**
   * Terms that more than this share of all documents hold are left out: they tell nothing and cost most. In a young
   * index, only those that more than `commonDocuments` hold.
   */
  readonly commonShare?: number;
  readonly commonDocuments?: number;
  /** Terms that count for those of the query; left out: none. */
  readonly related?: RelatedTerms;
}

/**
 * BM25 over overlapping pools of neighbouring groups, one around each: group g lends its terms to the pools around it
 * with the weights of its row, which should be the same or nearly so there and back. In a pool, a term occurs as often
 * as the weighted sum over its groups says, and the pool is as long as the weighted sum of their lengths. A pool in
 * which a term occurs less than once counts for as much less in the term's document frequency.
 *
 * Made for an index, groups and weights as they are; where any changes, another one is made.
 */
export class PooledBm25 {
  private readonly k1: number;
  private readonly common: number;
  private readonly related: RelatedTerms | undefined;
  private readonly dampened: boolean;
  /** What each pool's length adds below the fraction. */
  private readonly norms: Float64Array;
  /** Where pools that hold a term stand (see `lend`). */
  private readonly spans: Int32Array;

  /** `starts` are the groups' first documents. */
  constructor(
    private readonly index: LexicalIndex,
    private readonly starts: ArrayLike<number>,
    private readonly pools: Band,
    {
      k1 = 1.2,
      b = 0.75,
      commonShare = 0.05,
      commonDocuments = 20,
      related,
      dampened = false,
    }: PooledOptions = {},
  ) {
    this.dampened = dampened;
    this.k1 = k1;
    this.related = related;
    this.common = Math.max(commonDocuments, commonShare * index.documents);
    this.norms = normsOf(pools.product(index.groupLengths(starts)), k1, b);
    this.spans = new Int32Array(starts.length + 2);
  }

  /** The score of every pool. Groups that `left` marks with 0 lend their terms to no pool. `into`: room for them. */
  score(query: string, left: Uint8Array, into?: Float64Array): Float64Array {
    const { pools, norms } = this;
    const { input, output } = pools.areas;
    pools.write(input, 1, norms);
    pools.write(output, 0);
    const { index, starts, common, related } = this;
    index.eachTerm(query, starts, common, (term) => this.addTerm(term, left), related);
    return pools.read(output + pools.reach, into);
  }

  private addTerm(term: GroupedTerm, left: Uint8Array): void {
    const { spans, pools, k1 } = this;
    const { kernel, count } = pools;
    const { input, work, output } = pools.areas;
    const ends = this.lend(term, left, work);
    let held = 0;
    for (let s = 0; s < ends; s += 2) held += kernel.capped(work + spans[s]!, spans[s + 1]! - spans[s]!);
    const times = this.dampened ? Math.sqrt(term.times) : term.times;
    const weight = times * Math.log(1 + (count - held + 0.5) / (held + 0.5)) * (k1 + 1);
    for (let s = 0; s < ends; s += 2) {
      const from = spans[s]!;
      const length = spans[s + 1]! - from;
      kernel.saturate(work + from, length, input + from, weight, output + from);
      kernel.floats.fill(0, work + from, work + from + length);
    }
  }

  /**
   * Adds up how often each pool holds a term, in the area at `work`. Notes in `spans` the places in an area that may
   * be other than 0: begin and end of one span after the other, ascending; and returns how many entries those are.
   */
  private lend({ count, groups, frequencies }: GroupedTerm, left: Uint8Array, work: number): number {
    const { spans, pools } = this;
    const { kernel, width, readWidth } = pools;
    let ends = 0;
    let end = -1;
    for (let i = 0; i < count; i++) {
      const group = groups[i]!;
      if (left[group] === 0) continue;
      const from = group - (group % QUAD);
      if (from > end) {
        if (end >= 0) spans[ends++] = end;
        spans[ends++] = from;
      }
      end = Math.ceil((group + width) / QUAD) * QUAD;
      kernel.add(pools.rowAt(group), readWidth, frequencies[i]!, work + group);
    }
    if (end >= 0) spans[ends++] = end;
    return ends;
  }
}

function normsOf(lengths: Float64Array, k1: number, b: number): Float64Array {
  let total = 0;
  for (let i = 0; i < lengths.length; i++) total += lengths[i]!;
  const mean = total / lengths.length || 1;
  const norms = new Float64Array(lengths.length);
  for (let i = 0; i < norms.length; i++) norms[i] = k1 * (1 - b + (b * lengths[i]!) / mean);
  return norms;
}
