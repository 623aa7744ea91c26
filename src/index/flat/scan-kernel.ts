import { createPlainKernel } from './plain-kernel.ts';
import { createSimdKernel, simdWorks } from './simd-kernel.ts';

/** Rows are padded with zeros to a multiple of this many floats: the lanes a kernel sums side by side. */
export const LANES = 16;

/**
 * Port: one growable block of float32 memory, and the dot products of one part of it with another.
 * Every offset counts floats. The SIMD and the plain kernel give the same bits.
 */
export interface ScanKernel {
  readonly kind: KernelKind;
  /** The memory. `reserve` may replace it, so it is never kept across calls. */
  readonly floats: Float32Array;
  /** Makes room for at least `length` floats and keeps those there are. Errors: `out-of-memory`. */
  reserve(length: number): void;
  /**
   * Writes to `out + i` the dot product of the row at `rows + i * stride` and the query at `query`,
   * for i from 0 to `count - 1`. `stride` is a multiple of LANES.
   */
  scan(rows: number, count: number, stride: number, query: number, out: number): void;
}

export type KernelKind = 'simd' | 'plain';

/** The fastest kernel that works here, or the one asked for. */
export function createKernel(kind: KernelKind = simdWorks() ? 'simd' : 'plain'): ScanKernel {
  return kind === 'simd' ? createSimdKernel() : createPlainKernel();
}
