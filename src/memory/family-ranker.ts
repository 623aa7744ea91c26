import {
  type ExchangeScores,
  type ExchangeScoring,
  exchangeSignals,
  scoreExchanges,
  type WordSignals,
  wordSignals,
} from './exchange-scores.ts';
import { type Exchanges, exchangesOf, type Trimming } from './exchanges.ts';
import { type Family, type FamilyPacking, packFamilies, rangesOf } from './families.ts';
import { closestPart, type Stretch } from './long-exchange.ts';
import type { MatterTies } from './matter-scores.ts';
import { NearTies, type NearTying } from './near-ties.ts';
import { type PooledViews, type PooledWords, pooledViewsOf } from './pooled-views.ts';
import type { RankedEpisode, Ranker, RankerQuery } from './ranker.ts';
import { type ScoreColumns, scoreColumns } from './score-columns.ts';
import { TermTies, type TermTying } from './term-ties.ts';
import type { Views } from './views.ts';

/** Constants of the family ranking (docs/retrieval.md). */
export interface FamilyRanking {
  readonly kind: 'family';
  readonly near: NearTying;
  /** Of episodes, and of exchanges. */
  readonly matters: TermTying;
  readonly trimming: Trimming;
  readonly pooledWords: PooledWords;
  readonly scoring: ExchangeScoring;
  readonly packing: FamilyPacking;
}

/**
 * Ranks families: the exchanges that fit best, each with what belongs to it, nearby or in other episodes, packed into
 * a budget of tokens. A family stands under the episode of the exchange it began with, whose score it has.
 *
 * What it derives from the views (ties) is kept from one question to the next and made anew where turns changed, so
 * a ranker belongs to one thread.
 */
export class FamilyRanker implements Ranker {
  private derived: { readonly version: number; readonly derived: Derived } | undefined;
  /** What the words of the last question say. */
  private read: { readonly version: number; readonly text: string; readonly words: WordSignals } | undefined;

  constructor(private readonly constants: FamilyRanking) {}

  prepare(views: Views, text?: string): void {
    if (text === undefined) this.derive(views);
    else this.wordsOf(text, views);
  }

  /** At most as many families as the constants say, whatever `k`. */
  rank(query: RankerQuery, views: Views, k: number): RankedEpisode[] {
    const { scoring, packing } = this.constants;
    const { exchanges, near, pooled, matters, columns } = this.derive(views);
    const words = this.wordsOf(query.text, views);
    const signals = exchangeSignals(query, views, exchanges, near, pooled, scoring, columns, words);
    const scores = scoreExchanges(signals, exchanges, matters, scoring, columns);
    const place = (x: number) => this.placeOf(x, exchanges, query, views);
    return packFamilies(scores, exchanges, near, matters.episodes, packing)
      .slice(0, k)
      .map((family) => ({
        ...this.describe(family, scores, exchanges),
        ranges: rangesOf(family, exchanges, place, matters.episodes, packing.matterTie),
      }));
  }

  private describe(family: Family, { total, partsOf }: ExchangeScores, exchanges: Exchanges): RankedEpisode {
    const { lead } = family;
    return {
      episode: exchanges.episodes[lead]!,
      score: total[lead]!,
      parts: partsOf(lead),
    };
  }

  /** The turns of an exchange; of a long one, those that fit the question. */
  private placeOf(x: number, { starts, ends, tokens }: Exchanges, query: RankerQuery, views: Views): Stretch {
    const { tokens: budget, longest } = this.constants.packing;
    const exchange = { start: starts[x]!, end: ends[x]! };
    return tokens[x]! > longest * budget ? closestPart(exchange, query, views, longest * budget) : exchange;
  }

  private wordsOf(text: string, views: Views): WordSignals {
    const { version } = views;
    if (this.read?.version === version && this.read.text === text) return this.read.words;
    const { exchanges, pooled, columns } = this.derive(views);
    // Its columns are written to from now on.
    this.read = undefined;
    const words = wordSignals(text, views, exchanges, pooled, this.constants.scoring.dampened, columns);
    this.read = { version, text, words };
    return words;
  }

  private derive(views: Views): Derived {
    if (this.derived?.version === views.version) return this.derived.derived;
    const { exchanges, words } = views;
    const { matters, trimming, pooledWords, scoring } = this.constants;
    const known = this.derived?.derived.near;
    const near = known ?? new NearTies(this.constants.near, views.turns.dimension);
    near.update(exchanges, views.size, views.turns, known ? views.changedFrom : 0);
    views.settleChanges();
    const derived = {
      matters: {
        // First, so that the words are left divided by exchanges, as questions want them.
        episodes: new TermTies(words.termGroups(views.starts), matters),
        exchanges: new TermTies(words.termGroups(exchanges), matters),
      },
      exchanges: exchangesOf(views, near, trimming),
      near,
      pooled: pooledViewsOf(views, near, pooledWords, scoring.dampened),
      columns: scoreColumns(views.exchanges.length),
    };
    this.derived = { version: views.version, derived };
    return derived;
  }
}

/** What follows from the views without any question, and room for what a question is told. */
interface Derived {
  readonly exchanges: Exchanges;
  readonly near: NearTies;
  readonly pooled: PooledViews;
  readonly matters: MatterTies;
  /** The last question's numbers. */
  readonly columns: ScoreColumns;
}
