import { SkeinError } from '../core/errors.ts';

const OTHER_MODEL = 'Embed with the model the index was built with, or rebuild the index.';

/** Throws `bad-argument` unless `dimension` is a whole number above 0. */
export function checkIndexDimension(dimension: number): void {
  if (Number.isInteger(dimension) && dimension > 0) return;
  throw new SkeinError('bad-argument', `An index needs a whole dimension above 0, not ${dimension}.`);
}

/** Throws `wrong-dimension` unless `vector` has `dimension` floats; `what` names it in the message. */
export function checkDimension(vector: Float32Array, dimension: number, what: string): void {
  if (vector.length === dimension) return;
  throw new SkeinError(
    'wrong-dimension',
    `${what} has ${vector.length} dimensions, the index has ${dimension}.`,
    OTHER_MODEL,
  );
}

/** Throws `wrong-dimension` unless `rows` holds `count` vectors of `dimension` floats. */
export function checkRows(rows: Float32Array, count: number, dimension: number): void {
  if (Number.isInteger(count) && rows.length === count * dimension) return;
  const found = Number.isInteger(count)
    ? `The ${count} vectors have ${rows.length / count} dimensions each`
    : `The vectors have ${rows.length} floats together, no multiple of ${dimension}`;
  throw new SkeinError('wrong-dimension', `${found}; the index has ${dimension} dimensions.`, OTHER_MODEL);
}

/** Throws `bad-argument` when floats `from` to `to - 1` of `vector` hold NaN or an infinity. */
export function checkFinite(vector: Float32Array, from: number, to: number, what: string): void {
  // A sum of squares is finite only when every part is, and costs less than a test of each.
  let squares = 0;
  for (let i = from; i < to; i++) squares += vector[i]! * vector[i]!;
  if (Number.isFinite(squares)) return;
  throw new SkeinError(
    'bad-argument',
    `${what} holds NaN or an infinite number.`,
    'The embedder is broken on this device: choose another backend.',
  );
}

/** Throws `bad-argument` unless `id` is a whole number from 0 to 2^31 - 1. */
export function checkId(id: number): void {
  if (Number.isInteger(id) && id >= 0 && id <= 0x7fffffff) return;
  throw new SkeinError('bad-argument', `An id is a whole number from 0 to 2147483647, not ${id}.`);
}

/** Throws `bad-argument` unless `k` is a whole number, 0 or more. */
export function checkCount(k: number): void {
  if (Number.isInteger(k) && k >= 0) return;
  throw new SkeinError('bad-argument', `The number of results is a whole number, 0 or more, not ${k}.`);
}

/** Runs `grow`, which makes room for `floats` floats, and turns its failure into `out-of-memory`. */
export function orOutOfMemory<T>(floats: number, grow: () => T): T {
  try {
    return grow();
  } catch (cause) {
    throw new SkeinError(
      'out-of-memory',
      `There is no room for an index of ${Math.ceil((floats * 4) / 2 ** 20)} MiB.`,
      'Close other tabs, or split the thread. Nothing that was stored is lost.',
      { cause },
    );
  }
}
