import { direction } from '../core/vectors.ts';
import { createKernel, LANES, type ScanKernel } from '../index/flat/scan-kernel.ts';
import type { VectorIndex } from '../index/vector-index.ts';

/**
 * The sum of each exchange's turn vectors, and the dot products of each sum with itself and those of the exchanges
 * behind it, up to `span` further on. Exchanges are given by their first turns.
 */
export class ExchangeSums {
  /** Of exchange x with x + d, at `x * (span + 1) + d`; means nothing beyond the last exchange. */
  products = new Float32Array(0);
  /** Holds room for a query or the products of one exchange, then a row an exchange, then a number an exchange. */
  private readonly memory: ScanKernel = createKernel();
  private readonly stride: number;
  /** Where the rows begin, and how many there is room for. */
  private readonly rows: number;
  private room = 0;

  constructor(
    private readonly dimension: number,
    private readonly span: number,
  ) {
    this.stride = Math.ceil(dimension / LANES) * LANES;
    this.rows = Math.max(this.stride, Math.ceil((span + 1) / LANES) * LANES);
  }

  /** The length of an exchange's sum; 0 where none of its turns has a vector. */
  lengthOf(x: number): number {
    return Math.sqrt(this.products[x * (this.span + 1)]!);
  }

  /** Sums exchanges from number `first` on anew. */
  update(starts: readonly number[], size: number, turns: VectorIndex, first: number): void {
    const { span, memory } = this;
    const count = starts.length;
    this.reserve(count);
    const { floats } = memory;
    const room = floats.subarray(0, this.dimension);
    for (let x = first; x < count; x++) this.sum(x, starts[x]!, starts[x + 1] ?? size, turns, room);
    for (let x = Math.max(0, first - span); x < count; x++) {
      const behind = Math.min(span + 1, count - x);
      memory.scan(this.rowAt(x), behind, this.stride, this.rowAt(x), 0, 0);
      for (let d = 0; d < behind; d++) this.products[x * (span + 1) + d] = floats[d]!;
    }
  }

  /**
   * How much like all others each of the first `count` exchanges is: the cosine of its sum to the mean of all, each
   * of them of length 1; 0 without vectors. In spaces of many dimensions, what lies near the middle is near to every
   * question (Radovanović et al. 2010, "Hubs in space").
   */
  commonness(count: number): Float64Array {
    const { memory, dimension } = this;
    const { floats } = memory;
    const mean = new Float64Array(dimension);
    for (let x = 0; x < count; x++) {
      const share = this.lengthOf(x) > 0 ? 1 / this.lengthOf(x) : 0;
      const at = this.rowAt(x);
      for (let i = 0; i < dimension; i++) mean[i]! += share * floats[at + i]!;
    }
    floats.fill(0, 0, this.stride).set(direction(mean));
    const out = this.rowAt(this.room);
    memory.scan(this.rowAt(0), count, this.stride, 0, 0, out);
    return Float64Array.from({ length: count }, (_, x) =>
      this.lengthOf(x) > 0 ? floats[out + x]! / this.lengthOf(x) : 0,
    );
  }

  /** `room`: where the kernel's memory holds a query, as a view that holds until `reserve`. */
  private sum(x: number, from: number, to: number, turns: VectorIndex, room: Float32Array): void {
    const { memory, stride } = this;
    const { floats } = memory;
    // The ends beyond the dimension count, too, and may hold what stood there before.
    floats.fill(0, 0, stride).fill(0, this.rowAt(x), this.rowAt(x) + stride);
    for (let turn = from; turn < to; turn++) {
      if (!turns.get(turn, room)) continue;
      memory.add(0, stride, 1, this.rowAt(x));
    }
  }

  private rowAt(x: number): number {
    return this.rows + x * this.stride;
  }

  private reserve(count: number): void {
    if (count <= this.room) return;
    const room = Math.ceil(count * 1.5);
    // First what may fail for want of memory.
    this.memory.reserve(this.rowAt(room) + room);
    const products = new Float32Array(room * (this.span + 1));
    products.set(this.products);
    this.products = products;
    this.room = room;
  }
}
