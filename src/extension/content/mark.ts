import { localDay } from '../../store/as-of.ts';
import type { OfferedEpisode } from '../messages.ts';

/** Anything between letters that a page may drop or that hides a word from a pattern. */
const GAP = '[^\\p{L}\\p{N}]*';
const spelled = (word: string) => [...word].join(GAP);
/** What reads as one of our marks, however it is spaced or decorated. */
const LOOKALIKE = new RegExp(`\\[(?=${GAP}(?:${spelled('endof')}${GAP})?${spelled('skeinmemory')})`, 'giu');
/** Control characters, and those that turn the reading direction around and could move a mark about. */
const INVISIBLE = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu;

const WHOLE = /\[Skein\s+memory\s+([a-z\d]{6}):[\s\S]*?\[end\s+of\s+Skein\s+memory\s+\1\]/g;
const UNFINISHED = /\[Skein\s+memory\s+[a-z\d]{6}:[\s\S]*$/;

/**
 * The text that is inserted for `episodes`: plain, quoted line by line between two marks that carry the same
 * name, which no remembered text can know beforehand.
 *
 * @param name six letters or digits
 */
export function markedMemory(episodes: readonly OfferedEpisode[], name = randomName()): string {
  const count = episodes.length === 1 ? '1 episode' : `${episodes.length} episodes`;
  const quoted = episodes.map((episode, at) => quote(episodeLines(episode, at + 1)));
  return [
    `[Skein memory ${name}: ${count} from earlier conversations]`,
    quoted.join('\n>\n'),
    '',
    `[end of Skein memory ${name}]`,
  ].join('\n');
}

/** `text` without what we inserted into it; a block whose end is missing is cut to the end. */
export function withoutMarked(text: string): string {
  if (!text.includes('[Skein')) return text;
  return text.replace(WHOLE, '').replace(UNFINISHED, '').trim();
}

/** `text` as it may stand between our marks: nothing in it reads as one of them. */
export function harmless(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(INVISIBLE, (character) => (character === '\n' || character === '\t' ? character : ''))
    .replace(LOOKALIKE, '(');
}

function episodeLines({ turns, at }: OfferedEpisode, number: number): string[] {
  const said = turns.map(
    ({ role, text }) => `${role === 'user' ? 'User' : 'Assistant'}: ${harmless(text).trim()}`,
  );
  return [`Episode ${number}${at === undefined ? '' : `, ${localDay(at)}`}`, ...said];
}

function quote(paragraphs: readonly string[]): string {
  return paragraphs
    .flatMap((paragraph) => paragraph.split('\n'))
    .map((line) => (line === '' ? '>' : `> ${line}`))
    .join('\n');
}

function randomName(): string {
  const letters = 'abcdefghijklmnopqrstuvwxyz0123456789';
  return [...crypto.getRandomValues(new Uint8Array(6))].map((byte) => letters[byte % 36]).join('');
}
