import type { VectorIndex } from '../index/vector-index.ts';

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
  /** Ties of exchange x to x - reach, ..., x + reach, row after row; 1 to itself, 0 beyond the thread's ends. */
  weights = new Float32Array(0);
  /** Length of the weighted sum of the turn vectors of all that x is tied to. */
  lengths = new Float64Array(0);
  /** Sum of each exchange's turn vectors, and the sum's length. */
  private sums = new Float32Array(0);
  sumLengths = new Float64Array(0);
  private direct = new Float32Array(0);
  private count = 0;

  constructor(
    private readonly constants: NearTying,
    private readonly dimension: number,
  ) {}

  get reach(): number {
    return this.constants.reach;
  }

  /** Takes account of turns from `changedFrom` on being new or changed. */
  update(starts: readonly number[], size: number, turns: VectorIndex, changedFrom: number): void {
    let first = Math.min(this.count, starts.length);
    while (first > 0 && endOf(starts, first - 1, size) > changedFrom) first--;
    this.resize(starts.length);
    this.count = starts.length;
    for (let x = first; x < this.count; x++) this.sum(x, starts[x]!, endOf(starts, x, size), turns);
    const { reach } = this.constants;
    for (let x = Math.max(0, first - reach); x < this.count; x++) this.tieDirectly(x);
    for (let x = Math.max(0, first - reach); x < this.count; x++) this.tie(x);
    for (let x = Math.max(0, first - 2 * reach); x < this.count; x++) this.measure(x);
  }

  private sum(x: number, from: number, to: number, turns: VectorIndex): void {
    const { dimension } = this;
    const sum = this.sums.subarray(x * dimension, (x + 1) * dimension).fill(0);
    for (let turn = from; turn < to; turn++) {
      const vector = turns.get(turn);
      if (vector) for (let i = 0; i < dimension; i++) sum[i]! += vector[i]!;
    }
    this.sumLengths[x] = lengthOf(sum);
  }

  /** Ties x to those behind it; those before it have done so. */
  private tieDirectly(x: number): void {
    const { reach, middle, width } = this.constants;
    const row = 2 * reach + 1;
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
    const row = 2 * reach + 1;
    let ways = this.direct.slice(x * row, (x + 1) * row);
    for (let step = 0; step < steps; step++) {
      const next = ways.slice();
      for (let over = -reach; over <= reach; over++) {
        const way = ways[reach + over]!;
        if (way < least) continue;
        const onwards = (x + over) * row + reach;
        for (let d = Math.max(-reach, over - reach); d <= Math.min(reach, over + reach); d++) {
          const longer = way * this.direct[onwards + d - over]!;
          if (longer > next[reach + d]!) next[reach + d] = longer;
        }
      }
      ways = next;
    }
    for (let i = 0; i < row; i++) this.weights[x * row + i] = ways[i]! >= least ? ways[i]! : 0;
  }

  private measure(x: number): void {
    const { dimension, sums, weights } = this;
    const { reach } = this.constants;
    const sum = new Float64Array(dimension);
    for (let y = Math.max(0, x - reach); y <= Math.min(this.count - 1, x + reach); y++) {
      const weight = weights[x * (2 * reach + 1) + reach + y - x]!;
      if (weight === 0) continue;
      const at = y * dimension;
      for (let i = 0; i < dimension; i++) sum[i]! += weight * sums[at + i]!;
    }
    this.lengths[x] = lengthOf(sum);
  }

  /** Cosine of two exchanges; 0 where one has no vector. */
  cosine(x: number, y: number): number {
    const { dimension, sums } = this;
    const lengths = this.sumLengths[x]! * this.sumLengths[y]!;
    if (lengths === 0) return 0;
    let sum = 0;
    for (let i = 0; i < dimension; i++) sum += sums[x * dimension + i]! * sums[y * dimension + i]!;
    return sum / lengths;
  }

  /** The tie of two exchanges. */
  between(x: number, y: number): number {
    const { reach } = this.constants;
    const d = y - x;
    return d < -reach || d > reach ? 0 : this.weights[x * (2 * reach + 1) + reach + d]!;
  }

  private resize(count: number): void {
    const row = 2 * this.constants.reach + 1;
    this.sums = resized(this.sums, count * this.dimension);
    this.direct = resized(this.direct, count * row);
    this.weights = resized(this.weights, count * row);
    this.sumLengths = resized64(this.sumLengths, count);
    this.lengths = resized64(this.lengths, count);
  }
}

function endOf(starts: readonly number[], x: number, size: number): number {
  return starts[x + 1] ?? size;
}

function lengthOf(vector: Float32Array | Float64Array): number {
  let squares = 0;
  for (let i = 0; i < vector.length; i++) squares += vector[i]! ** 2;
  return Math.sqrt(squares);
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
