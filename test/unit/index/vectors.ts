import { seededRandom } from '../../../src/core/random.ts';
import { normalise } from '../../../src/core/vectors.ts';

/** `count` unit vectors, one after the other; the same for the same seed. */
export function unitRows(count: number, dimension: number, seed: number): Float32Array {
  const random = seededRandom(seed);
  const rows = new Float32Array(count * dimension);
  for (let i = 0; i < count; i++) {
    const row = Float32Array.from({ length: dimension }, () => random() - 0.5);
    rows.set(normalise(row), i * dimension);
  }
  return rows;
}

export function unitVector(dimension: number, seed: number): Float32Array {
  return unitRows(1, dimension, seed);
}
