import type { RecalledRange } from '../store/records.ts';
import type { Views } from './views.ts';

/** A question ready to rank with. */
export interface RankerQuery {
  readonly text: string;
  /** Unit length. */
  readonly vector: Float32Array;
}

/** An episode with its score and the score's named parts, which add up as the ranker's docstring says. */
export interface RankedEpisode {
  readonly episode: number;
  readonly score: number;
  readonly parts: Readonly<Record<string, number>>;
  /** What is recalled, where that is not the whole episode and nothing else: in thread order. */
  readonly ranges?: readonly RecalledRange[];
}

/** M3: orders episodes by how likely they decide the question. */
export interface Ranker {
  /**
   * Does ahead what depends on no question or, given the text of one, not on its vector; what a ranker has none of, or
   * was not asked to do, `rank` does.
   */
  prepare?(views: Views, text?: string): void;
  /** The `k` best eligible episodes, best first; equal scores by ascending episode. */
  rank(query: RankerQuery, views: Views, k: number): RankedEpisode[];
}

/** Best first, ties by age, cut to `k`. */
export function bestEpisodes(ranked: RankedEpisode[], k: number): RankedEpisode[] {
  return ranked.sort((a, b) => b.score - a.score || a.episode - b.episode).slice(0, k);
}
