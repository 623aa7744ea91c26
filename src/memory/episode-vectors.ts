import type { Turn } from '../core/turn.ts';
import { unreachable } from '../core/unreachable.ts';
import type { Embedder } from '../embed/embedder.ts';
import type { ClusterRecord } from '../store/records.ts';
import { ClusterAssignment } from './clusters.ts';
import type { Configuration } from './configurations.ts';
import type { EpisodeList } from './episode-list.ts';
import { clusterText, summaryText } from './summaries.ts';
import type { ThreadViews } from './thread-views.ts';

/** What the views of episodes and clusters are made from. */
export interface EpisodeVectorSources {
  readonly configuration: Configuration;
  readonly embedder: Embedder;
  readonly episodes: EpisodeList;
  readonly views: ThreadViews;
  readTurns(from: number, to: number): Promise<Turn[]>;
}

/** Keeps the episode and cluster views (M2) in step with the episodes, one way for each configuration. */
export interface EpisodeVectors {
  /** Brings back what was stored. */
  restore(clusters: readonly ClusterRecord[]): void;
  /** Makes the vectors of these episodes anew; returns the clusters that changed. */
  update(episodes: readonly number[], signal?: AbortSignal): Promise<ClusterRecord[]>;
}

export function createEpisodeVectors(sources: EpisodeVectorSources): EpisodeVectors {
  const { episodeVector } = sources.configuration;
  switch (episodeVector) {
    case 'mean':
      return new MeanVectors(sources);
    case 'summary':
      return new SummaryVectors(sources);
    case 'none':
      return NO_VECTORS;
    default:
      return unreachable(episodeVector);
  }
}

/** For a ranking that looks at turns alone. */
const NO_VECTORS: EpisodeVectors = {
  restore() {},
  async update() {
    return [];
  },
};

/** An episode is the mean of its turns: nothing more is embedded, nothing more is stored. */
class MeanVectors implements EpisodeVectors {
  constructor(private readonly sources: EpisodeVectorSources) {}

  restore(): void {
    for (const { id } of this.sources.episodes.all) this.sources.views.setMean(id);
  }

  async update(episodes: readonly number[]): Promise<ClusterRecord[]> {
    for (const id of episodes) this.sources.views.setMean(id);
    return [];
  }
}

/** TSIM: an episode is its embedded summary, and closed episodes gather in clusters with summaries of their own. */
class SummaryVectors implements EpisodeVectors {
  private readonly assignment: ClusterAssignment | undefined;
  private readonly assigned = new Set<number>();

  constructor(private readonly sources: EpisodeVectorSources) {
    const { clustering } = sources.configuration;
    const vectorOf = (episode: number) => sources.views.episodes.get(episode)!;
    this.assignment = clustering && new ClusterAssignment(clustering, vectorOf);
  }

  restore(clusters: readonly ClusterRecord[]): void {
    const { episodes, views } = this.sources;
    for (const { id, summary } of episodes.all) if (summary) views.episodes.add(id, summary);
    this.assignment?.restore(clusters);
    for (const { id, members, vector } of clusters) {
      views.clusterVectors.add(id, vector);
      for (const member of members) this.assigned.add(member);
    }
    this.showClusters();
  }

  async update(episodes: readonly number[], signal?: AbortSignal): Promise<ClusterRecord[]> {
    await this.embedSummaries(episodes, signal);
    const touched = new Set<number>();
    for (const id of episodes) for (const cluster of this.cluster(id)) touched.add(cluster);
    return this.embedClusters([...touched], signal);
  }

  private async embedSummaries(ids: readonly number[], signal?: AbortSignal): Promise<void> {
    const { embedder, episodes, views } = this.sources;
    const texts = await Promise.all(ids.map((id) => this.summaryOf(id)));
    const vectors = await embedder.embed(texts, { kind: 'passage', signal });
    ids.forEach((id, i) => {
      episodes.put({ ...episodes.at(id)!, summary: vectors[i]! });
      views.episodes.add(id, vectors[i]!);
    });
  }

  private async summaryOf(id: number): Promise<string> {
    const { start, end } = this.sources.episodes.at(id)!;
    return summaryText(id, await this.sources.readTurns(start, end));
  }

  /** The clusters whose summary an episode changes: those it joins when it closes, or is a member of. */
  private cluster(id: number): number[] {
    if (!this.assignment || !this.sources.episodes.at(id)!.closed) return [];
    if (this.assigned.has(id)) return this.assignment.refresh(id);
    this.assigned.add(id);
    return this.assignment.assign(id);
  }

  private async embedClusters(ids: readonly number[], signal?: AbortSignal): Promise<ClusterRecord[]> {
    const { configuration, embedder, views } = this.sources;
    if (!this.assignment || ids.length === 0) return [];
    const { summaryMembers } = configuration.clustering!;
    const clusters = ids.map((id) => this.assignment!.clusters[id]!);
    const texts = await Promise.all(
      clusters.map(async ({ members }) => {
        const recent = members.slice(-summaryMembers).reverse();
        return clusterText(await Promise.all(recent.map((m) => this.summaryOf(m))));
      }),
    );
    const vectors = await embedder.embed(texts, { kind: 'passage', signal });
    const records = clusters.map(({ id, members }, i) => ({
      id,
      members: [...members],
      vector: vectors[i]!,
    }));
    for (const { id, vector } of records) views.clusterVectors.add(id, vector);
    this.showClusters();
    return records;
  }

  private showClusters(): void {
    if (this.assignment) this.sources.views.clusters = this.assignment.clusters;
  }
}
