import { seededRandom } from '../core/random.ts';
import { centroid } from '../core/vectors.ts';
import { FlatIndex } from '../index/flat/flat-index.ts';

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
  return roughGroups(vectors, constants, random).flatMap((positions) => {
    const group = new Group(positions.map((i) => vectors[i]!));
    const k = Math.ceil(positions.length / constants.size);
    const clusters = softMembers(group, kMeans(group, k, constants.steps, random), constants);
    return clusters.map((members) => members.map((member) => positions[member]!));
  });
}

/** Vectors that are compared with centroids. */
class Group {
  private readonly index: FlatIndex;

  constructor(readonly vectors: readonly Float32Array[]) {
    this.index = new FlatIndex(vectors[0]!.length);
    for (const [i, vector] of vectors.entries()) this.index.add(i, vector);
  }

  /** Cosine of every vector with each centroid. */
  cosines(centroids: readonly Float32Array[]): Float32Array[] {
    return centroids.map((c) => this.index.scoreAll(c).scores.slice());
  }

  /** The members that each centroid is closest to; the first of equals. Empty ones are left out. */
  closest(centroids: readonly Float32Array[]): number[][] {
    const cosines = this.cosines(centroids);
    const groups: number[][] = centroids.map(() => []);
    for (let i = 0; i < this.vectors.length; i++) {
      let best = 0;
      for (let c = 1; c < cosines.length; c++) if (cosines[c]![i]! > cosines[best]![i]!) best = c;
      groups[best]!.push(i);
    }
    return groups.filter((group) => group.length > 0);
  }
}

function roughGroups(
  vectors: readonly Float32Array[],
  { size, roughAbove, steps }: SoftClustering,
  random: () => number,
): number[][] {
  if (vectors.length === 0) return [];
  if (vectors.length <= roughAbove) return [Array.from(vectors, (_, i) => i)];
  const group = new Group(vectors);
  return group.closest(kMeans(group, Math.ceil(Math.sqrt(vectors.length / size)), steps, random));
}

/** Centroids after some steps of k-means; fewer than `k` when a cluster runs empty. */
function kMeans(group: Group, k: number, steps: number, random: () => number): Float32Array[] {
  let centroids = firstCentroids(group, k, random);
  for (let step = 0; step < steps; step++) {
    centroids = group.closest(centroids).map((members) =>
      centroid(
        members.map((i) => group.vectors[i]!),
        group.vectors[0]!.length,
      ),
    );
  }
  return centroids;
}

/**
 * At most `k` vectors that differ, each drawn with a chance that grows with its distance from those before
 * (k-means++): equal vectors would make clusters that run empty.
 */
function firstCentroids(group: Group, k: number, random: () => number): Float32Array[] {
  const { vectors } = group;
  const chosen = [vectors[Math.floor(random() * vectors.length)]!];
  const distance = new Float64Array(vectors.length).fill(Number.POSITIVE_INFINITY);
  while (chosen.length < k) {
    const cosines = group.cosines(chosen.slice(-1))[0]!;
    let total = 0;
    for (let i = 0; i < distance.length; i++) {
      // Rounding leaves equal vectors a distance just off 0.
      const own = cosines[i]! > 1 - 1e-5 ? 0 : 1 - cosines[i]!;
      distance[i] = Math.min(distance[i]!, own);
      total += distance[i]!;
    }
    if (total === 0) break;
    chosen.push(vectors[draw(distance, random() * total)]!);
  }
  return chosen;
}

/** The position at which the running sum of `weights` passes `at`; the last one that has a weight if none does. */
function draw(weights: Float64Array, at: number): number {
  let sum = 0;
  let last = 0;
  for (let i = 0; i < weights.length; i++) {
    if (weights[i] === 0) continue;
    sum += weights[i]!;
    last = i;
    if (sum > at) break;
  }
  return last;
}

/** The members of each centroid's cluster: where they belong most, and where they belong likely enough. */
function softMembers(
  group: Group,
  centroids: readonly Float32Array[],
  { temperature, threshold }: SoftClustering,
): number[][] {
  const cosines = group.cosines(centroids);
  const clusters: number[][] = centroids.map(() => []);
  for (let i = 0; i < group.vectors.length; i++) {
    const best = cosines.reduce((most, of) => Math.max(most, of[i]!), -1);
    const weights = cosines.map((of) => Math.exp((of[i]! - best) / temperature));
    const total = weights.reduce((sum, weight) => sum + weight, 0);
    // The closest cluster has the weight 1.
    const least = Math.min(threshold * total, 1);
    for (const [c, weight] of weights.entries()) if (weight >= least) clusters[c]!.push(i);
  }
  return clusters.filter((cluster) => cluster.length > 0);
}
