import { unreachable } from '../core/unreachable.ts';
import type { ConfigurationName } from '../store/records.ts';
import type { Clustering } from './clusters.ts';
import type { CohesionSegmentation } from './cohesion-segmenter.ts';
import type { PromptCap } from './context.ts';
import type { DriftSegmentation } from './drift-segmenter.ts';
import type { EvidenceRanking } from './evidence-ranker.ts';
import type { FamilyRanking } from './family-ranker.ts';
import type { FusedRanking } from './fused-ranker.ts';

/** A memory: how it cuts (M1), which views it keeps (M2) and how it ranks (M3). */
export interface Configuration {
  readonly name: ConfigurationName;
  readonly segmentation: DriftSegmentation | CohesionSegmentation;
  /** What an episode's own vector is: its embedded summary text, the mean of its turns' vectors, or nothing. */
  readonly episodeVector: 'summary' | 'mean' | 'none';
  /** Absent: no clusters. */
  readonly clustering?: Clustering;
  readonly ranking: EvidenceRanking | FusedRanking | FamilyRanking;
  /** k_final: episodes (or families of them) recalled for a question. */
  readonly recalled: number;
  /** Messages of one episode that a prompt takes, and their overlap when an episode is split; absent: all. */
  readonly promptCap?: PromptCap;
}

/** TSIM with the paper's constants (sections 4 and B). */
export const TSIM: Configuration = {
  name: 'tsim',
  segmentation: {
    kind: 'drift',
    threshold: 0.7,
    speakerBonus: 0.03,
    minTokens: 120,
    maxTokens: 320,
    recentWindow: 4,
    minMessages: 2,
  },
  episodeVector: 'summary',
  clustering: { assignThreshold: 0.42, softMargin: 0.08, summaryMembers: 4 },
  ranking: {
    kind: 'evidence',
    rawHits: 28,
    summaryHits: 20,
    clusterHits: 2,
    rawWeight: 1.15,
    summaryWeight: 1.2,
    clusterWeight: 0.75,
    spreadWeight: 0.55,
    expansionWeight: 0.7,
    expansion: 2,
    seeds: 5,
  },
  recalled: 5,
  promptCap: { messages: 8, overlap: 2 },
};

/** theta_s fitted to an embedder on the development pool; 0.2 is MiniLM's. */
export const FITTED_THRESHOLDS: Readonly<Record<string, number>> = { 'all-MiniLM-L6-v2': 0.2 };

/**
 * Where `skein` began (configuration A of the shared design): cohesion episodes and the fused ranking, whole episodes
 * recalled. Kept for comparison.
 */
export const SKEIN_A: Configuration = {
  name: 'skein',
  segmentation: {
    kind: 'cohesion',
    contextTurns: 4,
    lexicalTurns: 8,
    lexicalWeight: 0.5,
    deviations: 1.4,
    warmUpTurns: 8,
    initialThreshold: 0.15,
    minTokens: 120,
    maxTokens: 320,
  },
  episodeVector: 'mean',
  ranking: { kind: 'fused', denseWeight: 0.6, lexicalWeight: 0.4, closestTurnWeight: 0.5 },
  recalled: 5,
};

/** The product's own configuration: cohesion episodes, recalled as families of exchanges (docs/retrieval.md). */
export const SKEIN: Configuration = {
  ...SKEIN_A,
  episodeVector: 'none',
  ranking: {
    kind: 'family',
    near: { reach: 8, middle: 0.28, width: 0.06, least: 0.1, steps: 3 },
    matters: { commonShare: 0.04, power: 3 },
    trimming: { repeated: 0.6, least: 20 },
    pooledWords: { relatedShare: 0.65, commonShare: 0.03 },
    scoring: {
      dampened: true,
      own: { weight: 1, mean: 0.3, closest: 0.5, words: 0.2, grams: 0.1, common: -0.5 },
      around: { weight: 1.5, meaning: 0.6, words: 0.4, grams: 0.3, closest: 0.5, closeTie: 0.3 },
      matter: {
        weight: 2,
        seeds: 10,
        sharpness: 0.7,
        exchangeWeight: 40,
        agreement: 0.15,
        leastEpisodes: 40,
      },
    },
    packing: {
      families: 5,
      tokens: 1340,
      longest: 0.5,
      slack: 0.05,
      floor: 0.2,
      repeated: 0.2,
      nearTie: 0.2,
      matterTie: 0.15,
      candidates: 400,
    },
  },
};

/** The configuration of that name for threads embedded by `model`. */
export function configuration(name: ConfigurationName, model: string): Configuration {
  switch (name) {
    case 'tsim':
      return TSIM;
    case 'tsim-fitted':
      return fitted(model);
    case 'skein':
      return SKEIN;
    default:
      return unreachable(name);
  }
}

/** TSIM with the threshold fitted to `model`; an embedder nobody has fitted takes MiniLM's. */
function fitted(model: string): Configuration {
  const threshold = FITTED_THRESHOLDS[model] ?? FITTED_THRESHOLDS['all-MiniLM-L6-v2']!;
  return {
    ...TSIM,
    name: 'tsim-fitted',
    segmentation: { ...TSIM.segmentation, threshold } as DriftSegmentation,
  };
}
