import { SkeinError } from '../core/errors.ts';

/** One element of a top-level JSON array, unread. */
export interface JsonItem {
  readonly text: string;
  /** Line that it starts on, from 1. */
  readonly line: number;
}

/**
 * The elements of a file's top-level array one by one, so that a broken one costs only itself and a large file is
 * never a tree in memory as a whole. Throws `bad-file` when the text is no array.
 */
export function* jsonItems(text: string, file: string): Generator<JsonItem> {
  let at = text.search(/\S/);
  if (at < 0 || text[at] !== '[') {
    throw new SkeinError('bad-file', `${file} is no JSON list.`, 'Give the data set as it was released.');
  }
  let line = 1 + lines(text, 0, at);
  at++;
  while (at < text.length) {
    const start = at;
    const end = endOfItem(text, at);
    const item = text.slice(start, end);
    const lead = item.length - item.trimStart().length;
    if (item.trim() !== '') yield { text: item.trim(), line: line + lines(item, 0, lead) };
    line += lines(text, start, end);
    if (text[end] !== ',') return;
    at = end + 1;
  }
}

/** The comma or bracket behind the element that starts at `at`. */
function endOfItem(text: string, at: number): number {
  let depth = 0;
  for (let i = at; i < text.length; i++) {
    const character = text[i];
    if (character === '"') i = endOfString(text, i);
    else if (character === '{' || character === '[') depth++;
    else if (character === '}' || character === ']') {
      if (depth === 0) return i;
      depth--;
    } else if (character === ',' && depth === 0) return i;
  }
  return text.length;
}

function endOfString(text: string, at: number): number {
  for (let i = at + 1; i < text.length; i++) {
    if (text[i] === '\\') i++;
    else if (text[i] === '"') return i;
  }
  return text.length;
}

function lines(text: string, from: number, to: number): number {
  let count = 0;
  for (let i = text.indexOf('\n', from); i >= 0 && i < to; i = text.indexOf('\n', i + 1)) count++;
  return count;
}
