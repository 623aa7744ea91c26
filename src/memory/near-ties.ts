import { Band } from '../index/band.ts';
import type { VectorIndex } from '../index/vector-index.ts';
import { ExchangeSums } from './exchange-sums.ts';

/** How exchanges that stand near one another are tied to a conversation. */
export interface NearTying {
  /** Exchanges to either side that one may be tied to. */
  readonly reach: number;
  /** Cosine at which two exchanges are as likely tied as not, and how fast that turns. */
  readonly middle: number;
  readonly width: number;
  /** A weaker tie counts as none. */
  readonly least: number;
  /** Steps that a tie may take over exchanges between. */
  readonly steps: number;
}

/**
 * Ties between near exchanges: from 0 (nothing to do with one another) to 1 (itself). Two exchanges are tied
 * directly by their cosine, as `1 / (1 + exp((middle - cosine) / width))`, or over others between them, as the
 * product along the best way. So a terse reply is tied to a conversation over its neighbours, and two conversations
 * that take turns stay apart.
 *
 * Exchanges are given by their first turns. All of it follows from the turns' vectors; nothing is stored.
 */
export class NearTies {
  /** The ties of each exchange to those near it; 1 to itself. */
  readonly band: Band;
  /** Length of the weighted sum of the turn vectors of all that x is tied to. */
  lengths = new Float64Array(0);
  /** Length of the sum of each exchange's turn vectors. */
  sumLengths = new Float64Array(0);
  private readonly sums: ExchangeSums;
  private direct = new Float32Array(0);
  /** Room for the ways of one exchange, before and after a step. */
  private readonly ways: readonly [Float32Array, Float32Array];
  private count = 0;

  constructor(
    private readonly constants: NearTying,
    dimension: number,
  ) {
    // Two exchanges that a third is tied to are at most twice its reach apart.
    this.sums = new ExchangeSums(dimension, 2 * constants.reach);
    this.band = new Band(constants.reach);
    this.ways = [new Float32Array(this.band.width), new Float32Array(this.band.width)];
  }

  /** Takes account of turns from `changedFrom` on being new or changed. */
  update(starts: readonly number[], size: number, turns: VectorIndex, changedFrom: number): void {
    let first = Math.min(this.count, starts.length);
    while (first > 0 && endOf(starts, first - 1, size) > changedFrom) first--;
    this.resize(starts.length);
    this.count = starts.length;
    this.sums.update(starts, size, turns, first);
    for (let x = first; x < this.count; x++) this.sumLengths[x] = this.sums.lengthOf(x);
    const { reach } = this.constants;
    for (let x = Math.max(0, first - reach); x < this.count; x++) this.tieDirectly(x);
    for (let x = Math.max(0, first - reach); x < this.count; x++) this.tie(x);
    for (let x = Math.max(0, first - 2 * reach); x < this.count; x++) this.lengths[x] = this.lengthAround(x);
  }

  /** Ties x to those behind it; those before it have done so. */
  private tieDirectly(x: number): void {
    const { reach, middle, width } = this.constants;
    const row = this.band.width;
    this.direct[x * row + reach] = 1;
    for (let d = 1; d <= reach; d++) {
      const y = x + d;
      const tie = y < this.count ? 1 / (1 + Math.exp((middle - this.cosine(x, y)) / width)) : 0;
      this.direct[x * row + reach + d] = tie;
      if (y < this.count) this.direct[y * row + reach - d] = tie;
    }
    for (let d = x + 1; d <= reach; d++) this.direct[x * row + reach - d] = 0;
  }

  /** The best way from x to each near exchange, over at most `steps` others. */
  private tie(x: number): void {
    const { reach, least, steps } = this.constants;
    const { width } = this.band;
    let [ways, next] = this.ways;
    for (let i = 0; i < width; i++) ways[i] = this.direct[x * width + i]!;
    for (let step = 0; step < steps; step++) {
      next.set(ways);
      for (let over = -reach; over <= reach; over++) {
        const way = ways[reach + over]!;
        if (way < least) continue;
        const onwards = (x + over) * width + reach;
        for (let d = Math.max(-reach, over - reach); d <= Math.min(reach, over + reach); d++) {
          const longer = way * this.direct[onwards + d - over]!;
          if (longer > next[reach + d]!) next[reach + d] = longer;
        }
      }
      [ways, next] = [next, ways];
    }
    const row = this.band.row(x);
    for (let i = 0; i < width; i++) row[i] = ways[i]! >= least ? ways[i]! : 0;
  }

  /** Length of the weighted sum of all that x is tied to, from the products of its summands. */
  private lengthAround(x: number): number {
    const { count } = this;
    const { reach } = this.constants;
    const { products } = this.sums;
    const weights = this.band.row(x);
    const row = reach - x;
    const to = Math.min(count - 1, x + reach);
    let squares = 0;
    for (let y = Math.max(0, x - reach); y <= to; y++) {
      const weight = weights[row + y]!;
      if (weight === 0) continue;
      const at = y * (2 * reach + 1) - y;
      let sum = 0;
      for (let z = y + 1; z <= to; z++) sum += weights[row + z]! * products[at + z]!;
      squares += weight * (weight * products[at + y]! + 2 * sum);
    }
    // Summands may cancel out but for rounding.
    return Math.sqrt(Math.max(0, squares));
  }

  /** Cosine of x and a later exchange within reach; 0 where one has no vector. */
  private cosine(x: number, y: number): number {
    const lengths = this.sumLengths[x]! * this.sumLengths[y]!;
    return lengths === 0 ? 0 : this.sums.products[x * (2 * this.constants.reach + 1) + y - x]! / lengths;
  }

  /** How much like all others each exchange is (see `ExchangeSums`). */
  commonness(): Float64Array {
    return this.sums.commonness(this.count);
  }

  /** The tie of two exchanges. */
  between(x: number, y: number): number {
    const { reach } = this.constants;
    const d = y - x;
    return d < -reach || d > reach ? 0 : this.band.kernel.floats[this.band.rowAt(x) + reach + d]!;
  }

  private resize(count: number): void {
    this.direct = resized(this.direct, count * this.band.width);
    this.band.resize(count);
    this.sumLengths = resized64(this.sumLengths, count);
    this.lengths = resized64(this.lengths, count);
  }
}

function endOf(starts: readonly number[], x: number, size: number): number {
  return starts[x + 1] ?? size;
}

/** `array` where it is long enough, or a longer one with room to grow; what is beyond `length` means nothing. */
function resized(array: Float32Array<ArrayBuffer>, length: number): Float32Array<ArrayBuffer> {
  if (array.length >= length) return array;
  const longer = new Float32Array(Math.max(length, Math.ceil(array.length * 1.5)));
  longer.set(array);
  return longer;
}

function resized64(array: Float64Array<ArrayBuffer>, length: number): Float64Array<ArrayBuffer> {
  if (array.length >= length) return array;
  const longer = new Float64Array(Math.max(length, Math.ceil(array.length * 1.5)));
  longer.set(array);
  return longer;
}
