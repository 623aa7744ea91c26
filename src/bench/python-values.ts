import { readEscape } from './python-string.ts';

/** A Python literal: tuples and sets come as lists, bytes as text, integers past 2^53 as bigint, None as null. */
export type PythonValue = string | number | bigint | boolean | null | PythonValue[] | PythonDict;
export type PythonDict = Map<PythonValue, PythonValue>;

/** What stops the reading of a value. */
export class Unreadable extends Error {
  constructor(
    message: string,
    readonly offset: number,
  ) {
    super(message);
  }
}

/** Python itself gives up at this depth of brackets. */
const MAX_DEPTH = 200;

export const BLANK = /(?:[ \t\f]|\\\r?\n)*/y;
export const SPACE = /(?:[ \t\f\r\n\ufeff]+|#[^\n]*|\\\r?\n)*/y;
const STRING_START = /([A-Za-z]{0,2})("""|'''|"|')/y;
const WORD = /[A-Za-z_]\w*/y;
const NUMBER =
  /[+-]?[ \t]*(?:(0[xX](?:_?[\da-fA-F])+|0[oO](?:_?[0-7])+|0[bB](?:_?[01])+)|((?:\d(?:_?\d)*)?(\.)?(?:(?<=\.)\d(?:_?\d)*)?(?:(?<=[\d.])[eE][+-]?\d(?:_?\d)*)?))/y;

const PLAIN_RUN: Readonly<Record<string, RegExp>> = {
  "'": /[^'\\\n\r]*/y,
  '"': /[^"\\\n\r]*/y,
  "'''": /[^'\\]*/y,
  '"""': /[^"\\]*/y,
};

const CONSTANTS: ReadonlyMap<string, PythonValue> = new Map<string, PythonValue>([
  ['True', true],
  ['False', false],
  ['None', null],
]);

export const CLOSING: Readonly<Record<string, string>> = { '[': ']', '(': ')', '{': '}' };

/** Reads values at a place of a source that it moves along; throws `Unreadable`. */
export class ValueReader {
  protected at = 0;
  protected depth = 0;

  constructor(protected readonly source: string) {}

  protected value(): PythonValue {
    switch (this.source[this.at]) {
      case '[':
        return this.sequence('[').values;
      case '(': {
        const { values, commas } = this.sequence('(');
        return values.length === 1 && commas === 0 ? values[0]! : values;
      }
      case '{':
        return this.braces();
      case "'":
      case '"':
        return this.strings();
      default:
        return this.stringStart() ? this.strings() : this.wordOrNumber();
    }
  }

  private sequence(opening: '[' | '('): { values: PythonValue[]; commas: number } {
    const openedAt = this.enter();
    const closing = CLOSING[opening]!;
    const values: PythonValue[] = [];
    let commas = 0;
    for (;;) {
      this.skip(SPACE);
      if (this.closes(closing, openedAt)) return { values, commas };
      if (values.length > commas) throw this.wrong(`expected "," or "${closing}"`);
      values.push(this.value());
      if (this.comma()) commas++;
    }
  }

  private braces(): PythonValue {
    const openedAt = this.enter();
    const dict: PythonDict = new Map();
    const members: PythonValue[] = [];
    let separated = true;
    for (;;) {
      this.skip(SPACE);
      if (this.closes('}', openedAt)) return members.length > 0 ? members : dict;
      if (!separated) throw this.wrong('expected "," or "}"');
      const key = this.value();
      this.skip(SPACE);
      if (this.source[this.at] === ':') {
        this.at++;
        this.skip(SPACE);
        dict.set(key, this.value());
      } else members.push(key);
      if (members.length > 0 && dict.size > 0) throw this.wrong('expected ":" after a key');
      separated = this.comma();
    }
  }

  private enter(): number {
    if (++this.depth > MAX_DEPTH) throw this.wrong(`brackets are nested more than ${MAX_DEPTH} deep`);
    return this.at++;
  }

  private closes(closing: string, openedAt: number): boolean {
    const next = this.source[this.at];
    if (next === undefined) {
      throw new Unreadable(`this "${this.source[openedAt]}" is never closed`, openedAt);
    }
    if (next !== closing) return false;
    this.at++;
    this.depth--;
    return true;
  }

  protected comma(): boolean {
    this.skip(SPACE);
    if (this.source[this.at] !== ',') return false;
    this.at++;
    return true;
  }

  /** The prefix and quotes of a string that starts here. */
  protected stringStart(): RegExpExecArray | undefined {
    STRING_START.lastIndex = this.at;
    return STRING_START.exec(this.source) ?? undefined;
  }

  /** One string, or several that stand side by side. */
  protected strings(): string {
    let text = this.string(this.stringStart()!);
    for (;;) {
      this.skip(this.depth > 0 ? SPACE : BLANK);
      const next = this.stringStart();
      if (!next) return text;
      text += this.string(next);
    }
  }

  private string([head, prefix, quotes]: RegExpExecArray): string {
    const flags = prefix!.toLowerCase();
    if (flags.includes('f') || flags.includes('t')) {
      throw this.wrong(`an ${flags}-string is computed when the source runs; this reader runs nothing`);
    }
    if (!['', 'r', 'b', 'u', 'rb', 'br'].includes(flags)) {
      throw this.wrong(`"${prefix}" is no prefix of a string`);
    }
    const openedAt = this.at;
    this.at += head.length;
    const text = this.stringBody(quotes!, flags, openedAt);
    return text.includes('\r') && quotes!.length === 3 && !flags ? text.replaceAll('\r\n', '\n') : text;
  }

  private stringBody(quotes: string, flags: string, openedAt: number): string {
    const { source } = this;
    const run = PLAIN_RUN[quotes]!;
    let text = '';
    for (;;) {
      const from = this.at;
      run.lastIndex = from;
      run.test(source);
      this.at = run.lastIndex;
      text += source.slice(from, this.at);
      const next = source[this.at];
      if (next === '\\') text += this.escape(flags);
      else if (next === quotes[0] && source.startsWith(quotes, this.at)) {
        this.at += quotes.length;
        return text;
      } else if (next === quotes[0]) {
        text += next;
        this.at++;
      } else {
        const where = quotes.length === 3 ? 'is never closed' : 'is not closed on its line';
        throw new Unreadable(`this string ${where}`, openedAt);
      }
    }
  }

  private escape(flags: string): string {
    const from = this.at;
    if (flags.includes('r')) {
      this.at += 2;
      return this.source.slice(from, this.at);
    }
    const read = readEscape(this.source, from, flags.includes('b'));
    if ('wrong' in read) throw this.wrong(read.wrong);
    this.at = read.end;
    return read.text;
  }

  private wordOrNumber(): PythonValue {
    const word = this.peek(WORD);
    if (word !== undefined) {
      const constant = CONSTANTS.get(word);
      if (constant === undefined) throw this.wrong(`"${word}" is not a literal`);
      this.at += word.length;
      return constant;
    }
    return this.number();
  }

  private number(): number | bigint {
    NUMBER.lastIndex = this.at;
    const found = NUMBER.exec(this.source);
    const [whole = '', based, decimal] = found ?? [];
    if (!based && !/\d/.test(decimal ?? '')) throw this.unexpected();
    const digits = (based ?? decimal!).replaceAll('_', '');
    if (/^0\d*[1-9]/.test(digits) && !/[.eExXoObB]/.test(digits)) {
      throw this.wrong('an integer may not start with 0');
    }
    const after = this.source[this.at + whole.length];
    if (after !== undefined && /[\w.]/.test(after))
      throw this.wrong('this is not a number that is read here');
    this.at += whole.length;
    const sign = whole.startsWith('-') ? -1 : 1;
    if (!based && /[.eE]/.test(digits)) return sign * Number(digits);
    const integer = BigInt(digits.toLowerCase());
    const safe = integer <= BigInt(Number.MAX_SAFE_INTEGER);
    return safe ? sign * Number(integer) : BigInt(sign) * integer;
  }

  private unexpected(): Unreadable {
    const next = this.source[this.at];
    return this.wrong(
      next === undefined ? 'the source ends where a value is due' : `"${next}" starts no value`,
    );
  }

  protected wrong(message: string): Unreadable {
    return new Unreadable(message, this.at);
  }

  private peek(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at;
    return pattern.exec(this.source)?.[0];
  }

  protected match(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.source);
    if (found) this.at = pattern.lastIndex;
    return found ?? undefined;
  }

  protected skip(pattern: RegExp): void {
    pattern.lastIndex = this.at;
    pattern.test(this.source);
    this.at = pattern.lastIndex;
  }
}
