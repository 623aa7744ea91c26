import type { Progress } from '../core/progress.ts';
import type { NewTurn, Turn } from '../core/turn.ts';
import type { EmbedderState } from '../embed/contract.ts';
import type { ImportReport } from '../import/contract.ts';
import type { Reach } from '../memory/reach.ts';
import type { Period } from '../memory/turn-times.ts';
import type {
  AskRecord,
  AsOfChoice,
  BackendChoice,
  ConfigurationName,
  EpisodeRecord,
  NewAnswer,
  RecalledEpisode,
  ThreadRecord,
} from '../store/records.ts';
import type { StorageState } from '../store/storage-state.ts';

export type { AsOfChoice, BackendChoice, NewAnswer, Period, Reach, StorageState };

/** How conversations of an import become threads. */
export type ImportTarget =
  | { readonly kind: 'one-thread'; readonly name: string }
  | { readonly kind: 'thread-each' }
  | { readonly kind: 'append'; readonly threadId: string };

export interface ImportOutcome {
  readonly report: ImportReport;
  readonly threadIds: readonly string[];
}

/** A thread as the list shows it. `ingesting` while a worker embeds it. */
export interface ThreadView extends Omit<ThreadRecord, 'segmenter'> {
  readonly ingesting: boolean;
}

/** An episode as the timeline shows it. */
export interface EpisodeView extends Omit<EpisodeRecord, 'summary'> {
  /** The first words of its first turn. */
  readonly opening: string;
  readonly time?: number;
}

/** A hit of the search over a thread's turns. */
export interface SearchHit {
  readonly turn: number;
  readonly episode: number;
  readonly excerpt: string;
  readonly score: number;
}

export type { Backend, EmbedderState } from '../embed/contract.ts';

/** One entry of the embedder picker. */
export interface EmbedderChoice {
  readonly model: string;
  readonly title: string;
  readonly dimension: number;
  /** Bytes to download. */
  readonly bytes: number;
  readonly licence: string;
  readonly languages: string;
  /** True for the model that the site serves itself; the others are fetched from a hub when chosen. */
  readonly shipped: boolean;
}

/** This tab's part: the leader writes, a reader waits or takes over. */
export type TabRole = 'leader' | 'reader';

export type EngineEvent =
  | { readonly kind: 'threads' }
  | { readonly kind: 'turns'; readonly threadId: string; readonly turns: number }
  | { readonly kind: 'episodes'; readonly threadId: string }
  | { readonly kind: 'asks'; readonly threadId: string }
  | {
      readonly kind: 'ingest';
      readonly threadId: string;
      readonly progress: Progress;
      readonly paused: boolean;
    }
  | { readonly kind: 'ingest-done'; readonly threadId: string }
  | {
      readonly kind: 'ingest-failed';
      readonly threadId: string;
      readonly message: string;
      readonly remedy: string;
    }
  | { readonly kind: 'import'; readonly file: string; readonly progress: Progress }
  | { readonly kind: 'embedder'; readonly state: EmbedderState }
  | { readonly kind: 'tab'; readonly role: TabRole }
  /** The engine's worker had died and runs again: calls that were pending have been rejected. */
  | { readonly kind: 'engine-restarted'; readonly message: string };

/**
 * The boundary between a page and the engine worker. Both sides share this file only.
 * Every call may reject with a SkeinError. Turns are acknowledged when they are durable.
 */
export interface EngineApi {
  /** Events from now on, the tab's role and every running ingest first; the listener is a Comlink proxy. */
  subscribe(listener: (event: EngineEvent) => void): Promise<void>;

  listThreads(): Promise<ThreadView[]>;
  createThread(name: string): Promise<ThreadView>;
  renameThread(threadId: string, name: string): Promise<void>;
  /** Erases the thread and everything derived from it. */
  deleteThread(threadId: string): Promise<void>;
  /** A new thread of the first `turns` turns, with their vectors, episodes and questions. */
  branchThread(threadId: string, turns: number, name: string): Promise<ThreadView>;
  /** Rebuilds the episodes under another configuration, from the stored vectors. */
  configureThread(threadId: string, configuration: ConfigurationName): Promise<void>;
  /** The demo thread with its ready-made vectors; `questions` are examples to ask. */
  loadDemo(signal?: AbortSignal): Promise<{ threadId: string; questions: string[] }>;
  /** The example questions of a thread that came with some (the demo). */
  exampleQuestions(threadId: string): Promise<string[]>;

  /** Stores the turns, then embeds and segments them in the background. */
  append(threadId: string, turns: readonly NewTurn[]): Promise<{ from: number; to: number }>;
  readTurns(threadId: string, from: number, to: number): Promise<Turn[]>;
  editTurn(threadId: string, index: number, text: string): Promise<void>;
  /** Erases turns for good; there is no undo. */
  eraseTurns(threadId: string, from: number, to: number): Promise<void>;

  /** Goes on embedding what is not yet ingested; a no-op when it is under way or done. */
  resumeIngest(threadId: string): Promise<void>;
  pauseIngest(threadId: string): Promise<void>;

  /**
   * Recalls the episodes that decide a question and keeps it beside the thread. With `asOf`, from what was said up to
   * then alone; `bad-argument` when that is nothing, or a day is named and no turn has a date.
   */
  ask(threadId: string, question: string, asOf?: AsOfChoice, signal?: AbortSignal): Promise<AskRecord>;
  /** The turns that a question as of then is answered from. Errors: `bad-argument`, as `ask`, but may be none. */
  reach(threadId: string, asOf: AsOfChoice): Promise<Reach>;
  /** When the earliest and the latest turn were said; undefined when no turn has a date. */
  period(threadId: string): Promise<Period | undefined>;
  /** To be called when a question is about to come: opens the thread's memory, so that the answer comes sooner. */
  prepare(threadId: string): Promise<void>;
  /** What `ask` would recall; nothing is kept. */
  recall(threadId: string, question: string, signal?: AbortSignal): Promise<RecalledEpisode[]>;
  listAsks(threadId: string): Promise<AskRecord[]>;
  removeAsk(threadId: string, askId: number): Promise<void>;
  /**
   * Keeps an answer to a question: the first one as two turns, question and answer, durable together; a later one in
   * place of the one shown, which is kept as an earlier version.
   */
  keepAnswer(threadId: string, askId: number, answer: NewAnswer): Promise<AskRecord>;
  /** Lets the turn of an answer read as another of its versions. */
  showAnswer(threadId: string, askId: number, version: number): Promise<void>;

  listEpisodes(threadId: string): Promise<EpisodeView[]>;
  /** Words anywhere in the thread, best first. */
  search(threadId: string, query: string, limit: number): Promise<SearchHit[]>;
  pinEpisode(threadId: string, episode: number, pinned: boolean): Promise<void>;
  /** A forgotten episode is not recalled until it is remembered again. */
  forgetEpisode(threadId: string, episode: number, forgotten: boolean): Promise<void>;

  importFiles(files: readonly File[], target: ImportTarget, signal?: AbortSignal): Promise<ImportOutcome>;
  /** The thread with episodes, vectors and questions as one file that `importFiles` reads back. */
  exportThread(threadId: string): Promise<{ name: string; blob: Blob }>;
  exportEverything(): Promise<{ name: string; blob: Blob }>;
  /** Deletes every thread, setting and cached model of this site. */
  eraseEverything(): Promise<void>;

  storage(): Promise<StorageState>;
  embedderChoices(): Promise<EmbedderChoice[]>;
  embedderState(): Promise<EmbedderState>;
  /** Chooses the embedder for threads from now on; a thread made with another one is re-embedded on consent. */
  chooseEmbedder(model: string): Promise<void>;
  backendChoice(): Promise<BackendChoice>;
  /** Where embedding is computed from now on. */
  chooseBackend(choice: BackendChoice): Promise<void>;
  /** The consent: embeds the thread again with the chosen embedder and rebuilds its episodes, in the background. */
  reembedThread(threadId: string): Promise<void>;
  /** Takes over writing from another tab (see TabRole). */
  takeOver(): Promise<void>;
}
