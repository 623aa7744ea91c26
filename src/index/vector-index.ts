/** One found item: `score` is the cosine of its vector and the query. */
export interface VectorHit {
  readonly id: number;
  readonly score: number;
}

/** Every item's score, `ids[i]` with `scores[i]`, in ascending order of id. */
export interface VectorScores {
  readonly ids: Int32Array;
  readonly scores: Float32Array;
}

/**
 * Port: vectors of length 1 under ids from 0 to 2^31 - 1, searched by cosine. Any number of them may be equal.
 * A zero vector (an erased turn's) is taken too and scores 0 against every query.
 *
 * Every method throws `wrong-dimension` for a vector of another dimension, and `bad-argument` for one with NaN or
 * an infinity in it; the index stays as it was.
 */
export interface VectorIndex {
  readonly dimension: number;
  readonly size: number;
  /** Adds an item, or replaces the one of the same id. */
  add(id: number, vector: Float32Array): void;
  /**
   * Adds `count` items under the ids `firstId`, `firstId + 1` and so on, as a thread is reopened. Their vectors stand
   * one after the other in `rows`; `count` left out is as many as `rows` holds.
   */
  addMany(firstId: number, rows: Float32Array, count?: number): void;
  /** False when there was no such item. */
  remove(id: number): boolean;
  /** A copy of the item's vector. `into`: room for it. */
  get(id: number, into?: Float32Array): Float32Array | undefined;
  /** The `k` best, highest score first; equal scores by ascending id. */
  search(query: Float32Array, k: number): VectorHit[];
  /** The score of every item. The arrays belong to the index and hold until its next call. */
  scoreAll(query: Float32Array): VectorScores;
  /** The scores of items `from` to `to - 1`, the same bits as from `scoreAll`; NaN for an id without an item. */
  scoreRange(query: Float32Array, from: number, to: number): Float32Array;
}

export type CreateVectorIndex = (dimension: number) => VectorIndex;
