import type { TermGroups } from '../index/lexical-index.ts';

/** In a short thread, a word ties up to so many groups whatever their share. */
const COMMON_GROUPS = 3;
/** Groups whose ties are remembered: more than one question asks for. */
const REMEMBERED = 64;

/** How groups of turns, episodes or exchanges, are tied by rare words. */
export interface TermTying {
  /** A word that more than this share of all groups hold ties nothing. */
  readonly commonShare: number;
  /** The weight of a word is its idf to this power. */
  readonly power: number;
}

/** A sparse matrix, row after row: row r has the entries `offsets[r]` to `offsets[r + 1] - 1`. */
interface Rows {
  readonly offsets: Int32Array;
  readonly columns: Int32Array;
  readonly weights: Float32Array;
}

/**
 * Ties by words: the cosine of two groups' weighted words, where a word weighs its idf to a power times
 * `1 + ln(frequency)`. Names and other rare words decide, so groups are tied that speak of the same people, places
 * and matters, however far apart they stand. A tie is the same from either side.
 */
export class TermTies {
  /** For each word that ties, the groups that hold it; and the other way round. A group's weights have length 1. */
  private readonly byTerm: Rows;
  private readonly byGroup: Rows;
  private readonly known = new Map<number, Float64Array>();
  private readonly count: number;

  constructor(groups: TermGroups, constants: TermTying) {
    this.count = groups.count;
    this.byTerm = tyingTerms(groups, constants);
    normaliseColumns(this.byTerm, groups.count);
    this.byGroup = transposed(this.byTerm, groups.count);
  }

  /** The tie of two groups; of one to itself 1, or 0 without words that tie. Cheapest where few `g` are asked for. */
  between(g: number, other: number): number {
    let ties = this.known.get(g);
    if (!ties) {
      if (this.known.size === REMEMBERED) this.known.clear();
      ties = new Float64Array(this.count);
      this.spread(g, 1, ties);
      this.known.set(g, ties);
    }
    return ties[other]!;
  }

  /** Adds to `out` the tie of every group to group `g`, times `share`. */
  spread(g: number, share: number, out: Float64Array): void {
    const { byTerm, byGroup } = this;
    for (let at = byGroup.offsets[g]!; at < byGroup.offsets[g + 1]!; at++) {
      const weight = share * byGroup.weights[at]!;
      const term = byGroup.columns[at]!;
      const end = byTerm.offsets[term + 1]!;
      for (let i = byTerm.offsets[term]!; i < end; i++)
        out[byTerm.columns[i]!]! += weight * byTerm.weights[i]!;
    }
  }
}

/** A row a word that ties, with its weight in each group that holds it. */
function tyingTerms(
  { count, offsets, groups, frequencies }: TermGroups,
  { commonShare, power }: TermTying,
): Rows {
  const common = Math.max(COMMON_GROUPS, commonShare * count);
  const columns = new Int32Array(groups.length);
  const weights = new Float32Array(groups.length);
  const rows = [0];
  let size = 0;
  for (let term = 0; term + 1 < offsets.length; term++) {
    const held = offsets[term + 1]! - offsets[term]!;
    if (held < 2 || held > common) continue;
    const rarity = Math.log(1 + (count - held + 0.5) / (held + 0.5)) ** power;
    for (let at = offsets[term]!; at < offsets[term + 1]!; at++) {
      columns[size] = groups[at]!;
      weights[size++] = rarity * (1 + Math.log(frequencies[at]!));
    }
    rows.push(size);
  }
  return {
    offsets: Int32Array.from(rows),
    columns: columns.slice(0, size),
    weights: weights.slice(0, size),
  };
}

/** Scales every column to length 1. */
function normaliseColumns({ columns, weights }: Rows, count: number): void {
  const squares = new Float64Array(count);
  for (let at = 0; at < columns.length; at++) squares[columns[at]!]! += weights[at]! ** 2;
  const lengths = squares.map(Math.sqrt);
  for (let at = 0; at < columns.length; at++) weights[at]! /= lengths[columns[at]!]!;
}

/** The same matrix with its `count` columns as rows. */
function transposed({ offsets, columns, weights }: Rows, count: number): Rows {
  const starts = new Int32Array(count + 1);
  for (const column of columns) starts[column + 1]!++;
  for (let row = 0; row < count; row++) starts[row + 1]! += starts[row]!;
  const next = starts.slice();
  const rows = { offsets: starts, columns: new Int32Array(columns.length), weights: weights.slice() };
  for (let term = 0; term + 1 < offsets.length; term++) {
    for (let at = offsets[term]!; at < offsets[term + 1]!; at++) {
      const place = next[columns[at]!]!++;
      rows.columns[place] = term;
      rows.weights[place] = weights[at]!;
    }
  }
  return rows;
}
