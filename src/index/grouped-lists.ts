/** Where a term stands, by groups: the first `count` groups of `groups` hold it, ascending. */
export interface GroupedList {
  readonly count: number;
  readonly groups: Int32Array;
  /** How often each of them holds it. */
  readonly frequencies: Float64Array;
  /** What the term adds to each group's BM25, but for its weight. */
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
  private readonly lists = new Map<number, GroupedList>();
  private entries = 0;

  /** The list of that number; `made` without keeping its arrays for longer than the caller does, where it is short. */
  of(list: number, make: () => GroupedList, room: number): GroupedList {
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
  private keep(
    list: number,
    { count, groups, frequencies, impacts }: GroupedList,
    room: number,
  ): GroupedList {
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
