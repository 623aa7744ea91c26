/** What a backslash and one character stand for in a Python string. */
const SIMPLE: Readonly<Record<string, string>> = {
  '\\': '\\',
  "'": "'",
  '"': '"',
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};

const OCTAL = /[0-7]{1,3}/y;
const HEX_DIGITS: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 };

/** An escape as read: its text and where the source goes on; or what is wrong with it. */
export type Escape = { readonly text: string; readonly end: number } | { readonly wrong: string };

/**
 * Reads the escape whose backslash stands at `at`. An unknown one keeps its backslash, as in Python; in `bytes`
 * the Unicode escapes are unknown.
 */
export function readEscape(source: string, at: number, bytes: boolean): Escape {
  const next = source[at + 1];
  if (next === undefined) return { wrong: 'the source ends in a backslash' };
  if (next === '\n') return { text: '', end: at + 2 };
  if (next === '\r') return { text: '', end: source[at + 2] === '\n' ? at + 3 : at + 2 };
  const simple = SIMPLE[next];
  if (simple !== undefined) return { text: simple, end: at + 2 };
  OCTAL.lastIndex = at + 1;
  const octal = OCTAL.exec(source);
  if (octal) return { text: String.fromCharCode(Number.parseInt(octal[0], 8)), end: OCTAL.lastIndex };
  const digits = HEX_DIGITS[next];
  if (digits !== undefined && (next === 'x' || !bytes)) return readHex(source, at, digits);
  if (next === 'N' && !bytes) {
    return { wrong: '\\N{...} names a character, which this reader does not know; write \\u and its number' };
  }
  return { text: `\\${next}`, end: at + 2 };
}

function readHex(source: string, at: number, digits: number): Escape {
  const hex = source.slice(at + 2, at + 2 + digits);
  if (hex.length < digits || !/^[\da-fA-F]+$/.test(hex)) {
    return { wrong: `\\${source[at + 1]} needs ${digits} hexadecimal digits` };
  }
  const code = Number.parseInt(hex, 16);
  if (code > 0x10ffff) return { wrong: `\\U${hex} is beyond the last character` };
  return { text: String.fromCodePoint(code), end: at + 2 + digits };
}
