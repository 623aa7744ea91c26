import { SkeinError } from '../core/errors.ts';

/** Parses JSON. Throws `bad-file` with line, column and what was expected there. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const place = findJsonError(text);
    const detail = place ? `line ${place.line}, column ${place.column}: ${place.problem}` : String(error);
    throw new SkeinError('bad-file', `Not valid JSON: ${detail}.`, '', { cause: error });
  }
}

export interface JsonErrorPlace {
  /** Both count from 1; a column is a UTF-16 unit. */
  readonly line: number;
  readonly column: number;
  readonly problem: string;
}

type Expected = 'value' | 'value or ]' | 'name' | 'name or }' | ':' | 'separator' | 'end';

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORD = /true|false|null/y;

/**
 * The first place where `text` breaks the grammar of JSON; undefined when it doesn't. Engines name this place
 * in different ways or not at all, so it is looked for here, after JSON.parse has refused the text.
 */
export function findJsonError(text: string): JsonErrorPlace | undefined {
  const open: ('{' | '[')[] = [];
  let expected: Expected = 'value';
  let at = skipSpace(text, 0);
  const afterValue = (): Expected => (open.length > 0 ? 'separator' : 'end');

  while (at < text.length) {
    const character = text[at]!;
    if (expected === 'end') return placeAt(text, at, 'something follows after the end');
    if (expected === ':') {
      if (character !== ':') return placeAt(text, at, 'expected ":"');
      expected = 'value';
      at++;
    } else if (expected === 'separator') {
      const inObject = open.at(-1) === '{';
      if (character === ',') {
        expected = inObject ? 'name' : 'value';
      } else if (character === (inObject ? '}' : ']')) {
        open.pop();
        expected = afterValue();
      } else {
        return placeAt(text, at, `expected "," or "${inObject ? '}' : ']'}"`);
      }
      at++;
    } else if (
      (expected === 'name or }' && character === '}') ||
      (expected === 'value or ]' && character === ']')
    ) {
      open.pop();
      expected = afterValue();
      at++;
    } else if (expected === 'name' || expected === 'name or }') {
      if (character !== '"') return placeAt(text, at, 'expected a name in double quotes');
      const end = endOfString(text, at);
      if (typeof end !== 'number') return placeAt(text, end.at, end.problem);
      expected = ':';
      at = end;
    } else if (character === '{' || character === '[') {
      open.push(character);
      expected = character === '{' ? 'name or }' : 'value or ]';
      at++;
    } else {
      const end = character === '"' ? endOfString(text, at) : endOfMatch(text, at);
      if (typeof end !== 'number') return placeAt(text, end.at, end.problem);
      expected = afterValue();
      at = end;
    }
    at = skipSpace(text, at);
  }
  return expected === 'end'
    ? undefined
    : placeAt(text, text.length, 'it ends too early; the file may be cut off');
}

interface Broken {
  readonly at: number;
  readonly problem: string;
}

/** The index after a string that starts at `start`. A loop: a regular expression overflows on megabytes. */
function endOfString(text: string, start: number): number | Broken {
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x22) return at + 1;
    if (code < 0x20) return { at, problem: 'a line break or control character inside a text' };
    if (code !== 0x5c) continue;
    const escaped = text[++at];
    if (escaped === undefined) break;
    if (escaped === 'u') {
      if (!/^[0-9a-fA-F]{4}$/.test(text.slice(at + 1, at + 5))) return { at, problem: 'a broken \\u escape' };
      at += 4;
    } else if (!'"\\/bfnrt'.includes(escaped)) {
      return { at, problem: `an unknown escape "\\${escaped}"` };
    }
  }
  return { at: text.length, problem: 'a text is not closed; the file may be cut off' };
}

function endOfMatch(text: string, at: number): number | Broken {
  for (const pattern of [NUMBER, WORD]) {
    pattern.lastIndex = at;
    if (pattern.test(text)) return pattern.lastIndex;
  }
  return { at, problem: 'expected a value' };
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && ' \n\r\t'.includes(text[at]!)) at++;
  return at;
}

function placeAt(text: string, offset: number, problem: string): JsonErrorPlace {
  let line = 1;
  let start = 0;
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) {
    line++;
    start = at + 1;
  }
  return { line, column: offset - start + 1, problem };
}
