import { centroid, dot } from '../core/vectors.ts';

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
  private readonly centroids: Float32Array[] = [];

  constructor(
    private readonly constants: Clustering,
    private readonly vectorOf: (episode: number) => Float32Array,
  ) {}

  /** Brings back clusters that were stored. */
  restore(clusters: readonly Cluster[]): void {
    for (const cluster of clusters) {
      this.clusters.push({ id: cluster.id, members: [...cluster.members] });
      this.centroids.push(this.centroidOf(cluster.members));
    }
  }

  /** Adds a closed episode; returns the ids of the clusters that took it. */
  assign(episode: number): number[] {
    const vector = this.vectorOf(episode);
    const similarities = this.centroids.map((c) => dot(vector, c));
    const best = Math.max(-Infinity, ...similarities);
    if (best < this.constants.assignThreshold) return [this.found(episode, vector)];
    const joined = this.clusters.filter((_, i) => similarities[i]! >= best - this.constants.softMargin);
    for (const cluster of joined) {
      cluster.members.push(episode);
      this.centroids[cluster.id] = this.centroidOf(cluster.members);
    }
    return joined.map((cluster) => cluster.id);
  }

  private found(episode: number, vector: Float32Array): number {
    const id = this.clusters.length;
    this.clusters.push({ id, members: [episode] });
    this.centroids.push(vector);
    return id;
  }

  private centroidOf(members: readonly number[]): Float32Array {
    const vectors = members.map((m) => this.vectorOf(m));
    return centroid(vectors, vectors[0]!.length);
  }
}
