import type { NewTurn } from '../core/turn.ts';
import type { ExchangeQuestion, Letter } from './exchange.ts';

/** A conversation as its source has it; `id` names it in problems and reports. */
export interface Dialogue {
  readonly id: string;
  readonly turns: readonly NewTurn[];
}

/** Words copied from one turn of the dialogue `dialogue`. */
export interface Evidence {
  readonly dialogue: string;
  readonly text: string;
}

/** A question with its gold. What a system may see of it is the `ExchangeQuestion` part. */
export interface BenchQuestion extends ExchangeQuestion {
  readonly gold?: Letter;
  readonly evidence: readonly Evidence[];
  readonly reasoning?: string;
  readonly topic?: string;
  /** Who wrote the question, where a package says so. */
  readonly creator?: string;
  /** What a question about a world asks for: current, historical, bridge and so on. */
  readonly kind?: string;
  readonly stress: readonly string[];
}

/** Dialogues that stay together, in their order, with the questions about them: one record, or one world. */
export interface BenchCase {
  readonly id: string;
  readonly dialogues: readonly CaseDialogue[];
  readonly questions: readonly BenchQuestion[];
  /** The batch a package puts it in, where it says so. */
  readonly batch?: string;
}

export interface CaseDialogue extends Dialogue {
  /** Day since the start of a world; absent where dialogues have no dates. */
  readonly day?: number;
}

/** What is left out of a pool, and why. */
export interface PoolProblem {
  /** File and line, record or id. */
  readonly place: string;
  readonly kind: ProblemKind;
  readonly message: string;
}

export type ProblemKind =
  | 'unreadable'
  | 'missing-name'
  | 'duplicate-id'
  | 'empty-dialogue'
  | 'evidence-not-found'
  | 'gold-letter'
  | 'options-not-found'
  /** Nothing is left out, but a reader should know. */
  | 'note';

/** Everything that packages are built from. */
export interface Pool {
  readonly name: string;
  readonly cases: readonly BenchCase[];
  readonly noise: readonly Dialogue[];
  readonly problems: readonly PoolProblem[];
  /** What a released package says of itself (its manifest), as read. */
  readonly manifest?: Readonly<Record<string, unknown>>;
}

/** Questions of `cases`, in order. */
export function questionsOf(cases: readonly BenchCase[]): BenchQuestion[] {
  return cases.flatMap((one) => one.questions);
}

/** How many problems there are of each kind. */
export function countProblems(problems: readonly PoolProblem[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { kind } of problems) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}
