import { seededRandom } from '../core/random.ts';

/** The 97.5% point of the normal distribution: intervals hold 95%. */
const Z = 1.959963984540054;

/** A share with its Wilson 95% interval. Of nothing, the share is 0 and the interval all there is. */
export interface Proportion {
  readonly hits: number;
  readonly of: number;
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

/** `hits` of `of` with the Wilson score interval. */
export function proportion(hits: number, of: number): Proportion {
  if (of === 0) return { hits, of, value: 0, low: 0, high: 1 };
  const share = hits / of;
  const z2 = Z * Z;
  const scale = 1 + z2 / of;
  const centre = (share + z2 / (2 * of)) / scale;
  const half = (Z / scale) * Math.sqrt((share * (1 - share)) / of + z2 / (4 * of * of));
  const low = hits === 0 ? 0 : centre - half;
  const high = hits === of ? 1 : centre + half;
  return { hits, of, value: share, low, high };
}

/** The share of `true` among `flags`. */
export function shareOf(flags: readonly boolean[]): Proportion {
  return proportion(flags.filter(Boolean).length, flags.length);
}

export interface Distribution {
  readonly mean: number;
  readonly median: number;
  readonly p95: number;
  readonly max: number;
}

/** Mean, median, 95% point (interpolated between the two nearest values) and maximum; all 0 without values. */
export function distribution(values: readonly number[]): Distribution {
  const sorted = [...values].sort((a, b) => a - b);
  return {
    mean: mean(sorted),
    median: quantile(sorted, 0.5),
    p95: quantile(sorted, 0.95),
    max: sorted.at(-1) ?? 0,
  };
}

export function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}

function quantile(sorted: readonly number[], share: number): number {
  if (sorted.length === 0) return 0;
  const at = (sorted.length - 1) * share;
  const low = sorted[Math.floor(at)]!;
  return low + (sorted[Math.ceil(at)]! - low) * (at - Math.floor(at));
}

/** Mean difference `a - b` over pairs with its 95% percentile interval. */
export interface PairedDifference {
  readonly difference: number;
  readonly low: number;
  readonly high: number;
}

/** Paired bootstrap: pairs are drawn with replacement, `resamples` times, from the seeded source. */
export function pairedBootstrap(
  a: readonly number[],
  b: readonly number[],
  { seed = 1, resamples = 10_000 }: { seed?: number; resamples?: number } = {},
): PairedDifference {
  const differences = a.map((value, i) => value - b[i]!);
  const n = differences.length;
  if (n === 0) return { difference: 0, low: 0, high: 0 };
  const random = seededRandom(seed);
  const means = Array.from({ length: resamples }, () => {
    let sum = 0;
    for (let i = 0; i < n; i++) sum += differences[Math.floor(random() * n)]!;
    return sum / n;
  }).sort((x, y) => x - y);
  return { difference: mean(differences), low: quantile(means, 0.025), high: quantile(means, 0.975) };
}

export interface McNemar {
  /** Pairs that only `a` has right, and only `b`. */
  readonly onlyA: number;
  readonly onlyB: number;
  /** Two-sided exact probability under equal systems. */
  readonly p: number;
}

/** Exact McNemar test: a sign test on the discordant pairs. */
export function mcNemar(a: readonly boolean[], b: readonly boolean[]): McNemar {
  let onlyA = 0;
  let onlyB = 0;
  a.forEach((right, i) => {
    if (right && !b[i]) onlyA++;
    else if (!right && b[i]) onlyB++;
  });
  const n = onlyA + onlyB;
  let tail = 0;
  // Binomial terms in logarithms, so that thousands of pairs do not underflow.
  let logTerm = -n * Math.LN2;
  for (let i = 0; i <= Math.min(onlyA, onlyB); i++) {
    tail += Math.exp(logTerm);
    logTerm += Math.log(n - i) - Math.log(i + 1);
  }
  return { onlyA, onlyB, p: Math.min(1, 2 * tail) };
}
