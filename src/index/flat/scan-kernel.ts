import { createPlainKernel } from './plain-kernel.ts';
import { createSimdKernel, simdWorks } from './simd-kernel.ts';

/** Rows are padded with zeros to a multiple of this many floats: the lanes a kernel sums side by side. */
export const LANES = 16;

/** Other stretches are a multiple of this many floats long. */
export const QUAD = 4;

/**
 * Port: one growable block of float32 memory, and sums over parts of it. Every offset, length and step counts floats.
 * The SIMD and the plain kernel give the same bits.
 */
export interface ScanKernel {
  readonly kind: KernelKind;
  /** The memory. `reserve` may replace it, so it is never kept across calls. */
  readonly floats: Float32Array;
  /** Makes room for at least `length` floats and keeps those there are. Errors: `out-of-memory`. */
  reserve(length: number): void;
  /**
   * Writes to `out + i` the dot product of the row at `rows + i * stride` and the query at `query + i * step`,
   * for i from 0 to `count - 1`. `stride` is a multiple of LANES.
   */
  scan(rows: number, count: number, stride: number, query: number, step: number, out: number): void;
  /**
   * Writes to `out + i` the highest of the values at `values + i` on, each times its share: what the row at
   * `rows + i * stride` says in its place over `full`, and 1 at most. Where it says 0, the value is left out; minus
   * infinity where all are. Of a row the first `length` are read, a multiple of QUAD.
   */
  highest(
    rows: number,
    count: number,
    stride: number,
    length: number,
    values: number,
    full: number,
    out: number,
  ): void;
  /** Adds `factor` times the `length` floats at `row` to those at `out`; `length` is a multiple of QUAD. */
  add(row: number, length: number, factor: number, out: number): void;
  /** The sum of the `length` floats at `values`, each counted as 1 at most; `length` is a multiple of QUAD. */
  capped(values: number, length: number): number;
  /**
   * Adds to `out + i` what the value x at `values + i` makes of `weight` over the norm n at `norms + i`,
   * `weight * x / (x + n)`, for i from 0 to `length - 1`, a multiple of QUAD.
   */
  saturate(values: number, length: number, norms: number, weight: number, out: number): void;
}

export type KernelKind = 'simd' | 'plain';

/** The fastest kernel that works here, or the one asked for. */
export function createKernel(kind: KernelKind = simdWorks() ? 'simd' : 'plain'): ScanKernel {
  return kind === 'simd' ? createSimdKernel() : createPlainKernel();
}
