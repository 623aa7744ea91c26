import { seededRandom, shuffled } from '../core/random.ts';
import { centroid, dot } from '../core/vectors.ts';

/** Constants of the soft clustering. */
export interface SoftClustering {
  /** Items a cluster has on average, before soft members. */
  readonly size: number;
  /** Item lists longer than this are divided into rough groups first, about the square root of their number. */
  readonly roughAbove: number;
  /** Steps of k-means. */
  readonly steps: number;
  /** An item joins every cluster of its group to which it belongs with at least this probability. */
  readonly threshold: number;
  /** Spread of the probabilities, in cosine: how much closer one cluster must be to win clearly. */
  readonly temperature: number;
  readonly seed: number;
}

/**
 * Divides unit vectors into clusters that may share members: k-means by cosine within rough groups, then soft
 * assignment by exp(cosine / temperature). Returns lists of positions, ascending. Costs about n^1.5 steps.
 */
export function softClusters(vectors: readonly Float32Array[], constants: SoftClustering): number[][] {
  const random = seededRandom(constants.seed);
  const everyone = Array.from(vectors, (_, i) => i);
  return roughGroups(vectors, everyone, constants, random).flatMap((group) => {
    const k = Math.ceil(group.length / constants.size);
    return softMembers(vectors, group, kMeans(vectors, group, k, constants.steps, random), constants);
  });
}

function roughGroups(
  vectors: readonly Float32Array[],
  items: readonly number[],
  { size, roughAbove, steps }: SoftClustering,
  random: () => number,
): number[][] {
  if (items.length <= roughAbove) return [[...items]];
  const k = Math.ceil(Math.sqrt(items.length / size));
  const centroids = kMeans(vectors, items, k, steps, random);
  return members(vectors, items, centroids).filter((group) => group.length > 0);
}

/** Centroids of `items` after some steps of k-means; fewer than `k` when a cluster runs empty. */
function kMeans(
  vectors: readonly Float32Array[],
  items: readonly number[],
  k: number,
  steps: number,
  random: () => number,
): Float32Array[] {
  let centroids = shuffled(items, random)
    .slice(0, k)
    .map((item) => vectors[item]!);
  for (let step = 0; step < steps; step++) {
    centroids = members(vectors, items, centroids)
      .filter((group) => group.length > 0)
      .map((group) =>
        centroid(
          group.map((item) => vectors[item]!),
          vectors[0]!.length,
        ),
      );
  }
  return centroids;
}

/** The items that each centroid is closest to; the first of equals. */
function members(
  vectors: readonly Float32Array[],
  items: readonly number[],
  centroids: readonly Float32Array[],
): number[][] {
  const groups: number[][] = centroids.map(() => []);
  for (const item of items) {
    let best = 0;
    let bestCosine = Number.NEGATIVE_INFINITY;
    for (const [i, c] of centroids.entries()) {
      const cosine = dot(vectors[item]!, c);
      if (cosine > bestCosine) [best, bestCosine] = [i, cosine];
    }
    groups[best]!.push(item);
  }
  return groups;
}

function softMembers(
  vectors: readonly Float32Array[],
  items: readonly number[],
  centroids: readonly Float32Array[],
  { temperature, threshold }: SoftClustering,
): number[][] {
  const groups: number[][] = centroids.map(() => []);
  for (const item of items) {
    const cosines = centroids.map((c) => dot(vectors[item]!, c));
    const best = Math.max(...cosines);
    const weights = cosines.map((cosine) => Math.exp((cosine - best) / temperature));
    const total = weights.reduce((sum, weight) => sum + weight, 0);
    const most = Math.max(...weights) / total;
    for (const [i, weight] of weights.entries()) {
      if (weight / total >= Math.min(threshold, most)) groups[i]!.push(item);
    }
  }
  return groups.filter((group) => group.length > 0);
}
