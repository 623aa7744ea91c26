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
 * Port: unit-length vectors under integer ids, searched by cosine.
 * Every method throws `wrong-dimension` for a vector of another length.
 */
export interface VectorIndex {
  readonly dimension: number;
  readonly size: number;
  /** Adds an item, or replaces the one of the same id. */
  add(id: number, vector: Float32Array): void;
  /** False when there was no such item. */
  remove(id: number): boolean;
  get(id: number): Float32Array | undefined;
  /** The `k` best, highest score first; equal scores by ascending id. */
  search(query: Float32Array, k: number): VectorHit[];
  /** The score of every item. The arrays belong to the index and hold until its next call. */
  scoreAll(query: Float32Array): VectorScores;
}

export type CreateVectorIndex = (dimension: number) => VectorIndex;
