import { SkeinError } from '../core/errors.ts';
import type { NewTurn, Role } from '../core/turn.ts';

/** The four letters of a question's options, in order. */
export const LETTERS = ['A', 'B', 'C', 'D'] as const;
export type Letter = (typeof LETTERS)[number];

/** A question as a system may see it: no gold, no evidence. */
export interface ExchangeQuestion {
  readonly id: string;
  readonly query: string;
  readonly options?: Readonly<Record<Letter, string>>;
}

/** A ready thread without gold, that any system can be run on. */
export interface ExchangeThread {
  /** Names the thread in what was retrieved from it. */
  readonly sha: string;
  readonly turns: readonly NewTurn[];
  readonly questions: readonly ExchangeQuestion[];
}

/** A question is asked alone, as in a chat, and with its options, as in the paper's protocol. */
export type QueryMode = 'query' | 'query+options';

/**
 * A retrieved unit: turns `start` to `end - 1` of each range, or the text of a unit that is no longer whole turns,
 * with its score and the score's parts.
 */
export interface ExchangeUnit {
  readonly ranges?: readonly (readonly [start: number, end: number])[];
  readonly text?: string;
  readonly score?: number;
  readonly parts?: Readonly<Record<string, number>>;
}

/** Reads a thread in the exchange format; errors (`bad-file`) name `file` and the place in it. */
export function readExchangeThread(json: string, file: string): ExchangeThread {
  const value = parseJson(json, file);
  const { sha, turns, questions = [] } = asObject(value, file);
  if (!Array.isArray(turns)) throw bad(file, 'has no list "turns"');
  if (!Array.isArray(questions)) throw bad(file, '"questions" is not a list');
  return {
    sha: typeof sha === 'string' ? sha : '',
    turns: turns.map((turn, i) => readTurn(turn, `${file}, turn ${i}`)),
    questions: questions.map((question, i) => readQuestion(question, `${file}, question ${i + 1}`)),
  };
}

/** The text a question is asked with: options follow one a line, as in "A. ...". */
export function questionText(question: ExchangeQuestion, mode: QueryMode): string {
  const { query, options } = question;
  if (mode === 'query' || !options) return query;
  return [query, ...LETTERS.map((letter) => `${letter}. ${options[letter]}`)].join('\n');
}

/** The modes a question can be asked in. */
export function modesOf(question: ExchangeQuestion): QueryMode[] {
  return question.options ? ['query', 'query+options'] : ['query'];
}

/** Head line of what a system retrieved: its whole index as units, where it has one. */
export function headLine(sha: string, system: string, units?: readonly ExchangeUnit[]): string {
  return JSON.stringify({ thread: sha, system, ...(units && { units }) });
}

/** One question's line, its units best first. */
export function resultLine(id: string, mode: QueryMode, units: readonly ExchangeUnit[]): string {
  return JSON.stringify({ id, mode, units });
}

const ROLES: ReadonlyMap<unknown, Role> = new Map([
  ['user', 'user'],
  ['human', 'user'],
  ['model', 'model'],
  ['assistant', 'model'],
]);

function readTurn(value: unknown, place: string): NewTurn {
  if (!Array.isArray(value) || value.length !== 2) throw bad(place, 'is not [role, text]');
  const [role, text] = value as [unknown, unknown];
  const known = ROLES.get(role);
  if (!known) throw bad(place, `has the role ${JSON.stringify(role)}; expected "user" or "model"`);
  if (typeof text !== 'string') throw bad(place, 'has no text');
  return { role: known, text };
}

function readQuestion(value: unknown, place: string): ExchangeQuestion {
  const { id, query, options } = asObject(value, place);
  if (typeof id !== 'string' && typeof id !== 'number') throw bad(place, 'has no "id"');
  if (typeof query !== 'string') throw bad(place, 'has no "query"');
  if (options === undefined || options === null) return { id: String(id), query };
  const named = asObject(options, `${place}, options`);
  for (const letter of LETTERS) {
    if (typeof named[letter] !== 'string') throw bad(place, `has no option ${letter}`);
  }
  return { id: String(id), query, options: named as Record<Letter, string> };
}

function parseJson(json: string, file: string): unknown {
  try {
    return JSON.parse(json);
  } catch (error) {
    throw bad(file, `is not JSON: ${(error as Error).message}`);
  }
}

function asObject(value: unknown, place: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw bad(place, 'is not an object');
  return value as Record<string, unknown>;
}

function bad(place: string, what: string): SkeinError {
  return new SkeinError('bad-file', `${place}: ${what}.`, 'See docs/recall.md for the exchange format.');
}
