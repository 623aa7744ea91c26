import { bestEpisodes, type RankedEpisode, type Ranker, type RankerQuery } from './ranker.ts';
import { episodeOf, type Views } from './views.ts';

/** Constants of the fused ranking (shared design, retrieval: configuration A). */
export interface FusedRanking {
  readonly kind: 'fused';
  readonly denseWeight: number;
  readonly lexicalWeight: number;
  /** Weight of the episode's closest turn beside the episode itself. */
  readonly closestTurnWeight: number;
}

/**
 * Fuses meaning and words by z-scores over all eligible episodes of the thread:
 *
 *     dense(e)   = cos(q, e) + closestTurnWeight * max over turns t of e of cos(q, t)
 *     lexical(e) = mean of z(BM25 over words) and z(BM25 over character 4-grams)
 *     score(e)   = denseWeight * z(dense) + lexicalWeight * lexical
 *
 * The parts are the weighted share of each in the score and sum to it.
 */
export class FusedRanker implements Ranker {
  constructor(private readonly constants: FusedRanking) {}

  rank(query: RankerQuery, views: Views, k: number): RankedEpisode[] {
    const { starts } = views;
    const eligible: number[] = [];
    for (let e = 0; e < starts.length; e++) if (views.isEligible(e)) eligible.push(e);
    const whole = wholeScores(query, views);
    const closest = closestTurnScores(query, views);
    const { denseWeight, lexicalWeight, closestTurnWeight } = this.constants;
    const dense = whole.map((score, e) => score + closestTurnWeight * closest[e]!);
    const z = {
      dense: zScores(dense, eligible),
      words: zScores(views.words.scoreGroups(query.text, starts), eligible),
      grams: zScores(views.grams.scoreGroups(query.text, starts), eligible),
    };
    const ranked = eligible.map((episode) => {
      const meaning = denseWeight * z.dense(episode);
      const words = (lexicalWeight / 2) * z.words(episode);
      const grams = (lexicalWeight / 2) * z.grams(episode);
      return { episode, score: meaning + words + grams, parts: { meaning, words, grams } };
    });
    return bestEpisodes(ranked, k);
  }
}

/** Cosine of the query and each episode's own vector; 0 for an episode without one. */
function wholeScores(query: RankerQuery, views: Views): Float64Array {
  const out = new Float64Array(views.starts.length);
  const { ids, scores } = views.episodes.scoreAll(query.vector);
  for (let i = 0; i < ids.length; i++) out[ids[i]!] = scores[i]!;
  return out;
}

/** The best cosine among each episode's turns. */
function closestTurnScores(query: RankerQuery, views: Views): Float64Array {
  const { starts } = views;
  const out = new Float64Array(starts.length).fill(Number.NEGATIVE_INFINITY);
  const { ids, scores } = views.turns.scoreAll(query.vector);
  let episode = ids.length > 0 ? episodeOf(starts, ids[0]!) : 0;
  for (let i = 0; i < ids.length; i++) {
    while (episode + 1 < starts.length && starts[episode + 1]! <= ids[i]!) episode++;
    if (scores[i]! > out[episode]!) out[episode] = scores[i]!;
  }
  for (let e = 0; e < out.length; e++) if (out[e] === Number.NEGATIVE_INFINITY) out[e] = 0;
  return out;
}

/** Standard score of an episode's value among the eligible ones; 0 for all when they do not differ. */
function zScores(values: Float64Array, eligible: readonly number[]): (episode: number) => number {
  let mean = 0;
  for (const e of eligible) mean += values[e]!;
  mean /= eligible.length;
  let squares = 0;
  for (const e of eligible) squares += (values[e]! - mean) ** 2;
  const deviation = Math.sqrt(squares / eligible.length);
  return (episode) => (deviation > 0 ? (values[episode]! - mean) / deviation : 0);
}
