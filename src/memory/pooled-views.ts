import { PooledBm25 } from '../index/pooled-bm25.ts';
import { relatedWords } from '../index/related-words.ts';
import type { NearTies } from './near-ties.ts';
import type { Views } from './views.ts';

/** How words count in what an exchange is tied to nearby. */
export interface PooledWords {
  /** What a word related to one of the question is worth, beside that word itself; 0 is nothing. */
  readonly relatedShare: number;
  /** Words that more than this share of all turns hold are left out, those of the question and related ones. */
  readonly commonShare: number;
}

/** BM25 over all that each exchange is tied to nearby. */
export interface PooledViews {
  readonly words: PooledBm25;
  readonly grams: PooledBm25;
}

/** The pooled views of a thread whose ties nearby are `near`. `dampened`: see `TermCounting`. */
export function pooledViewsOf(
  { words, grams, exchanges }: Views,
  near: NearTies,
  { relatedShare, commonShare }: PooledWords,
  dampened: boolean,
): PooledViews {
  const related = relatedShare > 0 ? { of: relatedWords, share: relatedShare } : undefined;
  return {
    words: new PooledBm25(words, exchanges, near.band, { related, commonShare, dampened }),
    grams: new PooledBm25(grams, exchanges, near.band, { dampened }),
  };
}
