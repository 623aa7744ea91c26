import type { NewTurn } from '../core/turn.ts';

/** One turn of a session; `evidence` where the data set marks it as needed for the history's own question. */
export interface SessionTurn extends NewTurn {
  readonly id?: string;
  readonly evidence: boolean;
}

/** One session of a history, in the order of time. `id` is unique within the history. */
export interface Session {
  readonly id: string;
  readonly date: string;
  readonly turns: readonly SessionTurn[];
}

/** A question about a history. */
export interface HistoryQuestion {
  readonly id: string;
  readonly type: string;
  readonly question: string;
  readonly answer: string;
  readonly date?: string;
  /** Right is to say that it can't be answered: nothing can be recalled for it. */
  readonly abstention: boolean;
  /** Sessions and turns that hold the evidence, as the data set labels them. */
  readonly evidenceSessions: readonly string[];
  /** Number of the turn over the whole history, from 0. */
  readonly evidenceTurns: readonly number[];
}

/** Sessions, and what is asked of them (LongMemEval: one question; LoCoMo: some two hundred). */
export interface History {
  readonly id: string;
  readonly sessions: readonly Session[];
  readonly questions: readonly HistoryQuestion[];
}

/** What is known to be wrong with these labels, and what can't be read at all. */
export const LABEL_PROBLEMS = [
  'unreadable',
  'duplicate session id',
  'empty session',
  'empty turn',
  'abstention',
  'adversarial (category 5)',
  'evidence session missing',
  'evidence id malformed',
  'evidence turn missing',
  'no evidence labelled',
  'no answer',
] as const;
export type LabelProblemKind = (typeof LABEL_PROBLEMS)[number];

export interface LabelProblem {
  readonly kind: LabelProblemKind;
  /** File, record and where in it. */
  readonly place: string;
  readonly message: string;
}

/** A data set as read: everything that could be, and a word about the rest. */
export interface HistorySet {
  readonly name: string;
  readonly histories: readonly History[];
  readonly problems: readonly LabelProblem[];
}

/** How often each problem came, in the order of `LABEL_PROBLEMS`, those that came alone. */
export function countLabelProblems(problems: readonly LabelProblem[]): [LabelProblemKind, number][] {
  return LABEL_PROBLEMS.map((kind): [LabelProblemKind, number] => [
    kind,
    problems.filter((problem) => problem.kind === kind).length,
  ]).filter(([, count]) => count > 0);
}

/** `given`: turns know their session (as their `source`); `flat`: one thread without sessions. */
export const BOUNDARIES = ['flat', 'given'] as const;
export type Boundaries = (typeof BOUNDARIES)[number];

/** The history as one thread. */
export function threadOf(history: History, boundaries: Boundaries): NewTurn[] {
  return history.sessions.flatMap(({ id, turns }) =>
    turns.map(({ role, text }) => ({ role, text, ...(boundaries === 'given' && { source: id }) })),
  );
}
