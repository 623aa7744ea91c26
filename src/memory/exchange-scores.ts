import type { Exchanges } from './exchanges.ts';
import { type MatterScoring, type MatterTies, matterScores } from './matter-scores.ts';
import type { NearTies } from './near-ties.ts';
import type { PooledViews } from './pooled-views.ts';
import type { RankerQuery } from './ranker.ts';
import { type ScoreColumns, scoreColumns } from './score-columns.ts';
import { blend, type Signal, signalOf } from './standard-scores.ts';
import type { Views } from './views.ts';

/** How exchanges are scored: by themselves, by the conversation around them, and by the matter they belong to. */
export interface ExchangeScoring {
  /** Whether a word that the question holds n times counts as √n of them: options say a word again and again. */
  readonly dampened: boolean;
  /** The exchange alone. */
  readonly own: {
    readonly weight: number;
    /** Cosine of the mean of its turns, and of its closest turn. */
    readonly mean: number;
    readonly closest: number;
    readonly words: number;
    readonly grams: number;
    /** How much like all others it is; below 0, since that makes it look close to any question. */
    readonly common: number;
  };
  /** The exchange with all that it is tied to nearby. */
  readonly around: {
    readonly weight: number;
    readonly meaning: number;
    readonly words: number;
    readonly grams: number;
    /** Weight of the closest turn in `meaning`, beside the cosine of the weighted mean. */
    readonly closest: number;
    /** A tie this strong or stronger lets a turn count in full as the closest. */
    readonly closeTie: number;
  };
  readonly matter: MatterScoring;
}

/** A score for every exchange, and what it is made of; arrays of the columns. */
export interface ExchangeScores {
  readonly total: Float64Array;
  /** What an exchange's episode lends it of `total`, as part of the matter. */
  readonly lent: Float64Array;
  /** The highest score of all without what belonging to the matter by itself adds. */
  readonly best: number;
  /** What the score of an exchange is the sum of. */
  partsOf(exchange: number): Readonly<Record<'meaning' | 'words' | 'grams' | 'matter', number>>;
}

/** What a question has in common with every exchange, before anything is weighed. */
export interface ExchangeSignals {
  readonly own: Readonly<Record<'mean' | 'closest' | 'words' | 'grams' | 'common', Signal>>;
  readonly around: Readonly<Record<'meaning' | 'words' | 'grams', Signal>>;
}

/** What the words of a question have in common with every exchange; signals whose values are columns. */
export interface WordSignals {
  readonly own: Readonly<Record<'words' | 'grams', Signal>>;
  readonly around: Readonly<Record<'words' | 'grams', Signal>>;
}

/** BM25 of every exchange alone, and of all that is tied to it nearby. `dampened`: see `TermCounting`. */
export function wordSignals(
  text: string,
  { words, grams }: Views,
  { starts, eligible }: Exchanges,
  pooled: PooledViews,
  dampened: boolean,
  columns: ScoreColumns,
): WordSignals {
  const signal = (values: Float64Array) => signalOf(values, eligible);
  return {
    own: {
      words: signal(words.scoreGroups(text, starts, { dampened, into: columns.ownWords })),
      grams: signal(grams.scoreGroups(text, starts, { dampened, into: columns.ownGrams })),
    },
    around: {
      words: signal(pooled.words.score(text, eligible, columns.wordsAround)),
      grams: signal(pooled.grams.score(text, eligible, columns.gramsAround)),
    },
  };
}

/**
 * Cosines and BM25 of every exchange alone, and of all that is tied to it nearby. `words`: where known already;
 * `columns`: room for them, which the signals are then made of.
 */
export function exchangeSignals(
  { text, vector }: RankerQuery,
  views: Views,
  exchanges: Exchanges,
  near: NearTies,
  pooled: PooledViews,
  { around, dampened }: ExchangeScoring,
  columns = scoreColumns(exchanges.starts.length),
  words = wordSignals(text, views, exchanges, pooled, dampened, columns),
): ExchangeSignals {
  const turns = turnScores(vector, views, exchanges, near, columns);
  const signal = (values: Float64Array) => signalOf(values, exchanges.eligible);
  return {
    own: {
      mean: signal(turns.means),
      closest: signal(turns.closest),
      ...words.own,
      common: exchanges.common,
    },
    around: { meaning: signal(meaningAround(turns, exchanges, near, around, columns)), ...words.around },
  };
}

/**
 * Scores exchanges. Own and around are blends of meaning and words; their sum, the fit, says which matter the question
 * is about, and belonging to that adds to the score.
 */
export function scoreExchanges(
  signals: ExchangeSignals,
  exchanges: Exchanges,
  matters: MatterTies,
  constants: ExchangeScoring,
  columns = scoreColumns(exchanges.starts.length),
): ExchangeScores {
  const { eligible } = exchanges;
  const own = blend(signals.own, constants.own, eligible, constants.own.weight, columns.own);
  const around = blend(signals.around, constants.around, eligible, constants.around.weight, columns.around);
  const { total } = columns;
  for (let x = 0; x < total.length; x++) total[x] = own.total[x]! + around.total[x]!;
  const { byEpisode, byExchange } = matterScores(total, exchanges, matters, constants.matter, columns);
  let best = Number.NEGATIVE_INFINITY;
  for (let x = 0; x < total.length; x++) {
    total[x]! += byEpisode[x]!;
    if (eligible[x] === 1 && total[x]! > best) best = total[x]!;
    total[x]! += byExchange[x]!;
  }
  return {
    total,
    lent: byEpisode,
    best,
    partsOf: (x) => ({
      meaning:
        own.share('mean', x) + own.share('closest', x) + own.share('common', x) + around.share('meaning', x),
      words: own.share('words', x) + around.share('words', x),
      grams: own.share('grams', x) + around.share('grams', x),
      matter: byEpisode[x]! + byExchange[x]!,
    }),
  };
}

interface TurnScores {
  /** Cosine of the mean of each exchange's turns; 0 without any. */
  readonly means: Float64Array;
  /** Sum of the cosines of each exchange's turns; 0 where it may not be recalled. */
  readonly sums: Float64Array;
  /** The best cosine among its turns; -Infinity where it may not be recalled. */
  readonly closest: Float64Array;
}

function turnScores(
  vector: Float32Array,
  views: Views,
  { starts, eligible }: Exchanges,
  near: NearTies,
  columns: ScoreColumns,
): TurnScores {
  const sums = columns.sums.fill(0);
  const closest = columns.closest.fill(Number.NEGATIVE_INFINITY);
  const { ids, scores } = views.turns.scoreAll(vector);
  let x = 0;
  for (let i = 0; i < ids.length; i++) {
    while (x + 1 < starts.length && starts[x + 1]! <= ids[i]!) x++;
    if (eligible[x] === 0) continue;
    const score = scores[i]!;
    sums[x]! += score;
    closest[x] = Math.max(closest[x]!, score);
  }
  const { means } = columns;
  for (x = 0; x < means.length; x++) {
    means[x] = near.sumLengths[x]! > 0 ? sums[x]! / near.sumLengths[x]! : 0;
  }
  return { means, sums, closest };
}

/** Cosine to the weighted mean of all turns around, and the closest of them. */
function meaningAround(
  { sums, closest }: TurnScores,
  { eligible }: Exchanges,
  { band, lengths }: NearTies,
  constants: ExchangeScoring['around'],
  columns: ScoreColumns,
): Float64Array {
  const around = band.product(sums, columns.meaning);
  const closestAround = band.highest(closest, constants.closeTie, columns.closestAround);
  for (let x = 0; x < around.length; x++) {
    const cosine = lengths[x]! > 0 ? around[x]! / lengths[x]! : 0;
    around[x] = eligible[x] === 0 ? 0 : cosine + constants.closest * closestAround[x]!;
  }
  return around;
}
