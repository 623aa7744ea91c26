import { mean } from '../bench/statistics.ts';
import { seededRandom } from '../core/random.ts';

/** A mean with its 95% percentile interval. */
export interface ClusteredMean {
  readonly mean: number;
  readonly low: number;
  readonly high: number;
  readonly clusters: number;
  readonly observations: number;
}

/**
 * Bootstrap over clusters: whole clusters (a probe with all its repeated observations) are drawn with replacement,
 * `resamples` times from the seeded source, so that asking the same probe more often makes nothing look surer. The
 * mean is over all observations of the drawn clusters.
 */
export function clusteredBootstrap(
  clusters: readonly (readonly number[])[],
  { seed = 1, resamples = 10_000 }: { seed?: number; resamples?: number } = {},
): ClusteredMean {
  const sums = clusters.map((values) => values.reduce((sum, value) => sum + value, 0));
  const observations = clusters.reduce((sum, { length }) => sum + length, 0);
  const base = { clusters: clusters.length, observations };
  if (observations === 0) return { mean: 0, low: 0, high: 0, ...base };
  const random = seededRandom(seed);
  const means = Float64Array.from({ length: resamples }, () => {
    let sum = 0;
    let count = 0;
    for (let i = 0; i < clusters.length; i++) {
      const drawn = Math.floor(random() * clusters.length);
      sum += sums[drawn]!;
      count += clusters[drawn]!.length;
    }
    return sum / count;
  }).sort();
  const at = (share: number) => means[Math.min(resamples - 1, Math.floor(share * resamples))]!;
  return { mean: mean(clusters.flat()), low: at(0.025), high: at(0.975), ...base };
}
