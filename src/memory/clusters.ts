import { addTo, direction, dot } from '../core/vectors.ts';

/** Constants of cluster assignment (TSIM, M2). */
export interface Clustering {
  /** Cosine to the best centroid below which an episode founds a cluster of its own. */
  readonly assignThreshold: number;
  /** Clusters this close to the best one take the episode too. */
  readonly softMargin: number;
  /** Member episodes whose summaries make the cluster's own. Choice: the paper says "recent". */
  readonly summaryMembers: number;
}

/** An L2 cluster: member episodes in the order they joined. */
export interface Cluster {
  readonly id: number;
  readonly members: readonly number[];
}

/**
 * Assigns closed episodes to clusters as they come. A centroid is the mean of its members' summary vectors;
 * it serves only to assign, and is never searched.
 */
export class ClusterAssignment {
  readonly clusters: { id: number; members: number[] }[] = [];
  /** Sum of each cluster's member vectors, in the order they joined, and its direction. */
  private readonly sums: Float64Array[] = [];
  private readonly centroids: Float32Array[] = [];

  constructor(
    private readonly constants: Clustering,
    private readonly vectorOf: (episode: number) => Float32Array,
  ) {}

  /** Brings back clusters that were stored. */
  restore(clusters: readonly Cluster[]): void {
    for (const { id, members } of clusters) {
      this.clusters.push({ id, members: [...members] });
      this.recentre(id);
    }
  }

  /** Adds a closed episode; returns the ids of the clusters that took it. */
  assign(episode: number): number[] {
    const vector = this.vectorOf(episode);
    const ids = this.closest(vector);
    if (ids.length === 0) ids.push(this.found(vector.length));
    for (const id of ids) this.join(id, episode, vector);
    return ids;
  }

  /** Takes account of a member's new vector; returns the ids of the clusters that hold it. */
  refresh(episode: number): number[] {
    const holding = this.clusters.filter(({ members }) => members.includes(episode));
    for (const { id } of holding) this.recentre(id);
    return holding.map(({ id }) => id);
  }

  /** The best cluster and those within the margin, or none where even the best is too far. */
  private closest(vector: Float32Array): number[] {
    const { assignThreshold, softMargin } = this.constants;
    const similarities = this.centroids.map((c) => dot(vector, c));
    const best = similarities.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
    if (best < assignThreshold) return [];
    return [...similarities.keys()].filter((id) => similarities[id]! >= best - softMargin);
  }

  private found(dimension: number): number {
    const id = this.clusters.length;
    this.clusters.push({ id, members: [] });
    this.sums[id] = new Float64Array(dimension);
    return id;
  }

  private join(id: number, episode: number, vector: Float32Array): void {
    this.clusters[id]!.members.push(episode);
    addTo(this.sums[id]!, vector);
    this.centroids[id] = direction(this.sums[id]!);
  }

  /** Sums the members anew, in the order they joined, so that the sum is the same to the last bit. */
  private recentre(id: number): void {
    const vectors = this.clusters[id]!.members.map((member) => this.vectorOf(member));
    const sum = new Float64Array(vectors[0]!.length);
    for (const vector of vectors) addTo(sum, vector);
    this.sums[id] = sum;
    this.centroids[id] = direction(sum);
  }
}
