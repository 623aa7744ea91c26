import type { Turn } from '../core/turn.ts';
import { ageInWords } from './age.ts';
import { plainText } from './plain-text.ts';

/** A recalled episode as it comes to the prompt. */
export interface Passage {
  /** In thread order, without gaps. */
  readonly turns: readonly Turn[];
  /** The higher, the longer it stays when the budget is short. */
  readonly score: number;
  /** Numbers of the turns that decided the recall; they are the last to be left out. */
  readonly decisive?: readonly number[];
}

/** A passage as it stands in a prompt. */
export interface CitedPassage {
  /** The number that an answer cites it by, from 1 in thread order. */
  readonly number: number;
  readonly passage: Passage;
  /** Numbers of its turns that went in. */
  readonly turns: readonly number[];
}

/** Where and when, for the prompt and for a person. */
export interface PlaceInThread {
  /** Turns of the whole thread. */
  readonly threadLength: number;
  /** Milliseconds since 1970. */
  readonly now: number;
}

const GAP = '[...]';
const NEIGHBOURS = 1;
const WITHOUT_MARKS = 4;

/** Numbers of the turns that matter most: the decisive ones with their neighbours, or else the first few. */
export function coreOf({ turns, decisive = [] }: Passage): number[] {
  const near = turns.filter(({ index }) => decisive.some((turn) => Math.abs(turn - index) <= NEIGHBOURS));
  return (near.length > 0 ? near : turns.slice(0, WITHOUT_MARKS)).map(({ index }) => index);
}

/** The passage between its delimiters, with its number, place and age. No turn is longer than `turnLimit`. */
export function passageText(
  { number, passage, turns: kept }: CitedPassage,
  { threadLength, now }: PlaceInThread,
  turnLimit: number,
): string {
  const first = passage.turns[0]!;
  const last = passage.turns.at(-1)!;
  const time = last.time ?? first.time;
  const age = time === undefined ? '' : `, ${ageInWords(time, now)}`;
  const lines = [
    `<episode ${number}> turns ${first.index + 1} to ${last.index + 1} of ${threadLength}${age}`,
  ];
  let previous: number | undefined;
  for (const turn of passage.turns) {
    if (!kept.includes(turn.index)) continue;
    if (turn.index !== (previous ?? first.index - 1) + 1) lines.push(GAP);
    lines.push(turnText(turn, turnLimit));
    previous = turn.index;
  }
  if (previous !== last.index) lines.push(GAP);
  return [...lines, `</episode ${number}>`].join('\n');
}

/** A turn on lines of its own. Only its first line begins at the margin, so that no text can pose as a turn. */
export function turnText({ role, text }: Pick<Turn, 'role' | 'text'>, limit: number): string {
  const speaker = role === 'user' ? 'User' : 'Assistant';
  return `${speaker}: ${cutMiddle(plainText(text).trim(), limit).replaceAll('\n', '\n  ')}`;
}

/** `text` in at most `limit` UTF-16 units, beginning and end kept, with a mark where the middle was. */
export function cutMiddle(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const mark = ` ${GAP} `;
  const room = Math.max(0, limit - mark.length);
  const head = text.slice(0, Math.ceil(room / 2));
  const tail = room < 2 ? '' : text.slice(-Math.floor(room / 2));
  return (head + mark + tail).toWellFormed();
}
