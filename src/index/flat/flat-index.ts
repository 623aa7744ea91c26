import { SkeinError } from '../../core/errors.ts';
import {
  checkCount,
  checkDimension,
  checkFinite,
  checkId,
  checkIndexDimension,
  checkRows,
} from '../checks.ts';
import { topK } from '../top-k.ts';
import type { VectorHit, VectorIndex, VectorScores } from '../vector-index.ts';
import { createKernel, type KernelKind, LANES, type ScanKernel } from './scan-kernel.ts';

const FIRST_CAPACITY = 256;
const REMOVED = -1;

/**
 * Exact search: scores every vector, in WebAssembly SIMD or, where that is missing, in plain JavaScript with
 * the same bits. Vectors have length 1, so a score is a dot product; a zero vector scores 0 against everything.
 *
 * The kernel's memory holds the query, then one row a vector, then room for a score a row. Rows stand in the
 * order of their ids. What breaks the order (a removal, an id below the last one) is put right by the next
 * query, once for any number of changes.
 */
export class FlatIndex implements VectorIndex {
  private readonly memory: ScanKernel;
  private readonly stride: number;
  private readonly rowOf = new Map<number, number>();
  private ids = new Int32Array(FIRST_CAPACITY);
  /** Rows in use, removed ones included. */
  private rows = 0;
  private ordered = true;

  /** @param kernel forces a kernel; left out, the fastest that works here. */
  constructor(
    readonly dimension: number,
    kernel?: KernelKind,
  ) {
    checkIndexDimension(dimension);
    this.memory = createKernel(kernel);
    this.stride = Math.ceil(dimension / LANES) * LANES;
    this.memory.reserve(this.scoresAt + FIRST_CAPACITY);
  }

  get size(): number {
    return this.rowOf.size;
  }

  get kernel(): KernelKind {
    return this.memory.kind;
  }

  /** Bytes of memory held for vectors, ids and scores. */
  get bytes(): number {
    return this.memory.floats.byteLength + this.ids.byteLength;
  }

  add(id: number, vector: Float32Array): void {
    checkId(id);
    checkDimension(vector, this.dimension, `Vector ${id}`);
    checkFinite(vector, 0, vector.length, `Vector ${id}`);
    this.writeRow(id, vector);
  }

  /**
   * Adds `count` vectors, that stand one after the other in `rows`, under the ids `firstId`, `firstId + 1` and so
   * on. Either all are added or, when one is refused, none.
   */
  addMany(firstId: number, rows: Float32Array, count = rows.length / this.dimension): void {
    checkRows(rows, count, this.dimension);
    if (count === 0) return;
    checkId(firstId);
    checkId(firstId + count - 1);
    for (let i = 0; i < count; i++) {
      checkFinite(rows, i * this.dimension, (i + 1) * this.dimension, `Vector ${firstId + i}`);
    }
    this.reserveRows(this.rows + count);
    const last = this.rows > 0 ? this.ids[this.rows - 1]! : REMOVED;
    if (this.ordered && this.stride === this.dimension && firstId > last) {
      this.appendAll(firstId, rows, count);
    } else {
      for (let i = 0; i < count; i++) {
        this.writeRow(firstId + i, rows.subarray(i * this.dimension, (i + 1) * this.dimension));
      }
    }
  }

  /** Adds rows that stand as the memory has them, under ids behind all others: in one piece. */
  private appendAll(firstId: number, rows: Float32Array, count: number): void {
    this.memory.floats.set(rows.subarray(0, count * this.dimension), this.rowAt(this.rows));
    for (let i = 0; i < count; i++) this.appendRow(firstId + i);
  }

  remove(id: number): boolean {
    const row = this.rowOf.get(id);
    if (row === undefined) return false;
    this.rowOf.delete(id);
    this.ids[row] = REMOVED;
    // Now, not when the rows are next put in order: what is removed may have been erased by its owner.
    this.memory.floats.fill(0, this.rowAt(row), this.rowAt(row + 1));
    if (row === this.rows - 1) this.rows--;
    else this.ordered = false;
    return true;
  }

  /** A copy of the vector of `id`. `into`: room for it. */
  get(id: number, into?: Float32Array): Float32Array | undefined {
    const row = this.rowOf.get(id);
    if (row === undefined) return undefined;
    const copy = into ?? new Float32Array(this.dimension);
    copy.set(this.memory.floats.subarray(this.rowAt(row), this.rowAt(row) + this.dimension));
    return copy;
  }

  search(query: Float32Array, k: number): VectorHit[] {
    checkCount(k);
    const { ids, scores } = this.scoreAll(query);
    return topK(scores, scores.length, k).map((row) => ({ id: ids[row]!, score: scores[row]! }));
  }

  scoreAll(query: Float32Array): VectorScores {
    this.setQuery(query);
    if (!this.ordered) this.putInOrder();
    const at = this.scoresAt;
    this.memory.scan(this.rowAt(0), this.rows, this.stride, 0, 0, at);
    return { ids: this.ids.subarray(0, this.rows), scores: this.memory.floats.subarray(at, at + this.rows) };
  }

  /** The scores of `ids` alone, in their order. An unknown id is an error (`not-found`). */
  scoreSome(query: Float32Array, ids: readonly number[]): Float32Array {
    this.setQuery(query);
    return Float32Array.from(ids, (id) => {
      const score = this.scoreOf(id);
      if (score === undefined) throw new SkeinError('not-found', `The index holds no vector ${id}.`);
      return score;
    });
  }

  scoreRange(query: Float32Array, from: number, to: number): Float32Array {
    this.setQuery(query);
    if (!this.ordered) this.putInOrder();
    const out = new Float32Array(to - from).fill(Number.NaN);
    const row = this.firstRow(from);
    const end = this.firstRow(to);
    const at = this.scoresAt;
    this.memory.scan(this.rowAt(row), end - row, this.stride, 0, 0, at);
    for (let i = row; i < end; i++) out[this.ids[i]! - from] = this.memory.floats[at + i - row]!;
    return out;
  }

  /** The first row of that id or a later one; rows must be in order. */
  private firstRow(id: number): number {
    let low = 0;
    let high = this.rows;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.ids[middle]! < id) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** The score of one item against the query that is set. */
  private scoreOf(id: number): number | undefined {
    const row = this.rowOf.get(id);
    if (row === undefined) return undefined;
    this.memory.scan(this.rowAt(row), 1, this.stride, 0, 0, this.scoresAt);
    return this.memory.floats[this.scoresAt]!;
  }

  private setQuery(query: Float32Array): void {
    checkDimension(query, this.dimension, 'The query');
    checkFinite(query, 0, query.length, 'The query');
    this.memory.floats.set(query, 0);
  }

  /** Where row `row` begins. */
  private rowAt(row: number): number {
    return this.stride * (row + 1);
  }

  /** Where the scores begin: behind the last row there is room for. */
  private get scoresAt(): number {
    return this.rowAt(this.ids.length);
  }

  private appendRow(id: number): number {
    this.reserveRows(this.rows + 1);
    const row = this.rows;
    if (row > 0 && this.ids[row - 1]! >= id) this.ordered = false;
    this.ids[row] = id;
    this.rowOf.set(id, row);
    this.rows++;
    return row;
  }

  private writeRow(id: number, vector: Float32Array): void {
    const row = this.rowOf.get(id) ?? this.appendRow(id);
    const at = this.rowAt(row);
    this.memory.floats.set(vector, at);
    this.memory.floats.fill(0, at + this.dimension, at + this.stride);
  }

  private reserveRows(rows: number): void {
    if (rows <= this.ids.length) return;
    const capacity = Math.max(rows, Math.ceil(this.ids.length * 1.5));
    this.memory.reserve(this.rowAt(capacity) + capacity);
    const ids = new Int32Array(capacity);
    ids.set(this.ids);
    this.ids = ids;
  }

  /** Closes the gaps of removed rows and sorts the rest by id. */
  private putInOrder(): void {
    const live = this.closeGaps();
    if (live > 1) this.sortRows(live);
    // Rows that moved leave copies behind, which a later removal would not reach.
    this.memory.floats.fill(0, this.rowAt(live), this.rowAt(this.rows));
    this.rows = live;
    this.ordered = true;
  }

  private closeGaps(): number {
    let live = 0;
    for (let row = 0; row < this.rows; row++) {
      if (this.ids[row] === REMOVED) continue;
      if (row !== live) this.moveRow(row, live);
      live++;
    }
    return live;
  }

  /** Moves each row to its place along the cycles of the permutation, so that one spare row is enough. */
  private sortRows(count: number): void {
    const { floats } = this.memory;
    const order = Int32Array.from({ length: count }, (_, row) => row).sort(
      (a, b) => this.ids[a]! - this.ids[b]!,
    );
    for (let start = 0; start < count; start++) {
      if (order[start] === start) continue;
      const spareId = this.ids[start]!;
      const spare = floats.slice(this.rowAt(start), this.rowAt(start + 1));
      let to = start;
      for (let from = order[to]!; from !== start; from = order[to]!) {
        this.moveRow(from, to);
        order[to] = to;
        to = from;
      }
      order[to] = to;
      floats.set(spare, this.rowAt(to));
      this.ids[to] = spareId;
      this.rowOf.set(spareId, to);
    }
  }

  private moveRow(from: number, to: number): void {
    this.memory.floats.copyWithin(this.rowAt(to), this.rowAt(from), this.rowAt(from + 1));
    const id = this.ids[from]!;
    this.ids[to] = id;
    this.rowOf.set(id, to);
  }
}
