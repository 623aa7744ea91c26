import type { AnswerModel } from '../../answer/models.ts';
import type { Boundaries, LabelProblemKind } from '../../bench/histories.ts';
import type { Table } from '../../bench/tables.ts';
import type { Progress } from '../../core/progress.ts';
import type { QueryEffects } from '../result.ts';

/** Where a corpus comes from: the bundled example, or a file of one's own. */
export type CorpusSource = { readonly kind: 'example' } | { readonly kind: 'file'; readonly file: File };

export interface HistorySummary {
  readonly id: string;
  readonly title: string;
  readonly turns: number;
  readonly tokens: number;
  readonly checkpoints: number;
  readonly probes: number;
}

export interface CorpusSummary {
  readonly name: string;
  readonly histories: readonly HistorySummary[];
}

export interface ReplayRequest {
  readonly source: CorpusSource;
  /** Ids of the histories that are replayed. */
  readonly histories: readonly string[];
  /** Names of conditions (see `findCondition`). */
  readonly conditions: readonly string[];
  readonly queryEffects: QueryEffects;
  /** The language model that answers and grades; absent: contexts alone are scored. `key` is for endpoints. */
  readonly answer?: { readonly model: AnswerModel; readonly key?: string | undefined };
}

/** What a file of LongMemEval or LoCoMo holds. */
export interface HistoriesSummary {
  readonly name: string;
  readonly histories: number;
  readonly questions: number;
  readonly problems: readonly (readonly [LabelProblemKind, number])[];
}

export interface HistoriesRequest {
  readonly file: File;
  /** Names of systems (see `findHistorySystem`). */
  readonly systems: readonly string[];
  readonly boundaries: readonly Boundaries[];
  /** So many questions, evenly over types. */
  readonly questions: number;
}

export interface HistoriesResult {
  readonly table: Table;
  /** As headless: the report, and every question as JSON Lines. */
  readonly report: string;
  readonly ledger: string;
}

/** The boundary between the page and the replay worker. Every call may reject with a SkeinError. */
export interface ReplayApi {
  /** Reads a corpus and says what is in it. */
  describe(source: CorpusSource): Promise<CorpusSummary>;
  /** Replays it with the shipped embedder; resolves to the observation ledger. */
  run(
    request: ReplayRequest,
    onProgress: (progress: Progress, place: string) => void,
    signal?: AbortSignal,
  ): Promise<string>;
  /** Reads a file of LongMemEval or LoCoMo and says what is in it. */
  describeHistories(file: File): Promise<HistoriesSummary>;
  /** Asks its questions; retrieval alone is scored. */
  runHistories(
    request: HistoriesRequest,
    onProgress: (progress: Progress, place: string) => void,
    signal?: AbortSignal,
  ): Promise<HistoriesResult>;
}
