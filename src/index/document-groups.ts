import { SkeinError } from '../core/errors.ts';

/**
 * Documents divided into groups of consecutive ids. Groups are assigned anew only where they, or the documents'
 * lengths, are other ones than before, since every question asks for the same.
 */
export class DocumentGroups {
  /** The group of each document; means nothing for documents before the first group. */
  of = new Int32Array(0);
  /** Terms of each group. */
  lengths = new Float64Array(0);
  private starts = new Int32Array(0);
  private current = false;

  /** Number of groups. */
  get count(): number {
    return this.starts.length;
  }

  /** Terms of a group on average; 1 where there are none. */
  get meanLength(): number {
    return this.lengths.reduce((sum, length) => sum + length, 0) / this.count || 1;
  }

  /** To be called when a document's length changed. */
  invalidate(): void {
    this.current = false;
  }

  /**
   * Group g holds documents `starts[g]` to `starts[g + 1] - 1`, the last one runs to the end; `lengths` are those of
   * the first `size` documents. Returns whether anything is other than it was. `bad-argument` where `starts` descends.
   */
  assign(starts: ArrayLike<number>, lengths: Uint32Array, size: number): boolean {
    if (this.current && same(starts, this.starts)) return false;
    checkAscending(starts);
    this.starts = Int32Array.from(starts);
    this.lengths = new Float64Array(starts.length);
    if (this.of.length < size) this.of = new Int32Array(lengths.length);
    for (let group = 0; group < this.count; group++) {
      const to = Math.min(this.starts[group + 1] ?? size, size);
      for (let id = this.starts[group]!; id < to; id++) {
        this.of[id] = group;
        this.lengths[group]! += lengths[id]!;
      }
    }
    this.current = true;
    return true;
  }
}

function checkAscending(starts: ArrayLike<number>): void {
  for (let group = 0; group < starts.length; group++) {
    const from = starts[group]!;
    const to = group + 1 < starts.length ? starts[group + 1]! : from;
    if (from >= 0 && from <= to) continue;
    throw new SkeinError(
      'bad-argument',
      `Group ${group} starts at ${from}, the next at ${to}: not ascending.`,
    );
  }
}

function same(a: ArrayLike<number>, b: Int32Array): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < b.length; i++) if (a[i] !== b[i]) return false;
  return true;
}
