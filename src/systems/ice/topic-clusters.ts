import { addTo, direction, dot } from '../../core/vectors.ts';
import { topK } from '../../index/top-k.ts';
import { ICE } from './constants.ts';

interface TopicCluster {
  readonly conversation: string | undefined;
  readonly members: number[];
  readonly sum: Float64Array;
  /** Unit length. */
  centroid: Float32Array;
}

/** Topical groups of pairs inside each conversation. A pair joins the closest one, or founds its own. */
export class TopicClusters {
  private readonly clusters: TopicCluster[] = [];
  private clustered = 0;

  /** Pairs before this one have their cluster. */
  get size(): number {
    return this.clustered;
  }

  get count(): number {
    return this.clusters.length;
  }

  /** Takes the next pair. */
  add(vector: Float32Array, conversation: string | undefined): void {
    let best: TopicCluster | undefined;
    let closest: number = ICE.clusters.founding;
    for (const cluster of this.clusters) {
      if (cluster.conversation !== conversation) continue;
      const similarity = dot(vector, cluster.centroid);
      if (similarity >= closest) [best, closest] = [cluster, similarity];
    }
    if (!best) {
      best = { conversation, members: [], sum: new Float64Array(vector.length), centroid: vector };
      this.clusters.push(best);
    }
    best.members.push(this.clustered++);
    addTo(best.sum, vector);
    best.centroid = direction(best.sum);
  }

  /** Pairs of the clusters closest to the question. */
  around(question: Float32Array): Set<number> {
    const scores = this.clusters.map(({ centroid }) => dot(question, centroid));
    const chosen = topK(scores, scores.length, ICE.clusters.searched);
    return new Set(chosen.flatMap((cluster) => this.clusters[cluster]!.members));
  }
}
