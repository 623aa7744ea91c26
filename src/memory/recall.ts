import type { RecalledEpisode } from '../store/records.ts';
import type { RankedEpisode, RankerQuery } from './ranker.ts';
import type { ThreadViews } from './thread-views.ts';

/** Turns of an episode shown as the ones that decide. */
const DECISIVE_TURNS = 2;
/** A second turn is shown only when it fits at least this well, as a share of the best one. */
const DECISIVE_SHARE = 0.6;
/** A word tells something when at most this many turns, or this share of them, hold it. */
const TELLING_TURNS = 3;
const TELLING_SHARE = 0.03;

/** A stretch of turns, `start` to `end - 1`. */
interface Stretch {
  readonly start: number;
  readonly end: number;
}

/** A ranked episode with what explains it: its place, the question's words in it, its most fitting turns. */
export function explain(ranked: RankedEpisode, query: RankerQuery, views: ThreadViews): RecalledEpisode {
  const start = views.starts[ranked.episode]!;
  const end = views.end(ranked.episode);
  const recalled = ranked.ranges ?? [{ start, end }];
  const matched = matchedTerms(query, views, recalled);
  return {
    ...ranked,
    start,
    end,
    terms: tellingTerms(matched, views),
    decisive: decisiveTurns(query, termWeights(matched, views), views, recalled),
  };
}

/** The question's words that stand in one of the stretches, rarest first. */
function matchedTerms(query: RankerQuery, { words }: ThreadViews, recalled: readonly Stretch[]): string[] {
  const found = new Set(recalled.flatMap(({ start, end }) => words.matchedTerms(query.text, start, end)));
  return recalled.length === 1
    ? [...found]
    : [...found].sort((a, b) => words.documentFrequency(a) - words.documentFrequency(b));
}

/** The question's words that the episode holds and few other turns do; "and" explains nothing. */
function tellingTerms(matched: readonly string[], views: ThreadViews): string[] {
  const common = Math.max(TELLING_TURNS, TELLING_SHARE * views.words.documents);
  return matched.filter((term) => views.words.documentFrequency(term) <= common);
}

/** The turns that fit the question best: by meaning, and by the rare words they share with it. */
function decisiveTurns(
  query: RankerQuery,
  weights: ReadonlyMap<string, number>,
  views: ThreadViews,
  recalled: readonly Stretch[],
): number[] {
  const scored = recalled.flatMap((stretch) => scoredTurns(query, weights, views, stretch));
  scored.sort((a, b) => b.score - a.score || a.turn - b.turn);
  const best = scored[0]?.score ?? 0;
  return scored
    .slice(0, DECISIVE_TURNS)
    .filter(({ score }) => score >= DECISIVE_SHARE * best)
    .map(({ turn }) => turn);
}

function scoredTurns(
  query: RankerQuery,
  weights: ReadonlyMap<string, number>,
  views: ThreadViews,
  { start, end }: Stretch,
): { turn: number; score: number }[] {
  const words = new Float64Array(end - start);
  for (const [term, weight] of weights) {
    for (const turn of views.words.documentsWith(term, start, end)) words[turn - start]! += weight;
  }
  const scored: { turn: number; score: number }[] = [];
  views.turns.scoreRange(query.vector, start, end).forEach((score, i) => {
    if (!Number.isNaN(score)) scored.push({ turn: start + i, score: score + words[i]! });
  });
  return scored;
}

/** Share of each of the question's words found in the episode in their summed rarity. */
function termWeights(matched: readonly string[], views: ThreadViews): Map<string, number> {
  const { words } = views;
  const idf = matched.map((term) => Math.log(1 + words.documents / (1 + words.documentFrequency(term))));
  const total = idf.reduce((sum, x) => sum + x, 0) || 1;
  return new Map(matched.map((term, i) => [term, idf[i]! / total]));
}
