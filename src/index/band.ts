import { createKernel, type KernelKind, LANES, QUAD, type ScanKernel } from './flat/scan-kernel.ts';

const FIRST_ROOM = 64;

/**
 * Weights between neighbours: row x tells those of x - reach, ..., x + reach, 0 beyond the ends.
 *
 * The kernel's memory holds the rows, and behind them three areas for whoever computes with rows: of a number for
 * each x, behind `reach` numbers and before a row's length of them that stand for neighbours beyond the ends.
 */
export class Band {
  readonly kernel: ScanKernel;
  /** Numbers that a row has, and that are read of it where a kernel takes whole quads. */
  readonly width: number;
  readonly readWidth: number;
  count = 0;
  private readonly stride: number;
  private room = 0;

  /** @param kind forces a kernel; left out, the fastest that works here. */
  constructor(
    readonly reach: number,
    kind?: KernelKind,
  ) {
    this.kernel = createKernel(kind);
    this.width = 2 * reach + 1;
    this.readWidth = Math.ceil(this.width / QUAD) * QUAD;
    this.stride = Math.ceil(this.width / LANES) * LANES;
    this.reserve(FIRST_ROOM);
  }

  /** Makes `count` rows exist; those that are new are 0. Errors: `out-of-memory`, and nothing changed. */
  resize(count: number): void {
    if (count > this.room) this.reserve(Math.ceil(count * 1.5));
    if (count < this.count) this.kernel.floats.fill(0, this.rowAt(count), this.rowAt(this.count));
    this.count = count;
  }

  /** Row x, as a view that holds until the next `resize`. */
  row(x: number): Float32Array {
    return this.kernel.floats.subarray(this.rowAt(x), this.rowAt(x) + this.width);
  }

  /** Where row x begins in the kernel's memory. */
  rowAt(x: number): number {
    return x * this.stride;
  }

  /** Of every x the sum over its neighbours, each times its weight. `into`: room for it. */
  product(values: Float64Array, into?: Float64Array): Float64Array {
    const { input, output } = this.areas;
    this.write(input, 0, values);
    this.kernel.scan(this.rowAt(0), this.count, this.stride, input, 1, output);
    return this.read(output, into);
  }

  /**
   * Of every x the highest among its neighbours, each times its share: its weight over `full`, and 1 at most. Those of
   * weight 0 are none; minus infinity without any. `into`: room for it.
   */
  highest(values: Float64Array, full: number, into?: Float64Array): Float64Array {
    const { input, output } = this.areas;
    this.write(input, 0, values);
    this.kernel.highest(this.rowAt(0), this.count, this.stride, this.readWidth, input, full, output);
    return this.read(output, into);
  }

  /** Where the areas begin. The one to work in is all 0, and is left so. */
  get areas(): { readonly input: number; readonly work: number; readonly output: number } {
    const input = this.rowAt(this.room);
    return { input, work: input + this.areaLength, output: input + 2 * this.areaLength };
  }

  /** Fills an area with `beyond`, and writes the numbers of each x where they are given. */
  write(area: number, beyond: number, values?: Float64Array): void {
    const { floats } = this.kernel;
    floats.fill(beyond, area, area + this.count + this.reach + this.stride);
    if (values) floats.set(values, area + this.reach);
  }

  /** The number of each x from `from` on. `into`: room for them. */
  read(from: number, into: Float64Array = new Float64Array(this.count)): Float64Array {
    into.set(this.kernel.floats.subarray(from, from + this.count));
    return into;
  }

  private get areaLength(): number {
    return this.room + this.reach + this.stride;
  }

  private reserve(room: number): void {
    const { kernel } = this;
    const areas = this.rowAt(this.room);
    const held = 3 * this.areaLength;
    kernel.reserve(this.rowAt(room) + 3 * (room + this.reach + this.stride));
    if (this.room > 0) kernel.floats.fill(0, areas, areas + held);
    this.room = room;
    kernel.floats.fill(0, this.areas.work, this.areas.work + this.areaLength);
  }
}
