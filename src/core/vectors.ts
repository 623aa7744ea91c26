/** Dot product of two vectors of the same length. */
export function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  return sum;
}

/** Euclidean length. */
export function norm(a: Float32Array): number {
  return Math.sqrt(dot(a, a));
}

/** `a` scaled to length 1; a zero vector stays zero. */
export function normalise(a: Float32Array): Float32Array {
  const length = norm(a);
  if (length === 0) return new Float32Array(a.length);
  const out = new Float32Array(a.length);
  for (let i = 0; i < a.length; i++) out[i] = a[i]! / length;
  return out;
}

/** Mean of the vectors scaled to length 1, or zero when there are none or they cancel out. */
export function centroid(vectors: readonly Float32Array[], dimension: number): Float32Array {
  const sum = new Float64Array(dimension);
  for (const vector of vectors) addTo(sum, vector);
  return direction(sum);
}

/** Adds `vector` to a running sum of the same length. */
export function addTo(sum: Float64Array, vector: Float32Array): void {
  for (let i = 0; i < sum.length; i++) sum[i]! += vector[i]!;
}

/** A sum of vectors scaled to length 1, or zero when they cancel out. */
export function direction(sum: Float64Array): Float32Array {
  let squares = 0;
  for (const x of sum) squares += x * x;
  const out = new Float32Array(sum.length);
  if (squares === 0) return out;
  const length = Math.sqrt(squares);
  for (let i = 0; i < sum.length; i++) out[i] = sum[i]! / length;
  return out;
}
