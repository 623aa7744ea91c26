import type { LexicalIndex } from '../index/lexical-index.ts';
import type { VectorIndex } from '../index/vector-index.ts';
import type { Cluster } from './clusters.ts';

/**
 * M2: everything a ranker may look at. The raw view holds every turn, the episode view one vector an episode
 * (the embedded summary, the mean of its turns, or none where the configuration says so), both keyed by their number in the thread.
 */
export interface Views {
  readonly turns: VectorIndex;
  readonly episodes: VectorIndex;
  /** One vector a cluster, keyed by `Cluster.id`; empty in configurations without clusters. */
  readonly clusterVectors: VectorIndex;
  readonly clusters: readonly Cluster[];
  readonly words: LexicalIndex;
  readonly grams: LexicalIndex;
  /** First turn of each episode; `starts[0]` is 0. */
  readonly starts: readonly number[];
  /** First turn of each exchange: where a user speaks, and where an episode begins; `exchanges[0]` is 0. */
  readonly exchanges: readonly number[];
  /** Counts every change of turns, of episodes, and of whether they may be recalled. */
  readonly version: number;
  /** First turn that is new or changed since `settleChanges` was last called. */
  readonly changedFrom: number;
  settleChanges(): void;
  /** Token estimate of a turn. */
  tokensOf(turn: number): number;
  /** Number of turns in the views. */
  readonly size: number;
  /** Forgotten and erased episodes are not eligible: they are never ranked. */
  isEligible(episode: number): boolean;
}

/** The episode that holds `turn`: the last one that starts at or before it. */
export function episodeOf(starts: readonly number[], turn: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (starts[middle]! <= turn) low = middle;
    else high = middle - 1;
  }
  return low;
}
