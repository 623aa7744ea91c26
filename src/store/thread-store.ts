import type { NewTurn } from '../core/turn.ts';
import type { EmbedderStamp } from '../embed/embedder.ts';
import type {
  AskRecord,
  ConfigurationName,
  DerivedRecords,
  EpisodeRecord,
  IngestCommit,
  SettledAsk,
  StoredThread,
  StoredTurn,
} from './records.ts';

/**
 * Port: the facts of one thread. Every method that writes resolves when the write is durable,
 * and each is one transaction: a tab killed at any moment leaves it done or not begun.
 * Errors: `quota`, `storage-closed`, `not-found`, `read-only`.
 */
export interface ThreadStore {
  readonly id: string;
  load(): Promise<StoredThread>;
  /**
   * Appends turns (texts made well-formed) and returns the index of the first. `settles` names the question that
   * they are, with its answer; `not-found` when it is gone, `bad-argument` when it is answered already.
   */
  append(turns: readonly NewTurn[], settles?: SettledAsk): Promise<number>;
  /** Turns `from` to `to - 1`, clipped to what exists. */
  readTurns(from: number, to: number): Promise<StoredTurn[]>;
  /** Stores one ingest step. Errors: `bad-argument`, `wrong-dimension`, `stamp-mismatch`; then nothing changed. */
  commit(step: IngestCommit): Promise<void>;
  /** Replaces episodes of the same id as they stand (pin, forget, new summary vectors). */
  putEpisodes(episodes: readonly EpisodeRecord[]): Promise<void>;
  /**
   * Replaces the text of one turn and its vector: required for an ingested turn, undefined for one that is not.
   * Drops every cache of the thread; `derived` is what else changes with it. A question whose turn it is gets the
   * new text, too.
   */
  rewriteTurn(
    index: number,
    text: string,
    vector: Float32Array | undefined,
    derived?: DerivedRecords,
  ): Promise<void>;
  /**
   * Erases turns `from` to `to - 1` (clipped to what exists) for good: text, source and vectors (they become
   * zero), every question that recalled them or whose question or answer they are, and every cache. `derived` replaces what was made from them.
   */
  erase(from: number, to: number, derived: DerivedRecords): Promise<void>;
  /**
   * Drops episodes, clusters, caches and the segmenter's state, and vectors too unless `keepVectors`;
   * `ingested` becomes 0. Kept vectors are found by `findVectors` until a commit under another stamp.
   */
  reset(configuration: ConfigurationName, keepVectors: boolean): Promise<void>;
  /**
   * Vectors already stored for the same text under `stamp`, in this thread (after a reset that kept them) or
   * any other; undefined where there is none or it is zero. `texts[i]` belongs to `found[i]`.
   */
  findVectors(texts: readonly string[], stamp: EmbedderStamp): Promise<(Float32Array | undefined)[]>;
  /** Keeps a question; ids count from 0 in the order of asking. */
  addAsk(ask: Omit<AskRecord, 'id'>): Promise<AskRecord>;
  listAsks(): Promise<AskRecord[]>;
  /** One question, or undefined when it is gone. */
  readAsk(id: number): Promise<AskRecord | undefined>;
  /** Removes a question; one that is gone already is no error. */
  removeAsk(id: number): Promise<void>;
  /** A cache entry, or undefined when there is none; whoever wrote it checks whether it still holds. */
  readCache(kind: string): Promise<unknown>;
  writeCache(kind: string, value: unknown): Promise<void>;
}
