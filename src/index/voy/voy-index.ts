import type { Voy } from 'voy-search';
import { SkeinError } from '../../core/errors.ts';
import { dot, norm } from '../../core/vectors.ts';
import { checkCount, checkDimension, checkFinite, checkIndexDimension, checkRows } from '../checks.ts';
import { FlatIndex } from '../flat/flat-index.ts';
import type { VectorHit, VectorIndex, VectorScores } from '../vector-index.ts';
import { EqualVectors } from './equal-vectors.ts';
import { treePoint } from './tree-point.ts';
import { VoyPanic, type VoyRuntime } from './voy-runtime.ts';

/** voy drops the dimensions above this one without a word. */
export const VOY_MAX_DIMENSION = 768;

/** voy takes its vectors as JSON: so many at once keep that to a few megabytes. */
const BATCH = 256;

/** How far the square of a vector's length may be from 1; the tree orders by distance, the scores by cosine. */
const LENGTH_TOLERANCE = 1e-3;

/** Points asked for beyond `k`, because the tree's order may differ from that of the scores within the tolerance. */
const SPARE = 8;

/**
 * Search with voy's k-d tree, around its limits. The vectors of record stand in a flat index: it gives the scores
 * (voy gives none), answers `scoreAll`, and takes over when voy fails. Results equal the flat index's.
 *
 * Equal vectors are one point of the tree, and no two points agree on an axis (tree-point.ts), so the tree holds any
 * number of equal vectors; zero vectors, which all score 0, stay out of it. New vectors enter it at the next search.
 * A panic inside voy costs the tree, not the data: it is rebuilt, and when that fails too, `degraded` says why every
 * search is an exact scan from then on.
 */
export class VoyIndex implements VectorIndex {
  private readonly vectors: FlatIndex;
  private readonly equals = new EqualVectors((id) => this.vectors.get(id)!);
  private readonly zeros = new Set<number>();
  private tree: Voy | undefined;
  /** The runtime's generation the tree was made under. */
  private generation = 0;
  /** Points that the tree does not hold yet. */
  private readonly waiting = new Set<number>();
  private failure: string | undefined;

  /** Errors: `bad-argument` for more dimensions than voy can hold. */
  constructor(
    readonly dimension: number,
    private readonly runtime: VoyRuntime,
  ) {
    checkIndexDimension(dimension);
    if (dimension > VOY_MAX_DIMENSION) {
      throw new SkeinError(
        'bad-argument',
        `voy holds at most ${VOY_MAX_DIMENSION} dimensions and drops the rest; these vectors have ${dimension}.`,
        'Use the flat index for this model.',
      );
    }
    this.vectors = new FlatIndex(dimension);
  }

  get size(): number {
    return this.vectors.size;
  }

  /** Why the tree is out of use and every search is an exact scan; undefined while it works. */
  get degraded(): string | undefined {
    return this.failure;
  }

  /** Bytes of memory held, those of voy's other trees included. */
  get bytes(): number {
    return this.vectors.bytes + this.runtime.bytes;
  }

  /** Errors, besides the port's: `bad-argument` for a vector whose length is neither 1 nor 0. */
  add(id: number, vector: Float32Array): void {
    checkDimension(vector, this.dimension, `Vector ${id}`);
    checkFinite(vector, 0, vector.length, `Vector ${id}`);
    const isZero = checkLength(vector, id);
    const replaced = this.vectors.get(id);
    if (replaced) this.detach(id, replaced);
    this.vectors.add(id, vector);
    if (isZero) {
      this.zeros.add(id);
      return;
    }
    const point = this.equals.add(id, vector);
    if (point !== undefined) this.waiting.add(point);
  }

  /** Adds `count` vectors that stand one after the other in `rows`, under the ids `firstId`, `firstId + 1`, ... */
  addMany(firstId: number, rows: Float32Array, count = rows.length / this.dimension): void {
    checkRows(rows, count, this.dimension);
    for (let i = 0; i < count; i++) {
      this.add(firstId + i, rows.subarray(i * this.dimension, (i + 1) * this.dimension));
    }
  }

  remove(id: number): boolean {
    const vector = this.vectors.get(id);
    if (!vector) return false;
    this.detach(id, vector);
    return this.vectors.remove(id);
  }

  get(id: number, into?: Float32Array): Float32Array | undefined {
    return this.vectors.get(id, into);
  }

  search(query: Float32Array, k: number): VectorHit[] {
    checkCount(k);
    checkDimension(query, this.dimension, 'The query');
    checkFinite(query, 0, query.length, 'The query');
    const found = this.withTree(() => this.searchTree(query, k));
    return found ?? this.vectors.search(query, k);
  }

  scoreAll(query: Float32Array): VectorScores {
    return this.vectors.scoreAll(query);
  }

  scoreRange(query: Float32Array, from: number, to: number): Float32Array {
    return this.vectors.scoreRange(query, from, to);
  }

  /** Brings the tree up to date; the next search does it otherwise. */
  plant(): void {
    this.withTree(() => this.updateTree());
  }

  /** Gives the tree's memory back to voy. The index can be used on: the tree grows again when searched. */
  dispose(): void {
    if (this.tree && this.generation === this.runtime.generation) this.tree.free();
    this.loseTree();
  }

  /** Runs `work`, with a fresh tree if the first one fails, or not at all (undefined) when both do. */
  private withTree<T>(work: () => T): T | undefined {
    for (let tries = 0; tries < 2 && this.failure === undefined; tries++) {
      try {
        return work();
      } catch (error) {
        if (!(error instanceof VoyPanic)) throw error;
        this.loseTree();
        if (tries === 1) this.failure = `voy failed twice in a row: ${error.message}`;
      }
    }
    return undefined;
  }

  private loseTree(): void {
    this.tree = undefined;
    for (const point of this.equals.points) this.waiting.add(point);
  }

  private updateTree(): Voy {
    if (this.tree && this.generation !== this.runtime.generation) this.loseTree();
    this.generation = this.runtime.generation;
    const tree = this.tree ?? this.runtime.run(() => this.runtime.createTree());
    this.tree = tree;
    const points = [...this.waiting];
    for (let at = 0; at < points.length; at += BATCH) {
      const batch = points.slice(at, at + BATCH);
      const embeddings = batch.map((point) =>
        treePoint(point, this.vectors.get(this.equals.idsOf(point)[0]!)!),
      );
      this.runtime.run(() => tree.add({ embeddings }));
      for (const point of batch) this.waiting.delete(point);
    }
    return tree;
  }

  /** Takes `id` out of everything but the vectors of record. */
  private detach(id: number, vector: Float32Array): void {
    this.zeros.delete(id);
    const point = this.equals.remove(id);
    if (point === undefined || this.waiting.delete(point)) return;
    const { tree } = this;
    if (!tree || this.generation !== this.runtime.generation) return;
    try {
      this.runtime.run(() => tree.remove({ embeddings: [treePoint(point, vector)] }));
    } catch (error) {
      if (!(error instanceof VoyPanic)) throw error;
      this.loseTree();
    }
  }

  private searchTree(query: Float32Array, k: number): VectorHit[] {
    const tree = this.updateTree();
    if (k === 0) return [];
    const zeros = [...this.zeros].sort((a, b) => a - b).slice(0, k);
    const margin = 2 * LENGTH_TOLERANCE * Math.max(1, norm(query));
    for (let wanted = k + SPARE; ; wanted *= 2) {
      const { neighbors } = this.runtime.run(() => tree.search(query, wanted));
      const points = neighbors.map(({ id }) => this.equals.idsOf(Number(id)));
      const scores = this.vectors.scoreSome(
        query,
        points.map((ids) => ids[0]!),
      );
      const hits = points.flatMap((ids, i) => ids.slice(0, k).map((id) => ({ id, score: scores[i]! })));
      hits.push(...zeros.map((id) => ({ id, score: 0 })));
      hits.sort((a, b) => b.score - a.score || a.id - b.id);
      // A point left out can belong to the best only if it scores about as much as the worst that came.
      if (neighbors.length < wanted || hits[k - 1]!.score > Math.min(...scores) + margin)
        return hits.slice(0, k);
    }
  }
}

/** Whether the vector is zero; throws unless it is or its length is 1. */
function checkLength(vector: Float32Array, id: number): boolean {
  const square = dot(vector, vector);
  if (square === 0 || Math.abs(square - 1) <= LENGTH_TOLERANCE) return square === 0;
  throw new SkeinError(
    'bad-argument',
    `Vector ${id} has length ${Math.sqrt(square)}, not 1.`,
    'Normalise it.',
  );
}
