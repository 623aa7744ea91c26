/**
 * Sums over rows of float32. Compiled to WebAssembly by scripts/build-kernel.ts.
 *
 * All addresses and steps are in bytes and set by the caller; nothing is allocated here. plain-kernel.ts repeats the
 * order of every sum, so that both give the same bits.
 */

/**
 * Dot products of rows with a query that moves on by `step` from one row to the next. A row is `stride` bytes, a
 * multiple of 64, padded with zeros. It is summed in 16 lanes (four vectors), and the lanes are added pairwise at the
 * end.
 */
export function scan(
  rows: usize,
  count: usize,
  stride: usize,
  query: usize,
  step: usize,
  out: usize,
): void {
  // Rows are taken from four places in turn: memory hands out four streams faster than one where they are not in the
  // cache. A query that moves on goes with short rows, which are.
  const quarter: usize = step === 0 ? count >> 2 : 0;
  for (let i: usize = 0; i < quarter; i++) {
    for (let at = i; at < 4 * quarter; at += quarter) {
      store<f32>(out + (at << 2), dot(rows + at * stride, stride, query));
    }
  }
  for (let i: usize = 4 * quarter; i < count; i++) {
    store<f32>(out + (i << 2), dot(rows + i * stride, stride, query + i * step));
  }
}

// @ts-ignore: a decorator of AssemblyScript
@inline
function dot(row: usize, stride: usize, query: usize): f32 {
  let sum0 = f32x4.splat(0);
  let sum1 = f32x4.splat(0);
  let sum2 = f32x4.splat(0);
  let sum3 = f32x4.splat(0);
  for (let at: usize = 0; at < stride; at += 64) {
    const a = row + at;
    const b = query + at;
    sum0 = f32x4.add(sum0, f32x4.mul(v128.load(a), v128.load(b)));
    sum1 = f32x4.add(sum1, f32x4.mul(v128.load(a, 16), v128.load(b, 16)));
    sum2 = f32x4.add(sum2, f32x4.mul(v128.load(a, 32), v128.load(b, 32)));
    sum3 = f32x4.add(sum3, f32x4.mul(v128.load(a, 48), v128.load(b, 48)));
  }
  return sumOfLanes(f32x4.add(f32x4.add(sum0, sum1), f32x4.add(sum2, sum3)));
}

/**
 * The highest of the values under each row, each times what the row says or, from `full` on, in full; those where it
 * says 0 are left out, and a row of nothing else gives minus infinity. The values move on by one from one row to the
 * next. Of a row `length` bytes are read, a multiple of 16.
 */
export function highest(
  rows: usize,
  count: usize,
  stride: usize,
  length: usize,
  values: usize,
  full: f32,
  out: usize,
): void {
  const none = f32x4.splat(-Infinity);
  const zero = f32x4.splat(0);
  const one = f32x4.splat(1);
  const inverse = f32x4.splat(<f32>1 / full);
  for (let i: usize = 0; i < count; i++) {
    const row = rows + i * stride;
    const under = values + (i << 2);
    let best = none;
    for (let at: usize = 0; at < length; at += 16) {
      const weight = v128.load(row + at);
      const share = f32x4.min(one, f32x4.mul(weight, inverse));
      const value = f32x4.mul(share, v128.load(under + at));
      best = f32x4.pmax(best, v128.bitselect(value, none, f32x4.gt(weight, zero)));
    }
    const left = max<f32>(f32x4.extract_lane(best, 0), f32x4.extract_lane(best, 1));
    const right = max<f32>(f32x4.extract_lane(best, 2), f32x4.extract_lane(best, 3));
    store<f32>(out + (i << 2), max<f32>(left, right));
  }
}

/** Adds to `out` the row times `factor`; `length` is a multiple of 16. */
export function add(row: usize, length: usize, factor: f32, out: usize): void {
  const factors = f32x4.splat(factor);
  for (let at: usize = 0; at < length; at += 16) {
    v128.store(out + at, f32x4.add(v128.load(out + at), f32x4.mul(v128.load(row + at), factors)));
  }
}

/** The sum of the values, each of them counted as 1 at most; `length` is a multiple of 16. */
export function capped(values: usize, length: usize): f32 {
  const one = f32x4.splat(1);
  let sum = f32x4.splat(0);
  for (let at: usize = 0; at < length; at += 16) sum = f32x4.add(sum, f32x4.min(one, v128.load(values + at)));
  return sumOfLanes(sum);
}

/** Adds to `out`, for every value x and its norm n, `weight * x / (x + n)`; `length` is a multiple of 16. */
export function saturate(values: usize, length: usize, norms: usize, weight: f32, out: usize): void {
  const weights = f32x4.splat(weight);
  for (let at: usize = 0; at < length; at += 16) {
    const value = v128.load(values + at);
    const share = f32x4.div(f32x4.mul(weights, value), f32x4.add(value, v128.load(norms + at)));
    v128.store(out + at, f32x4.add(v128.load(out + at), share));
  }
}

// @ts-ignore: a decorator of AssemblyScript
@inline
function sumOfLanes(sum: v128): f32 {
  return (
    f32x4.extract_lane(sum, 0) +
    f32x4.extract_lane(sum, 1) +
    (f32x4.extract_lane(sum, 2) + f32x4.extract_lane(sum, 3))
  );
}
