/** Frequencies are kept in 16 bits; a term that occurs more often in one document counts as this often. */
export const MAX_FREQUENCY = 0xffff;

const FIRST_ROOM = 2;

/**
 * Lists of (document, frequency), each sorted by document, in a few typed arrays instead of an object a list.
 * A list that outgrows its room moves to the end of the pool with twice as much; the pool closes its gaps when it
 * has to grow and half of it is gaps.
 */
export class PostingLists {
  /** Pools: list `l` holds positions `starts[l]` to `starts[l] + counts[l] - 1`. Replaced when they grow. */
  documents: Uint32Array;
  frequencies: Uint16Array;
  starts: Uint32Array;
  counts: Uint32Array;
  private rooms: Uint32Array;
  /** Number of lists, released ones included. */
  private size: number;
  /** Positions of the pools in use, of which `gaps` belong to no list any more. */
  private used: number;
  private gaps = 0;
  private free: number[] = [];

  /** Lists `offsets[l]` to `offsets[l + 1] - 1` of the two pools, which are copied; none when left out. */
  constructor(
    offsets: Uint32Array = new Uint32Array(1),
    documents: Uint32Array = new Uint32Array(0),
    frequencies: Uint16Array = new Uint16Array(0),
  ) {
    this.size = offsets.length - 1;
    this.documents = documents.slice();
    this.frequencies = frequencies.slice();
    this.starts = offsets.slice(0, this.size);
    this.counts = new Uint32Array(this.size);
    for (let list = 0; list < this.size; list++) this.counts[list] = offsets[list + 1]! - offsets[list]!;
    this.rooms = this.counts.slice();
    this.used = documents.length;
  }

  /** Positions that the lists have room for: no fewer than they hold. */
  get total(): number {
    return this.used - this.gaps;
  }

  /** A new empty list. */
  create(): number {
    const reused = this.free.pop();
    if (reused !== undefined) return reused;
    if (this.size === this.starts.length) {
      const room = Math.max(64, this.size * 2);
      this.starts = grown(this.starts, room);
      this.counts = grown(this.counts, room);
      this.rooms = grown(this.rooms, room);
    }
    return this.size++;
  }

  /** Gives an empty list back. */
  release(list: number): void {
    this.gaps += this.rooms[list]!;
    this.rooms[list] = 0;
    this.free.push(list);
  }

  /** Adds a posting for a document that the list does not hold. */
  insert(list: number, document: number, frequency: number): void {
    if (this.counts[list] === this.rooms[list]) this.widen(list);
    const end = this.starts[list]! + this.counts[list]!;
    const at = this.lowerBound(list, document);
    if (at < end) {
      this.documents.copyWithin(at + 1, at, end);
      this.frequencies.copyWithin(at + 1, at, end);
    }
    this.documents[at] = document;
    this.frequencies[at] = Math.min(frequency, MAX_FREQUENCY);
    this.counts[list]!++;
  }

  /** False when the list holds no such document. */
  remove(list: number, document: number): boolean {
    const end = this.starts[list]! + this.counts[list]!;
    const at = this.lowerBound(list, document);
    if (at === end || this.documents[at] !== document) return false;
    this.documents.copyWithin(at, at + 1, end);
    this.frequencies.copyWithin(at, at + 1, end);
    this.counts[list]!--;
    return true;
  }

  /** Position of the list's first posting with this document or a later one; its end when there is none. */
  lowerBound(list: number, document: number): number {
    let low = this.starts[list]!;
    let high = low + this.counts[list]!;
    if (high > low && this.documents[high - 1]! < document) return high;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.documents[middle]! < document) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  private widen(list: number): void {
    const room = Math.max(FIRST_ROOM, this.rooms[list]! * 2);
    if (this.used + room > this.documents.length) this.growPools(room);
    const from = this.starts[list]!;
    const to = from + this.counts[list]!;
    this.documents.copyWithin(this.used, from, to);
    this.frequencies.copyWithin(this.used, from, to);
    this.gaps += this.rooms[list]!;
    this.starts[list] = this.used;
    this.rooms[list] = room;
    this.used += room;
  }

  private growPools(extra: number): void {
    const room = this.gaps * 2 > this.used ? this.documents.length : this.documents.length * 2;
    const documents = new Uint32Array(Math.max(1024, room, this.used - this.gaps + extra));
    const frequencies = new Uint16Array(documents.length);
    let used = 0;
    for (let list = 0; list < this.size; list++) {
      const from = this.starts[list]!;
      const to = from + this.counts[list]!;
      documents.set(this.documents.subarray(from, to), used);
      frequencies.set(this.frequencies.subarray(from, to), used);
      this.starts[list] = used;
      used += this.rooms[list]!;
    }
    this.documents = documents;
    this.frequencies = frequencies;
    this.used = used;
    this.gaps = 0;
  }
}

function grown(array: Uint32Array, length: number): Uint32Array {
  const larger = new Uint32Array(length);
  larger.set(array);
  return larger;
}
