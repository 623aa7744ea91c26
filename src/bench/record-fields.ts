import type { NewTurn, Role } from '../core/turn.ts';
import { LETTERS, type Letter } from './exchange.ts';
import { splitOptions } from './option-lines.ts';
import type { ProblemList } from './problem-list.ts';

/** A record of a pool, wherever it was read. */
export type Fields = Readonly<Record<string, unknown>>;

const ROLES: Readonly<Record<string, Role>> = {
  user: 'user',
  human: 'user',
  model: 'model',
  assistant: 'model',
  bot: 'model',
  ai: 'model',
};

/** Which of a pair comes first: the released packages have the text first, our own pools the role. */
export type PairOrder = 'text-first' | 'role-first';

/** Turns of a dialogue, or what is wrong with it. A turn is a pair or an object; turns without text are left out. */
export function readTurns(value: unknown, order: PairOrder): readonly NewTurn[] | string {
  if (!Array.isArray(value)) return 'is not a list of turns';
  const turns: NewTurn[] = [];
  for (const [i, item] of value.entries()) {
    const turn = readTurn(item, order);
    if (typeof turn === 'string') return `turn ${i + 1} ${turn}`;
    if (turn.text.trim() !== '') turns.push(turn);
  }
  return turns.length > 0 ? turns : 'holds no text';
}

function readTurn(item: unknown, order: PairOrder): NewTurn | string {
  const [role, text] = pairOf(item, order);
  if (typeof role !== 'string' || typeof text !== 'string') return 'is not a pair of role and text';
  const known = roleOf(role);
  if (known) return { role: known, text };
  const other = roleOf(text);
  if (other && Array.isArray(item)) return { role: other, text: role };
  return `has no role that is known: ${JSON.stringify(role.slice(0, 40))}`;
}

function pairOf(item: unknown, order: PairOrder): [role: unknown, text: unknown] {
  if (Array.isArray(item)) {
    if (item.length !== 2) return [undefined, undefined];
    return order === 'role-first' ? [item[0], item[1]] : [item[1], item[0]];
  }
  const fields = item as Fields | null;
  return [fields?.role ?? fields?.from, fields?.text ?? fields?.content ?? fields?.value];
}

function roleOf(text: string): Role | undefined {
  const name = text.toLowerCase();
  return Object.hasOwn(ROLES, name) ? ROLES[name] : undefined;
}

/** The first of `names` that is a text or number, as text. */
export function textField(fields: Fields, ...names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = fields[name];
    if (typeof value === 'string' && value !== '') return value;
    if (typeof value === 'number' || typeof value === 'bigint') return String(value);
  }
  return undefined;
}

/** The texts of a field that holds one or a list of them. */
export function textsField(fields: Fields, ...names: readonly string[]): string[] {
  for (const name of names) {
    const value = fields[name];
    if (typeof value === 'string') return [value];
    if (Array.isArray(value)) return value.filter((one): one is string => typeof one === 'string');
    if (typeof value === 'object' && value !== null) {
      return Object.entries(value).flatMap(([key, on]) => (on ? [key] : []));
    }
  }
  return [];
}

/** The gold letter of a field such as "B", "(B)" or ["b."]; undefined for anything else. */
export function goldLetter(value: unknown): Letter | undefined {
  const texts = Array.isArray(value) ? value : [value];
  for (const text of texts) {
    const letter = typeof text === 'string' ? /^\s*[([]?([A-Za-z])[)\].:]?\s*$/.exec(text)?.[1] : undefined;
    if (letter) return LETTERS.find((known) => known === letter.toUpperCase());
  }
  return undefined;
}

/** The question and its options, from fields of their own or from one text; a problem says when there are none. */
export function readAsked(
  fields: Fields,
  place: string,
  problems: ProblemList,
): { query: string; options?: Readonly<Record<Letter, string>> } | undefined {
  const query = textField(fields, 'query', 'question');
  if (query === undefined) {
    problems.add('unreadable', place, 'it has no question');
    return undefined;
  }
  const options = readOptions(fields.options ?? fields.choices);
  if (options) return { query, options };
  const split = splitOptions(query);
  if (split) return split;
  problems.add('options-not-found', place, 'its four options are not found; it is asked without them');
  return { query };
}

function readOptions(value: unknown): Readonly<Record<Letter, string>> | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const at = (letter: Letter, i: number) => (Array.isArray(value) ? value[i] : (value as Fields)[letter]);
  const texts = LETTERS.map(at);
  if (!texts.every((text): text is string => typeof text === 'string')) return undefined;
  const [A, B, C, D] = texts as [string, string, string, string];
  return { A, B, C, D };
}
