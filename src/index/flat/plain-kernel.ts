import { orOutOfMemory } from '../checks.ts';
import type { ScanKernel } from './scan-kernel.ts';

/** The kernel for places without WebAssembly SIMD: the same sums in plain JavaScript. */
export function createPlainKernel(): ScanKernel {
  let floats = new Float32Array(0);
  return {
    kind: 'plain',
    get floats() {
      return floats;
    },
    reserve(length) {
      if (length <= floats.length) return;
      const grown = orOutOfMemory(length, () => new Float32Array(length));
      grown.set(floats);
      floats = grown;
    },
    scan(rows, count, stride, query, step, out) {
      for (let i = 0; i < count; i++) {
        floats[out + i] = dotInLanes(floats, rows + i * stride, query + i * step, stride);
      }
    },
    highest(rows, count, stride, length, values, full, out) {
      for (let i = 0; i < count; i++) {
        floats[out + i] = highestOf(floats, rows + i * stride, length, values + i, f(1 / f(full)));
      }
    },
    add(row, length, factor, out) {
      for (let i = 0; i < length; i++) floats[out + i] = floats[out + i]! + f(floats[row + i]! * f(factor));
    },
    capped: (values, length) => cappedInLanes(floats, values, length),
    saturate(values, length, norms, weight, out) {
      for (let i = 0; i < length; i++) {
        const value = floats[values + i]!;
        const share = f(f(f(weight) * value) / f(value + floats[norms + i]!));
        floats[out + i] = floats[out + i]! + share;
      }
    },
  };
}

const f = Math.fround;

/** Rounds to float32 after every operation and adds in the order of kernel/scan.ts: 16 lanes, then pairwise. */
function dotInLanes(x: Float32Array, a: number, b: number, length: number): number {
  let s0 = f(0);
  let s1 = f(0);
  let s2 = f(0);
  let s3 = f(0);
  let s4 = f(0);
  let s5 = f(0);
  let s6 = f(0);
  let s7 = f(0);
  let s8 = f(0);
  let s9 = f(0);
  let s10 = f(0);
  let s11 = f(0);
  let s12 = f(0);
  let s13 = f(0);
  let s14 = f(0);
  let s15 = f(0);
  for (let i = 0; i < length; i += 16) {
    s0 = f(s0 + f(x[a + i]! * x[b + i]!));
    s1 = f(s1 + f(x[a + i + 1]! * x[b + i + 1]!));
    s2 = f(s2 + f(x[a + i + 2]! * x[b + i + 2]!));
    s3 = f(s3 + f(x[a + i + 3]! * x[b + i + 3]!));
    s4 = f(s4 + f(x[a + i + 4]! * x[b + i + 4]!));
    s5 = f(s5 + f(x[a + i + 5]! * x[b + i + 5]!));
    s6 = f(s6 + f(x[a + i + 6]! * x[b + i + 6]!));
    s7 = f(s7 + f(x[a + i + 7]! * x[b + i + 7]!));
    s8 = f(s8 + f(x[a + i + 8]! * x[b + i + 8]!));
    s9 = f(s9 + f(x[a + i + 9]! * x[b + i + 9]!));
    s10 = f(s10 + f(x[a + i + 10]! * x[b + i + 10]!));
    s11 = f(s11 + f(x[a + i + 11]! * x[b + i + 11]!));
    s12 = f(s12 + f(x[a + i + 12]! * x[b + i + 12]!));
    s13 = f(s13 + f(x[a + i + 13]! * x[b + i + 13]!));
    s14 = f(s14 + f(x[a + i + 14]! * x[b + i + 14]!));
    s15 = f(s15 + f(x[a + i + 15]! * x[b + i + 15]!));
  }
  const t0 = f(f(s0 + s4) + f(s8 + s12));
  const t1 = f(f(s1 + s5) + f(s9 + s13));
  const t2 = f(f(s2 + s6) + f(s10 + s14));
  const t3 = f(f(s3 + s7) + f(s11 + s15));
  return f(f(t0 + t1) + f(t2 + t3));
}

function highestOf(x: Float32Array, row: number, length: number, values: number, inverse: number): number {
  let best = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < length; i++) {
    if (x[row + i]! > 0) best = Math.max(best, f(Math.min(1, f(x[row + i]! * inverse)) * x[values + i]!));
  }
  return best;
}

/** Adds in the order of kernel/scan.ts: 4 lanes, then pairwise. */
function cappedInLanes(x: Float32Array, values: number, length: number): number {
  const lanes = [f(0), f(0), f(0), f(0)];
  for (let i = 0; i < length; i++) lanes[i % 4] = f(lanes[i % 4]! + Math.min(1, x[values + i]!));
  return f(f(lanes[0]! + lanes[1]!) + f(lanes[2]! + lanes[3]!));
}
