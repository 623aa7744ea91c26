import type { GroupList } from './lexical-index.ts';

/** A term's groups, and what it adds to the BM25 of each, but for its weight. */
export interface ScoredList extends GroupList {
  readonly impacts: Float64Array;
}

/** Shorter lists are made anew sooner than found. */
const LEAST_KEPT = 32;
/** What is kept may always be this large, in entries. */
const LEAST_ROOM = 1 << 16;

/**
 * Keeps the long lists that questions ask for: "the" stands in all of them. They are few, and make out most of what a
 * question reads.
 */
export class GroupedLists {
  private readonly lists = new Map<number, ScoredList>();
  private entries = 0;

  /**
   * The list of that number: a kept one, or what `make` gives. Of that, a long one is copied and kept; the arrays of a
   * short one stay its maker's.
   */
  of(list: number, make: () => ScoredList, room: number): ScoredList {
    const known = this.lists.get(list);
    if (known) return known;
    const made = make();
    return made.count < LEAST_KEPT ? made : this.keep(list, made, room);
  }

  clear(): void {
    this.lists.clear();
    this.entries = 0;
  }

  /** Keeps a copy; where it would be more than `room` entries, in place of all others. */
  private keep(list: number, { count, groups, frequencies, impacts }: ScoredList, room: number): ScoredList {
    if (this.entries + count > Math.max(LEAST_ROOM, room)) this.clear();
    const kept = {
      count,
      groups: groups.slice(0, count),
      frequencies: frequencies.slice(0, count),
      impacts: impacts.slice(0, count),
    };
    this.lists.set(list, kept);
    this.entries += count;
    return kept;
  }
}
