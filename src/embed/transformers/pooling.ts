import { normalise } from '../../core/vectors.ts';

/**
 * The unit vector of one row of a model's last hidden state.
 * `states` is [rows, columns, dimension]; `length` counts the row's tokens that are no padding.
 */
export function poolRow(
  states: Float32Array,
  row: number,
  columns: number,
  length: number,
  dimension: number,
  pooling: 'mean' | 'cls',
): Float32Array {
  const start = row * columns * dimension;
  if (pooling === 'cls') return normalise(states.subarray(start, start + dimension));
  const sum = new Float64Array(dimension);
  for (let token = 0; token < length; token++) {
    const at = start + token * dimension;
    for (let d = 0; d < dimension; d++) sum[d]! += states[at + d]!;
  }
  return normalise(Float32Array.from(sum, (x) => x / length));
}

/** The unit vector of a text from the vectors of its parts, weighted by their tokens. */
export function poolParts(vectors: readonly Float32Array[], weights: readonly number[]): Float32Array {
  if (vectors.length === 1) return vectors[0]!;
  const dimension = vectors[0]!.length;
  const sum = new Float64Array(dimension);
  vectors.forEach((vector, part) => {
    for (let d = 0; d < dimension; d++) sum[d]! += weights[part]! * vector[d]!;
  });
  return normalise(Float32Array.from(sum));
}

/** Tokens `from` to `to - 1` of one row of the last hidden state, each scaled to length 1, row after row. */
export function tokenRows(
  states: Float32Array,
  row: number,
  columns: number,
  from: number,
  to: number,
  dimension: number,
): Float32Array {
  const out = new Float32Array((to - from) * dimension);
  for (let token = from; token < to; token++) {
    const at = (row * columns + token) * dimension;
    out.set(normalise(states.subarray(at, at + dimension)), (token - from) * dimension);
  }
  return out;
}

/** Token rows of the parts of a text, one after the other. */
export function joinRows(parts: readonly Float32Array[]): Float32Array {
  const out = new Float32Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}
