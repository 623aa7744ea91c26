import type { Turn } from '../core/turn.ts';
import type { EmbedderStamp } from '../embed/embedder.ts';

/** The named configurations of the memory (see src/memory/configurations.ts). */
export const CONFIGURATION_NAMES = ['tsim', 'tsim-fitted', 'skein'] as const;
export type ConfigurationName = (typeof CONFIGURATION_NAMES)[number];

/** Where embedding is computed: where this device does it best, or where a person wants it. */
export type BackendChoice = 'automatic' | 'webgpu' | 'wasm';

/** A thread's head: what a list shows and what opening it needs first. */
export interface ThreadRecord {
  readonly id: string;
  readonly name: string;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly configuration: ConfigurationName;
  /** Number of turns stored. */
  readonly turns: number;
  /** Number of turns that have their vector and their place in an episode: the rest is still to be embedded. */
  readonly ingested: number;
  /** Token estimate of all turns. */
  readonly tokens: number;
  /** The embedder of the thread's vectors; absent until the first is stored. */
  readonly stamp?: EmbedderStamp;
  /** State of the streaming segmenter after `ingested` turns; plain JSON, opaque to the store. */
  readonly segmenter?: unknown;
  /** Example questions of a thread that came with some. */
  readonly questions?: readonly string[];
  /** Where a thread that was branched off another one left it: the first `turns` turns are the other one's. */
  readonly branchedFrom?: { readonly threadId: string; readonly turns: number };
}

/** An episode: the contiguous turns `start` to `end - 1`. Closed ones never change their bounds. */
export interface EpisodeRecord {
  readonly id: number;
  readonly start: number;
  readonly end: number;
  readonly tokens: number;
  readonly closed: boolean;
  readonly pinned?: boolean;
  /** Forgotten episodes stay in the thread but are never recalled; the time it happened. */
  readonly forgottenAt?: number;
  /** Vector of the summary view, in configurations that have one. */
  readonly summary?: Float32Array;
}

/** A cluster of episodes (TSIM, M2) and the vector of its summary. */
export interface ClusterRecord {
  readonly id: number;
  readonly members: readonly number[];
  readonly vector: Float32Array;
}

/** Turns `start` to `end - 1` of one episode, recalled with others as one family. */
export interface RecalledRange {
  readonly episode: number;
  readonly start: number;
  readonly end: number;
  /** The range of the family that begins here is from a later episode on the same matter: what it says is newer. */
  readonly continuedAt?: number;
  /** Of a question as of a time: the turn, said since then, in which the matter is taken up again. */
  readonly sinceAt?: number;
}

/** One recalled episode under an asked question. */
export interface RecalledEpisode {
  readonly episode: number;
  readonly start: number;
  readonly end: number;
  readonly score: number;
  /** Named parts of the score, in the configuration's own terms. */
  readonly parts: Readonly<Record<string, number>>;
  /**
   * In configurations that recall families, what is recalled in thread order, of this episode and of others that
   * belong to it; absent: the whole episode.
   */
  readonly ranges?: readonly RecalledRange[];
  /** Words of the question that the episode holds, rarest first. */
  readonly terms: readonly string[];
  /** The turns that fit the question best, best first. */
  readonly decisive: readonly number[];
}

/** One answer of a language model to a question, and how it came about. */
export interface AnswerVersion {
  /** The answer; absent for the one that is shown, whose text is that of its turn. */
  readonly text?: string;
  readonly answeredAt: number;
  /** Id and title of the model, and what ran it where, in the words of src/answer. */
  readonly model: string;
  readonly title: string;
  readonly engine: string;
  readonly backend: string;
  readonly promptTokens: number;
  readonly tokens: number;
  /** Tokens of the prompt that the recalled episodes took. */
  readonly recalledTokens: number;
  /** From the start of reading the prompt to the first piece of text. */
  readonly firstTokenMs?: number;
  /** From the start of reading the prompt to the end. */
  readonly milliseconds: number;
  readonly finish: 'stop' | 'length' | 'interrupted';
  /** Episodes that stood in the prompt; `[1]` in the answer names the first of them. */
  readonly passages: readonly AnswerPassage[];
  /** Numbers of the recent turns that stood in the prompt beside the passages; absent in answers of earlier versions. */
  readonly recent?: readonly number[];
  /** Places in `passages`, from 0, that the answer names. */
  readonly cited: readonly number[];
}

/** An answer to be kept. */
export type NewAnswer = AnswerVersion & { readonly text: string };

/** The turns `start` to `end - 1` of an episode, as they stood in a prompt. */
export interface AnswerPassage {
  readonly episode: number;
  readonly start: number;
  readonly end: number;
}

/** The answers of a language model to a question. Question and answer are turns of the thread. */
export interface AnswerRecord {
  /** Index of the question's turn. */
  readonly question: number;
  /** Index of the answer's turn. */
  readonly turn: number;
  /** Oldest first. */
  readonly versions: readonly AnswerVersion[];
  /** Place in `versions` of the one whose text the turn has. */
  readonly shown: number;
}

/** Turns `start` to `end - 1`. */
export interface TurnRun {
  readonly start: number;
  readonly end: number;
}

/** Up to when a person wants a question answered: the end of a day of theirs, or a number of turns. */
export type AsOfChoice =
  | {
      readonly kind: 'day';
      /** The day as the person chose it, "2026-03-14". */
      readonly day: string;
      /** Its end where the person was: what was said before it (milliseconds since 1970) is answered from. */
      readonly before: number;
    }
  | { readonly kind: 'turn'; readonly turns: number };

/** Up to when a question was answered, and from which turns: nothing else was looked at. */
export type AsOf = AsOfChoice & {
  /** Those turns, in thread order. */
  readonly runs: readonly TurnRun[];
  /** How many of them have no time of their own, and took that of their neighbours. */
  readonly placed: number;
};

/**
 * A question asked of a thread, kept beside it and never recalled. One that a language model answered is a turn, too,
 * and this record says what it recalled and how it was answered.
 */
export interface AskRecord {
  readonly id: number;
  readonly text: string;
  readonly askedAt: number;
  /** The question is shown before turn `position`: the number of turns the thread had, or the turn after its answer. */
  readonly position: number;
  /** Number of turns that could be recalled when it was asked. */
  readonly ingested: number;
  readonly configuration: ConfigurationName;
  readonly episodes: readonly RecalledEpisode[];
  /** Present where only what was said up to a time was to be recalled. */
  readonly asOf?: AsOf;
  /** From the question to the episodes, embedding it (and loading the model, the first time) included. */
  readonly milliseconds: number;
  /** The part of it behind the embedding: what of searching and ranking was not done meanwhile. */
  readonly rankMilliseconds?: number;
  /** Present once a language model has answered. */
  readonly answer?: AnswerRecord;
}

/** The question that appended turns settle: they are the question and its first answer. */
export interface SettledAsk {
  readonly askId: number;
  readonly version: AnswerVersion;
}

/** Records made from turns, stored in the same transaction as a change of those turns. */
export interface DerivedRecords {
  /** Each replaces the episode of the same id. */
  readonly episodes?: readonly EpisodeRecord[];
  /** Each replaces the cluster of the same id. */
  readonly clusters?: readonly ClusterRecord[];
  /** Each replaces the question of the same id; `not-found`, and nothing is stored, when it is gone. */
  readonly asks?: readonly AskRecord[];
  /** Replaces the segmenter's state when present. */
  readonly segmenter?: unknown;
}

/** What one ingest step makes durable, all or nothing. */
export interface IngestCommit {
  readonly stamp: EmbedderStamp;
  /** First turn of the step; equals the thread's `ingested` before it. */
  readonly from: number;
  /** One vector a turn. */
  readonly vectors: readonly Float32Array[];
  /** Episodes that are new or changed; each replaces the one of the same id. */
  readonly episodes: readonly EpisodeRecord[];
  /** Clusters that are new or changed; each replaces the one of the same id. */
  readonly clusters: readonly ClusterRecord[];
  readonly segmenter: unknown;
}

/** Everything that opening a thread reads, without the texts. */
export interface StoredThread {
  readonly thread: ThreadRecord;
  readonly episodes: readonly EpisodeRecord[];
  readonly clusters: readonly ClusterRecord[];
  /** `ingested` rows of `stamp.dimension` floats, one after the other. */
  readonly vectors: Float32Array;
}

export type StoredTurn = Turn;

/**
 * Consecutive vectors of one thread in one record: rows `block * BLOCK_ROWS` and on, each of `stamp.dimension`
 * floats. A zero row stands for a vector that is not there (erased, or its text was rewritten before ingest).
 */
export interface VectorBlock {
  readonly block: number;
  readonly stamp: EmbedderStamp;
  readonly vectors: Float32Array;
}

/** Everything a store holds of one thread, except caches, which can be rebuilt. */
export interface ThreadSnapshot {
  readonly thread: ThreadRecord;
  readonly turns: readonly StoredTurn[];
  readonly episodes: readonly EpisodeRecord[];
  readonly clusters: readonly ClusterRecord[];
  readonly asks: readonly AskRecord[];
  readonly blocks: readonly VectorBlock[];
}
