import { topK } from '../index/top-k.ts';
import type { RankedEpisode, Ranker, RankerQuery } from './ranker.ts';
import { episodeOf, type Views } from './views.ts';

/** Constants of the fused ranking (shared design, retrieval: configuration A). */
export interface FusedRanking {
  readonly kind: 'fused';
  readonly denseWeight: number;
  readonly lexicalWeight: number;
  /** Weight of the episode's closest turn beside the episode itself. */
  readonly closestTurnWeight: number;
}

/** What the fusion needs of every item; position i belongs to item i. */
export interface FusionSignals {
  /** Cosine of the query and the item's own vector. */
  readonly whole: Float64Array;
  /** The best cosine among the item's turns. */
  readonly closestTurn: Float64Array;
  /** BM25 over words. */
  readonly words: Float64Array;
  /** BM25 over character 4-grams. */
  readonly grams: Float64Array;
}

/**
 * Fuses meaning and words by z-scores over the eligible items, which are episodes here and windows elsewhere:
 *
 *     dense(e)   = whole(e) + closestTurnWeight * closestTurn(e)
 *     lexical(e) = mean of z(words) and z(grams)
 *     score(e)   = denseWeight * z(dense) + lexicalWeight * lexical
 *
 * The parts are what the item, its closest turn, its words and its character grams add to the score; they sum
 * to it. A part below 0 says that the item is worse than the average one there. The `k` best, best first.
 */
export function fuse(
  { whole, closestTurn, words, grams }: FusionSignals,
  eligible: readonly number[],
  { denseWeight, lexicalWeight, closestTurnWeight }: FusedRanking,
  k: number,
): RankedEpisode[] {
  const dense = spread(
    whole.map((score, e) => score + closestTurnWeight * closestTurn[e]!),
    eligible,
  );
  const parts: Readonly<Record<string, Float64Array>> = {
    episode: share(whole, eligible, denseWeight, dense),
    'closest turn': share(closestTurn, eligible, denseWeight * closestTurnWeight, dense),
    words: standardised(words, eligible, lexicalWeight / 2),
    grams: standardised(grams, eligible, lexicalWeight / 2),
  };
  const totals = new Float64Array(eligible.length);
  for (const part of Object.values(parts)) for (let i = 0; i < totals.length; i++) totals[i]! += part[i]!;
  return topK(totals, totals.length, k).map((i) => ({
    episode: eligible[i]!,
    score: totals[i]!,
    parts: Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, part[i]!])),
  }));
}

/** The fused ranking over a thread's episodes. */
export class FusedRanker implements Ranker {
  constructor(private readonly constants: FusedRanking) {}

  rank(query: RankerQuery, views: Views, k: number): RankedEpisode[] {
    const { starts } = views;
    const eligible: number[] = [];
    for (let e = 0; e < starts.length; e++) if (views.isEligible(e)) eligible.push(e);
    const signals = {
      whole: wholeScores(query, views),
      closestTurn: closestTurnScores(query, views),
      words: views.words.scoreGroups(query.text, starts),
      grams: views.grams.scoreGroups(query.text, starts),
    };
    return fuse(signals, eligible, this.constants, k);
  }
}

/** Cosine of the query and each episode's own vector; 0 for an episode without one. */
function wholeScores(query: RankerQuery, views: Views): Float64Array {
  const out = new Float64Array(views.starts.length);
  const { ids, scores } = views.episodes.scoreAll(query.vector);
  for (let i = 0; i < ids.length; i++) out[ids[i]!] = scores[i]!;
  return out;
}

/** The best cosine among each episode's turns; 0 for an episode without vectors. */
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

/** Weighted standard score of each eligible episode. */
function standardised(values: Float64Array, eligible: readonly number[], weight: number): Float64Array {
  return share(values, eligible, weight, spread(values, eligible));
}

/**
 * What one summand adds, for each eligible episode, to a weighted standard score whose sum has the given deviation;
 * 0 where nothing differs.
 */
function share(
  values: Float64Array,
  eligible: readonly number[],
  weight: number,
  deviation: number,
): Float64Array {
  const out = new Float64Array(eligible.length);
  if (!(deviation > 0)) return out;
  const mean = meanOf(values, eligible);
  for (let i = 0; i < out.length; i++) out[i] = (weight * (values[eligible[i]!]! - mean)) / deviation;
  return out;
}

/** Standard deviation of the values among the eligible episodes. */
function spread(values: Float64Array, eligible: readonly number[]): number {
  const mean = meanOf(values, eligible);
  let squares = 0;
  for (const e of eligible) squares += (values[e]! - mean) ** 2;
  return Math.sqrt(squares / eligible.length);
}

function meanOf(values: Float64Array, eligible: readonly number[]): number {
  let sum = 0;
  for (const e of eligible) sum += values[e]!;
  return sum / eligible.length;
}
