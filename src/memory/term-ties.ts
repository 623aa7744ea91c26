import type { GroupTerms } from '../index/lexical-index.ts';

/** In a short thread, a word ties up to so many groups whatever their share. */
const COMMON_GROUPS = 3;

/** How episodes are tied by rare words. */
export interface TermTying {
  /** A word that more than this share of all groups hold ties nothing. */
  readonly commonShare: number;
  /** The weight of a word is its idf to this power. */
  readonly power: number;
}

/**
 * Ties by words: the cosine of two groups' weighted words, where a word weighs its idf to a power times
 * `1 + ln(frequency)`. Names and other rare words decide, so groups are tied that speak of the same people, places
 * and matters, however far apart they stand.
 */
export class TermTies {
  private readonly weights: Float32Array;
  /** Groups that hold each term, and the term's weight there. */
  private readonly termOffsets: Int32Array;
  private readonly holders: Int32Array;
  private readonly holderWeights: Float32Array;
  private readonly ties: Float64Array;
  private asked: number | undefined;

  constructor(
    private readonly groups: GroupTerms,
    { commonShare, power }: TermTying,
  ) {
    const { offsets, ids, frequencies, terms } = groups;
    const count = offsets.length - 1;
    this.ties = new Float64Array(count);
    const common = Math.max(COMMON_GROUPS, commonShare * count);
    const df = new Int32Array(terms);
    for (const id of ids) df[id]!++;
    const weightOf = Float64Array.from(df, (held) =>
      held < 2 || held > common ? 0 : Math.log(1 + (count - held + 0.5) / (held + 0.5)) ** power,
    );
    this.weights = Float32Array.from(ids, (id, at) => weightOf[id]! * (1 + Math.log(frequencies[at]!)));
    for (let g = 0; g < count; g++) normalise(this.weights, offsets[g]!, offsets[g + 1]!);
    this.termOffsets = new Int32Array(terms + 1);
    for (let id = 0; id < terms; id++) this.termOffsets[id + 1] = this.termOffsets[id]! + df[id]!;
    this.holders = new Int32Array(ids.length);
    this.holderWeights = new Float32Array(ids.length);
    const next = this.termOffsets.slice();
    for (let g = 0; g < count; g++) {
      for (let at = offsets[g]!; at < offsets[g + 1]!; at++) {
        const place = next[ids[at]!]!++;
        this.holders[place] = g;
        this.holderWeights[place] = this.weights[at]!;
      }
    }
  }

  /** The tie of group `g` to every group. The array belongs to this object and holds until the next call. */
  tiesOf(g: number): Float64Array {
    if (this.asked !== g) {
      this.ties.fill(0);
      this.spread(g, 1, this.ties);
      this.asked = g;
    }
    return this.ties;
  }

  /** Adds to `out` the tie of every group to group `g`, times `share`. The tie to itself is 1 (0 without words). */
  spread(g: number, share: number, out: Float64Array): void {
    const { offsets, ids } = this.groups;
    for (let at = offsets[g]!; at < offsets[g + 1]!; at++) {
      const weight = share * this.weights[at]!;
      if (weight === 0) continue;
      const term = ids[at]!;
      for (let i = this.termOffsets[term]!; i < this.termOffsets[term + 1]!; i++) {
        out[this.holders[i]!]! += weight * this.holderWeights[i]!;
      }
    }
  }
}

function normalise(weights: Float32Array, from: number, to: number): void {
  let squares = 0;
  for (let at = from; at < to; at++) squares += weights[at]! ** 2;
  if (squares === 0) return;
  const length = Math.sqrt(squares);
  for (let at = from; at < to; at++) weights[at]! /= length;
}
