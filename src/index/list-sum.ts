import type { GroupList } from './lexical-index.ts';

/** Adds up lists of groups: how often each group holds any of several terms, by weight. */
export class ListSum {
  /** Of every group, its sum so far. */
  private sums = new Float64Array(0);
  private groups = new Int32Array(0);
  private frequencies = new Float64Array(0);
  /** All groups that have a sum lie from `first` to `last`. */
  private first = 0;
  private last = -1;

  /** Begins anew, for groups below `groups`. */
  clear(groups: number): void {
    this.sums.fill(0, this.first, this.last + 1);
    this.first = groups;
    this.last = -1;
    if (this.sums.length >= groups) return;
    this.sums = new Float64Array(2 * groups);
    this.groups = new Int32Array(2 * groups);
    this.frequencies = new Float64Array(2 * groups);
  }

  /** Frequencies and the weight are above 0. */
  add({ count, groups, frequencies }: GroupList, weight: number): void {
    if (count === 0) return;
    this.first = Math.min(this.first, groups[0]!);
    this.last = Math.max(this.last, groups[count - 1]!);
    for (let i = 0; i < count; i++) this.sums[groups[i]!]! += weight * frequencies[i]!;
  }

  /** The sum; its arrays hold until the next call. */
  list(): GroupList {
    const { groups, sums, frequencies, last } = this;
    // Passing over all between is sooner done than sorting them.
    let count = 0;
    for (let group = this.first; group <= last; group++) {
      if (sums[group] === 0) continue;
      groups[count] = group;
      frequencies[count++] = sums[group]!;
    }
    return { count, groups, frequencies };
  }
}
