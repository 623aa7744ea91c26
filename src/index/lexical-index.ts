/** Splits a text into terms. */
export type Analyzer = (text: string) => string[];

/** How often terms occur, for whoever weighs them by rarity. */
export interface TermStatistics {
  /** Number of documents. */
  readonly documents: number;
  /** Number of documents that hold `term`. */
  documentFrequency(term: string): number;
}

/** Serialised index: typed arrays and one string, ready for IndexedDB. A cache, never a fact. */
export interface LexicalSnapshot {
  readonly version: number;
  /** JSON array of the terms. Term t has the postings `offsets[t]` to `offsets[t + 1] - 1`. */
  readonly terms: string;
  readonly offsets: Uint32Array;
  /** Documents, ascending within a term. */
  readonly postings: Uint32Array;
  /** How often the term stands in that document; 65,535 is the most that is counted. */
  readonly frequencies: Uint16Array;
  /** Number of terms in each document. */
  readonly lengths: Uint32Array;
}

/** Where a term stands: the first `count` groups of `groups` hold it, ascending, as often as `frequencies` says. */
export interface GroupList {
  readonly count: number;
  readonly groups: Int32Array;
  readonly frequencies: Float64Array;
}

/** How the terms of a query count. */
export interface TermCounting {
  /** A term that the query holds n times counts as √n of them, not as n. */
  readonly dampened?: boolean;
}

export interface GroupScoring extends TermCounting {
  /** Room for the scores. */
  readonly into?: Float64Array;
}

/** Where a query's term stands. The arrays belong to the index and hold until its next call. */
export interface GroupedTerm extends GroupList {
  /** How often the query holds it. */
  readonly times: number;
}

/** Terms that stand for another: an occurrence of one of them is `share` of an occurrence of that. */
export interface RelatedTerms {
  readonly of: (term: string) => readonly string[];
  readonly share: number;
}

/** All terms, in order of name, with the groups that hold them: term t has entries `offsets[t]` to `offsets[t + 1] - 1`. */
export interface TermGroups {
  /** Number of groups. */
  readonly count: number;
  readonly offsets: Int32Array;
  /** Ascending within a term. */
  readonly groups: Int32Array;
  readonly frequencies: Float32Array;
}

/**
 * Port: BM25 over documents (turns) with ids counted from 0.
 *
 * Documents are scored in groups of consecutive ids (an episode, a window), as if a group's texts
 * were one document: so a boundary can move without touching the index.
 */
export interface LexicalIndex extends TermStatistics {
  /** Adds or replaces document `id`; ids that were skipped count as empty documents. */
  set(id: number, text: string): void;
  /** Empties document `id`: none of its terms stays in the index. */
  remove(id: number): void;
  /**
   * BM25 of every group: group g holds ids `starts[g]` to `starts[g + 1] - 1`, the last one runs to the end.
   * `starts` ascends. Documents before `starts[0]` belong to no group. A term that the query holds twice counts twice.
   */
  scoreGroups(query: string, starts: ArrayLike<number>, options?: GroupScoring): Float64Array;
  /**
   * Visits the query's terms that occur in groups (as those of `scoreGroups`), in the order of the query; not those
   * that more than `most` documents hold. Where others are related to a term, it occurs as often as they do, too,
   * times their share; those that more than `most` documents hold count for nothing.
   */
  eachTerm(
    query: string,
    starts: ArrayLike<number>,
    most: number,
    visit: (term: GroupedTerm) => void,
    related?: RelatedTerms,
  ): void;
  /** Number of terms in every group. */
  groupLengths(starts: ArrayLike<number>): Float64Array;
  /** The groups of every term. Costs a pass over the whole index. */
  termGroups(starts: ArrayLike<number>): TermGroups;
  /**
   * Of every document the share of its terms that earlier documents of its group hold, each term counted once and by
   * its rarity (idf over documents); 0 without terms and outside of groups. Costs a pass over the whole index.
   */
  repeatedShares(starts: ArrayLike<number>): Float64Array;
  /** The query's terms that occur in documents `from` to `to - 1`, rarest first. */
  matchedTerms(query: string, from: number, to: number): string[];
  /** Of documents `from` to `to - 1`, those that hold `term` (a term of the analyzer), ascending. */
  documentsWith(term: string, from: number, to: number): number[];
  snapshot(): LexicalSnapshot;
}
