import type { GroupList } from './lexical-index.ts';

/** Adds up lists of groups: how often each group holds any of several terms, by weight. */
export class ListSum {
  /** Of every group, its sum so far; 0 for all that are not in `held`. */
  private sums = new Float64Array(0);
  private held = new Int32Array(0);
  private frequencies = new Float64Array(0);
  private count = 0;

  /** Begins anew, for groups below `groups`. */
  clear(groups: number): void {
    for (let i = 0; i < this.count; i++) this.sums[this.held[i]!] = 0;
    this.count = 0;
    if (this.sums.length >= groups) return;
    this.sums = new Float64Array(2 * groups);
    this.held = new Int32Array(2 * groups);
    this.frequencies = new Float64Array(2 * groups);
  }

  /** Frequencies and the weight are above 0. */
  add({ count, groups, frequencies }: GroupList, weight: number): void {
    for (let i = 0; i < count; i++) {
      const group = groups[i]!;
      if (this.sums[group] === 0) this.held[this.count++] = group;
      this.sums[group]! += weight * frequencies[i]!;
    }
  }

  /** The sum; its arrays hold until the next call. */
  list(): GroupList {
    const { held, sums, frequencies, count } = this;
    held.subarray(0, count).sort();
    for (let i = 0; i < count; i++) frequencies[i] = sums[held[i]!]!;
    return { count, groups: held, frequencies };
  }
}
