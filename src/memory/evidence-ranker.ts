import { dot } from '../core/vectors.ts';
import type { VectorHit } from '../index/vector-index.ts';
import { bestEpisodes, type RankedEpisode, type Ranker, type RankerQuery } from './ranker.ts';
import { episodeOf, type Views } from './views.ts';

/** Constants of M3 (TSIM section 4 and Table 17). */
export interface EvidenceRanking {
  readonly kind: 'evidence';
  readonly rawHits: number;
  readonly summaryHits: number;
  readonly clusterHits: number;
  readonly rawWeight: number;
  readonly summaryWeight: number;
  readonly clusterWeight: number;
  /** lambda_sem: weight of semantic spreading from the seeds. */
  readonly spreadWeight: number;
  /** lambda_l: weight of each cluster that expands to the episode. */
  readonly expansionWeight: number;
  /** Episodes a cluster or a seed expands to. */
  readonly expansion: number;
  /** Choice: the paper says "top local candidates" without a number. */
  readonly seeds: number;
}

interface Evidence {
  raw: number;
  summary: number;
  cluster: number;
  semantic: number;
}

/**
 * M3, evidence-first ranking: score = w_r raw + w_s summary + w_l cluster + semantic.
 * The parts are reported weighted, so that they sum to the score.
 */
export class EvidenceRanker implements Ranker {
  constructor(private readonly constants: EvidenceRanking) {}

  rank(query: RankerQuery, views: Views, k: number): RankedEpisode[] {
    const evidence = new Map<number, Evidence>();
    this.addRaw(query, views, evidence);
    this.addSummaries(query, views, evidence);
    this.addClusters(query, views, evidence);
    this.spread(query, views, evidence);
    const ranked = [...evidence].map(([episode, parts]) => ({
      episode,
      score: total(parts),
      parts: { ...parts },
    }));
    return bestEpisodes(ranked, k);
  }

  private addRaw(query: RankerQuery, views: Views, evidence: Map<number, Evidence>): void {
    const { rawHits, rawWeight } = this.constants;
    const eligible = (turn: number) => views.isEligible(episodeOf(views.starts, turn));
    for (const hit of searchEligible(views.turns, query.vector, rawHits, eligible)) {
      of(evidence, episodeOf(views.starts, hit.id)).raw += rawWeight * hit.score;
    }
  }

  private addSummaries(query: RankerQuery, views: Views, evidence: Map<number, Evidence>): void {
    const { summaryHits, summaryWeight } = this.constants;
    const eligible = (episode: number) => views.isEligible(episode);
    for (const hit of searchEligible(views.episodes, query.vector, summaryHits, eligible)) {
      of(evidence, hit.id).summary += summaryWeight * hit.score;
    }
  }

  private addClusters(query: RankerQuery, views: Views, evidence: Map<number, Evidence>): void {
    const { clusterHits, clusterWeight, expansionWeight } = this.constants;
    const members = (cluster: number) => views.clusters[cluster]!.members;
    const eligible = (cluster: number) => members(cluster).some((member) => views.isEligible(member));
    for (const hit of searchEligible(views.clusterVectors, query.vector, clusterHits, eligible)) {
      for (const episode of this.expand(members(hit.id), query.vector, views)) {
        of(evidence, episode).cluster += clusterWeight * expansionWeight;
      }
    }
  }

  /** The members whose summaries are closest to the query. */
  private expand(members: readonly number[], query: Float32Array, views: Views): number[] {
    return members
      .filter((m) => views.isEligible(m))
      .map((m) => ({ m, score: dot(query, views.episodes.get(m)!) }))
      .sort((a, b) => b.score - a.score || a.m - b.m)
      .slice(0, this.constants.expansion)
      .map(({ m }) => m);
  }

  private spread(query: RankerQuery, views: Views, evidence: Map<number, Evidence>): void {
    const local = [...evidence].map(([episode, parts]) => ({ episode, score: total(parts), parts: {} }));
    for (const { episode: seed } of bestEpisodes(local, this.constants.seeds)) {
      const vector = views.episodes.get(seed);
      if (!vector) continue;
      const closeness = dot(query.vector, vector);
      const eligible = (episode: number) => episode !== seed && views.isEligible(episode);
      for (const hit of searchEligible(views.episodes, vector, this.constants.expansion, eligible)) {
        of(evidence, hit.id).semantic += this.constants.spreadWeight * closeness * hit.score;
      }
    }
  }
}

function of(evidence: Map<number, Evidence>, episode: number): Evidence {
  let parts = evidence.get(episode);
  if (!parts) {
    parts = { raw: 0, summary: 0, cluster: 0, semantic: 0 };
    evidence.set(episode, parts);
  }
  return parts;
}

function total(parts: Evidence): number {
  return parts.raw + parts.summary + parts.cluster + parts.semantic;
}

/** The `k` best eligible items; asks the index for more until enough are eligible or all were seen. */
function searchEligible(
  index: { readonly size: number; search(query: Float32Array, k: number): VectorHit[] },
  query: Float32Array,
  k: number,
  eligible: (id: number) => boolean,
): VectorHit[] {
  for (let ask = k + 1; ; ask *= 2) {
    const hits = index.search(query, ask);
    const kept = hits.filter((hit) => eligible(hit.id));
    if (kept.length >= k || hits.length < ask) return kept.slice(0, k);
  }
}
