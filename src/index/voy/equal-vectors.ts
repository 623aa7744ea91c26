/** Ids under which the same vector was added, as one numbered point. */
interface Point {
  readonly number: number;
  readonly hash: number;
  /** Ascending, never empty. */
  readonly ids: number[];
}

/** Folds equal vectors: every id belongs to the point of its vector. It keeps ids only, not the vectors. */
export class EqualVectors {
  private readonly byHash = new Map<number, Point[]>();
  private readonly byId = new Map<number, Point>();
  private readonly byNumber = new Map<number, Point>();
  private made = 0;

  /** @param vectorOf gives the vector of an id added before. */
  constructor(private readonly vectorOf: (id: number) => Float32Array) {}

  get points(): Iterable<number> {
    return this.byNumber.keys();
  }

  /** Adds an id that is not there yet, and returns its point when no other id had that vector. */
  add(id: number, vector: Float32Array): number | undefined {
    const hash = hashOf(vector);
    const bucket = this.byHash.get(hash) ?? [];
    const equal = bucket.find((point) => sameBits(this.vectorOf(point.ids[0]!), vector));
    if (equal) {
      insertAscending(equal.ids, id);
      this.byId.set(id, equal);
      return undefined;
    }
    const point = { number: this.made++, hash, ids: [id] };
    bucket.push(point);
    this.byHash.set(hash, bucket);
    this.byId.set(id, point);
    this.byNumber.set(point.number, point);
    return point.number;
  }

  /** Removes an id, and returns its point when that was the last id of it. */
  remove(id: number): number | undefined {
    const point = this.byId.get(id);
    if (!point) return undefined;
    this.byId.delete(id);
    point.ids.splice(point.ids.indexOf(id), 1);
    if (point.ids.length > 0) return undefined;
    this.byNumber.delete(point.number);
    const rest = this.byHash.get(point.hash)!.filter((other) => other !== point);
    if (rest.length > 0) this.byHash.set(point.hash, rest);
    else this.byHash.delete(point.hash);
    return point.number;
  }

  /** The ids of a point, ascending. */
  idsOf(point: number): readonly number[] {
    return this.byNumber.get(point)?.ids ?? [];
  }
}

function insertAscending(ids: number[], id: number): void {
  let at = ids.length;
  while (at > 0 && ids[at - 1]! > id) at--;
  ids.splice(at, 0, id);
}

function bitsOf(vector: Float32Array): Uint32Array {
  return new Uint32Array(vector.buffer, vector.byteOffset, vector.length);
}

function sameBits(a: Float32Array, b: Float32Array): boolean {
  const bits = bitsOf(b);
  return bitsOf(a).every((word, i) => word === bits[i]);
}

/** A hash of 53 bits, made of two FNV-1a hashes over 32-bit words. */
function hashOf(vector: Float32Array): number {
  let high = 0x811c9dc5;
  let low = 0x9747b28c;
  for (const word of bitsOf(vector)) {
    high = Math.imul(high ^ word, 0x01000193);
    low = Math.imul(low ^ (word >>> 16) ^ (word << 16), 0x01000193);
    low ^= low >>> 15;
  }
  return (high >>> 11) * 2 ** 32 + (low >>> 0);
}
