import type { EmbedderStamp } from '../embed/embedder.ts';
import type { ContextPart } from '../systems/system.ts';
import type { BatchStats, PackageManifest, PlacedQuestion } from './builder.ts';
import type { ExchangeUnit, Letter, QueryMode } from './exchange.ts';
import type { IndexScore } from './index-score.ts';
import type { SystemSummary } from './metrics.ts';
import type { RetrievalScore } from './retrieval-score.ts';
import type { Selection } from './select.ts';

export const RESULT_FORMAT = 'skein-scaleqa-result';

/** A given answer. */
export interface GivenAnswer {
  readonly text: string;
  /** Null: no letter could be read out of the answer; it counts as wrong. */
  readonly letter: Letter | null;
  readonly correct: boolean;
  readonly rationale?: string;
  /** Cosine of the predicted and the gold rationale; 0 when one is missing. */
  readonly rationaleSimilarity: number;
  /** Why there is no answer: the engine's error. */
  readonly dropped?: string;
  /** Turns and texts of the context that did not fit the model's window, the first ones; absent: none. */
  readonly leftOut?: number;
}

/** What one system did with one question in one mode. */
export interface QuestionLine extends RetrievalScore {
  readonly batch: string;
  readonly id: string;
  readonly mode: QueryMode;
  /** The first units listed, best first. */
  readonly units: readonly ExchangeUnit[];
  readonly context: readonly ContextPart[];
  /** Some unit of the system's index holds all the evidence; absent where it has no index. */
  readonly inOneUnit?: boolean;
  readonly answer?: GivenAnswer;
}

/** A system's part of a result. */
export interface SystemResult {
  readonly name: string;
  readonly title: string;
  readonly configuration: Readonly<Record<string, unknown>>;
  /** One entry a batch, where the system has an index. */
  readonly index: readonly IndexScore[];
  readonly questions: readonly QuestionLine[];
  readonly summary: SystemSummary;
}

/** What a run was asked to do; equal settings on an equal package give equal bytes. */
export interface RunSettings {
  readonly embedder: EmbedderStamp;
  readonly modes: readonly QueryMode[];
  /** Questions (and answers, where there are some) are appended to the memory after each question. */
  readonly writeBack: boolean;
  /** Which of the package's questions are asked; absent: all. */
  readonly ask?: Selection;
  /** Units kept of each retrieval. */
  readonly keptUnits: number;
  /** Absent: retrieval only. */
  readonly answerer?: string;
  /** The language model that built the systems which take one; absent: rules in its place. */
  readonly builtBy?: string;
  /** Version of the engine. */
  readonly engine: string;
}

export interface Shard {
  /** From 1. */
  readonly index: number;
  readonly of: number;
}

/** A question with its gold, as the result tells it so that it can be scored again. */
export type AskedQuestion = PlacedQuestion & { readonly batch: string };

/** Everything a run found. Outside `timings`, equal runs are equal byte for byte. */
export interface BenchResult {
  readonly format: typeof RESULT_FORMAT;
  readonly version: 1;
  readonly package: {
    readonly hash: string;
    readonly manifest: PackageManifest;
    readonly batches: readonly (BatchStats & { readonly name: string })[];
    /** Tokens that the threads lack of the target for want of distractors. */
    readonly shortBy: number;
  };
  readonly settings: RunSettings;
  readonly shard?: Shard;
  readonly questions: readonly AskedQuestion[];
  readonly systems: readonly SystemResult[];
  readonly timings: Timings;
}

export interface Timings {
  readonly finishedAt: string;
  /** The machine and what ran there, in words. */
  readonly machine: string;
  /** The most memory the process held; of shards, the largest. Absent where it can't be told (in a browser). */
  readonly peakMemoryBytes?: number;
  readonly systems: readonly SystemTimings[];
}

export interface SystemTimings {
  readonly name: string;
  /** Milliseconds to build the memories of all batches; vectors that were cached cost nothing. */
  readonly buildMs: number;
  readonly questions: readonly QuestionTiming[];
}

export interface QuestionTiming {
  readonly batch: string;
  readonly id: string;
  readonly mode: QueryMode;
  readonly retrieveMs: number;
  readonly answerMs?: number;
}
