import type { LoadProgress } from '../../answer/answer-engine.ts';
import type { AnswerModel } from '../../answer/models.ts';
import type { EmbedderState } from '../../embed/contract.ts';
import type { Arrangement } from '../arrange.ts';
import type { Batch, BatchStats, PackageManifest } from '../builder.ts';
import type { AnswerWay } from '../engine-answerer.ts';
import type { QueryMode } from '../exchange.ts';
import type { PoolProblem } from '../pool.ts';
import type { BenchResult } from '../result.ts';
import type { BenchProgress } from '../runner.ts';
import type { Selection } from '../select.ts';

export type { BenchProgress, BenchResult, PoolProblem };

/** A file of a package with its path in the folder it came from. */
export interface LabFile {
  readonly path: string;
  readonly file: File;
}

/** Where questions come from. Bundled pools are names of `public/packages`. */
export type PackageSource =
  | { readonly kind: 'bundled'; readonly pool: string }
  | { readonly kind: 'url'; readonly url: string }
  /** A folder, one ZIP, or JSON Lines of one's own. */
  | { readonly kind: 'files'; readonly name: string; readonly files: readonly LabFile[] };

/** What is read: a package, and distractor dialogues beside its own. */
export interface PackageRequest {
  readonly source: PackageSource;
  readonly bundledNoise: readonly string[];
  readonly noiseFiles: readonly File[];
}

/** What was read, counted. */
export interface PoolSummary {
  readonly name: string;
  readonly questions: number;
  /** Topics, or kinds of a world's questions, with how many there are. */
  readonly topics: readonly { readonly name: string; readonly questions: number }[];
  /** Questions that come with options. */
  readonly withOptions: number;
  readonly dialogues: number;
  readonly turns: number;
  readonly tokens: number;
  readonly noise: { readonly dialogues: number; readonly turns: number; readonly tokens: number };
  /** The first of them, each kind's total in `problemCounts`. */
  readonly problems: readonly PoolProblem[];
  readonly problemCounts: Readonly<Record<string, number>>;
}

/** How the threads are made (see `BuildOptions`). */
export interface BuildPlan {
  /** Tokens of each thread; undefined: everything in one. */
  readonly target: number | undefined;
  readonly arrangement: Arrangement;
  readonly masked: boolean;
  readonly seed: number;
  /** Undefined: every question. */
  readonly selection: Selection | undefined;
}

/** What a plan makes of a pool. */
export interface BuildSummary {
  readonly hash: string;
  readonly manifest: PackageManifest;
  readonly batches: readonly (BatchStats & { readonly name: string })[];
  readonly shortBy: number;
}

/** Which language model answers the questions of a run, and how (see `EngineAnswererOptions`). */
export interface AnswerPlan {
  readonly model: AnswerModel;
  readonly way: AnswerWay;
  /** Most tokens of a prompt; left out: what the model's window leaves. */
  readonly contextTokens?: number;
  /** Most tokens of what the model writes. */
  readonly answerTokens?: number;
  /** Systems that their papers have a language model build are built by this one. */
  readonly buildsSystems: boolean;
}

/** What is run on the package. */
export interface RunPlan {
  /** Names of the registry, in the order they run. */
  readonly systems: readonly string[];
  readonly modes: readonly QueryMode[];
  readonly writeBack: boolean;
  /** Name of an embedding model. */
  readonly model: string;
  /** Absent: retrieval only. */
  readonly answer?: AnswerPlan;
}

/** A system as the form offers it. */
export interface SystemChoice {
  readonly name: string;
  readonly title: string;
  readonly summary: string;
}

export interface RunFailure {
  readonly message: string;
  readonly remedy: string;
}

/** Where a run stands. `interrupted`: the page was closed or the worker died in the middle; it can go on. */
export type RunState =
  | { readonly kind: 'running' }
  | { readonly kind: 'paused' }
  | { readonly kind: 'interrupted' }
  | { readonly kind: 'failed'; readonly failure: RunFailure }
  | { readonly kind: 'done' };

/** A run as the list shows it. */
export interface RunView {
  readonly id: string;
  /** Name of the pool, or of the file it was imported from. */
  readonly name: string;
  readonly origin: 'here' | 'imported';
  readonly startedAt: number;
  readonly package: BuildSummary;
  readonly plan: RunPlan;
  readonly state: RunState;
  /** Answered retrievals by system: questions times conditions. */
  readonly done: Readonly<Record<string, number>>;
  /** Retrievals of each system in all. */
  readonly total: number;
}

export type LabEvent =
  /** A run began, went on, stopped or was removed. */
  | { readonly kind: 'runs' }
  | { readonly kind: 'progress'; readonly run: string; readonly progress: BenchProgress }
  | { readonly kind: 'embedder'; readonly state: EmbedderState }
  /** The language model of a run is loading; undefined once it is there. */
  | { readonly kind: 'answer-model'; readonly progress: LoadProgress | undefined }
  /** The lab's worker had died; what it ran is interrupted. */
  | { readonly kind: 'lab-restarted'; readonly message: string };

/**
 * The boundary between a page and the lab worker. Both sides share this file only; the listener is a Comlink
 * proxy. Every call may reject with a SkeinError. One run goes at a time, over all tabs.
 */
export interface LabApi {
  subscribe(listener: (event: LabEvent) => void): Promise<void>;

  /** Every system there is, in the order of tables. */
  listSystems(): Promise<SystemChoice[]>;
  /** Reads a package. Rejects as `readPool` does; what is only in part wrong is told in `problems`. */
  readPackage(request: PackageRequest): Promise<PoolSummary>;
  /** What the plan makes of the package, without running anything. */
  buildPackage(request: PackageRequest, build: BuildPlan): Promise<BuildSummary>;

  /** The key that an endpoint of a run's language model is asked with; kept in the worker's memory only. */
  setAnswerKey(key: string | undefined): Promise<void>;
  /** Builds the package, keeps it, and begins to run; gives the run's id. Rejects with `read-only` when one goes. */
  startRun(request: PackageRequest, build: BuildPlan, plan: RunPlan): Promise<string>;
  /** Stops a run; `resumeRun` goes on behind its last finished question. */
  pauseRun(id: string): Promise<void>;
  resumeRun(id: string): Promise<void>;
  /** Stops a run and forgets it with everything it found. */
  removeRun(id: string): Promise<void>;

  /** The latest first. */
  listRuns(): Promise<RunView[]>;
  /** Rejects with `not-found` for a run that has not finished. */
  readResult(id: string): Promise<BenchResult>;
  /** A thread of a package that was run here. Rejects with `not-found`. */
  readThread(packageHash: string, batch: string): Promise<Batch>;
  /** Takes a result file into the list; gives its id. Rejects with `bad-file`. */
  importResult(file: File): Promise<string>;
}
