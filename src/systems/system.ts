import type { NewTurn } from '../core/turn.ts';
import type { Embedder } from '../embed/embedder.ts';
import type { Builders } from './model-builders.ts';

/**
 * What a system retrieved as one: whole turns as ranges (`start` to `end - 1`), or, where its unit is no longer
 * whole turns (a summary, a triple), its own text. `parts` explain the score in the system's own terms.
 */
export interface RetrievedUnit {
  readonly ranges: readonly (readonly [start: number, end: number])[];
  readonly text?: string;
  readonly score: number;
  readonly parts?: Readonly<Record<string, number>>;
}

/**
 * Units that a system lists for a question, where it can rank as many: those past its context are for the report,
 * which tells evidence that was never retrieved from evidence that was ranked out.
 */
export const LISTED_UNITS = 50;

/** What a system gives for one question. */
export interface Retrieval {
  /** Ranked units, best first, at most `LISTED_UNITS`. */
  readonly units: readonly RetrievedUnit[];
  /**
   * What would stand in the prompt, in the order in which it stands there, overlaps merged. Evidence is looked
   * for here and context tokens are counted here.
   */
  readonly context: readonly ContextPart[];
  /**
   * For systems with several views (TSIM: raw, summary, cluster): the units that the hits of each view lead to,
   * for view hit rates in the report.
   */
  readonly views?: Readonly<Record<string, readonly RetrievedUnit[]>>;
}

/** A stretch of whole turns, or a text of the system's own making. */
export type ContextPart =
  | { readonly kind: 'turns'; readonly start: number; readonly end: number }
  | { readonly kind: 'text'; readonly text: string };

/** A comparison system: a memory over one thread, built as the turns stream in. Our own memory is one of them. */
export interface MemorySystem {
  /** Takes the next turns of the thread; also how a question and its answer are written back. */
  append(turns: readonly NewTurn[], signal?: AbortSignal): Promise<void>;
  /** Retrieves for a question; changes nothing. */
  retrieve(question: string, signal?: AbortSignal): Promise<Retrieval>;
  /** The system's whole index as units, where it has one; for the report only. */
  index?(): readonly RetrievedUnit[];
}

/** What systems are made from. Vectors are shared by all systems when the embedder caches them. */
export interface SystemPorts {
  readonly embedder: Embedder;
  /** A language model for the systems that their papers have one build; left out: rules in its place. */
  readonly builders?: Builders;
}

/** A system that can be chosen, and how it is made. `name` is what tables and commands call it. */
export interface SystemDescription {
  readonly name: string;
  readonly title: string;
  /** One sentence: what it retrieves and how. */
  readonly summary: string;
  /** The constants it runs with, as plain JSON, for the record of a run. */
  readonly configuration?: Readonly<Record<string, unknown>>;
  create(ports: SystemPorts): Promise<MemorySystem>;
}
