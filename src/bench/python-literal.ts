import { readEscape } from './python-string.ts';
import { type SourcePlace, SourcePlaces } from './source-places.ts';

/** A Python literal: tuples and sets come as lists, bytes as text, integers past 2^53 as bigint, None as null. */
export type PythonValue = string | number | bigint | boolean | null | PythonValue[] | PythonDict;
export type PythonDict = Map<PythonValue, PythonValue>;

/** What could not be read, and where. */
export interface PythonProblem extends SourcePlace {
  readonly message: string;
}

/** `NAME = literal` at the top of a source file. */
export interface PythonAssignment {
  readonly value: PythonValue;
  /** For a list or tuple: the line that each of its elements starts in. */
  readonly lines: readonly number[];
}

/** The assignments of a source file by name; of a list with errors in it, the elements that are whole. */
export interface PythonSource {
  readonly assignments: ReadonlyMap<string, PythonAssignment>;
  readonly problems: readonly PythonProblem[];
}

/**
 * Reads the literals that a Python source file assigns to names, without running anything. An error costs the
 * element it stands in: reading goes on at the next element of the outermost list, where its indentation shows
 * it, and else at the next assignment.
 */
export function readPythonLiterals(source: string): PythonSource {
  return new PythonReader(source).read();
}

/** Python itself gives up at this depth of brackets. */
const MAX_DEPTH = 200;
/** Errors after which the rest of a file is not tried any more: each may cost another reading of the rest. */
const MAX_PROBLEMS = 100;

const BLANK = /(?:[ \t\f]|\\\r?\n)*/y;
const SPACE = /(?:[ \t\f\r\n\ufeff]+|#[^\n]*|\\\r?\n)*/y;
const REST_OF_LINE = /(?:[ \t\f]|\\\r?\n)*(?:#[^\n]*)?(?:;|\r?\n|$)/y;
const ASSIGNMENT = /([A-Za-z_]\w*)[ \t]*(?::[^=\n]*)?=(?!=)/y;
const NEXT_ASSIGNMENT = /^[A-Za-z_]\w*[ \t]*(?::[^=\n]*)?=(?!=)/gm;
const WITHOUT_DATA = /(?:import|from|pass)\b[^\n]*/y;
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

const CLOSING: Readonly<Record<string, string>> = { '[': ']', '(': ')', '{': '}' };

/** A list or tuple that a name is given, while it is read. */
interface OpenList {
  readonly opening: '[' | '(';
  readonly openedAt: number;
  readonly values: PythonValue[];
  readonly offsets: number[];
  /** A comma stands behind the last element, or there is none yet. */
  separated: boolean;
  /** White space before elements that start their line. */
  indent?: string;
}

/** What stops the reading of one element. */
class Unreadable extends Error {
  constructor(
    message: string,
    readonly offset: number,
  ) {
    super(message);
  }
}

class PythonReader {
  private at = 0;
  private depth = 0;
  private readonly assignments = new Map<string, PythonAssignment>();
  private readonly faults: Unreadable[] = [];

  constructor(private readonly source: string) {}

  read(): PythonSource {
    for (this.skip(SPACE); this.at < this.source.length; this.skip(SPACE)) {
      this.attempt(() => this.statement()) || this.toNextAssignment();
      if (this.faults.length >= MAX_PROBLEMS) break;
    }
    const places = new SourcePlaces(this.source);
    const problems = this.faults
      .sort((a, b) => a.offset - b.offset)
      .map(({ message, offset }) => ({ message, ...places.at(offset) }));
    return { assignments: this.assignments, problems };
  }

  /** False when `work` met an error, which is kept. */
  private attempt(work: () => void): boolean {
    try {
      work();
      return true;
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      this.faults.push(error);
      this.depth = 0;
      return false;
    }
  }

  private statement(): void {
    const assigned = this.match(ASSIGNMENT);
    if (assigned) {
      this.skip(BLANK);
      this.assign(assigned[1]!);
    } else if (this.match(WITHOUT_DATA)) {
      return;
    } else if (this.stringStart()) {
      this.strings();
    } else {
      throw this.wrong('only assignments of literals are read here; this statement is left out');
    }
    this.skip(BLANK);
    if (!this.match(REST_OF_LINE)) throw this.wrong('the line goes on after the value');
  }

  private toNextAssignment(): void {
    NEXT_ASSIGNMENT.lastIndex = this.at;
    // The line that failed is not tried again.
    if (NEXT_ASSIGNMENT.exec(this.source)?.index === this.at) this.at++;
    NEXT_ASSIGNMENT.lastIndex = this.at;
    this.at = NEXT_ASSIGNMENT.exec(this.source)?.index ?? this.source.length;
  }

  private assign(name: string): void {
    const opening = this.source[this.at];
    if (opening !== '[' && opening !== '(') {
      this.assignments.set(name, { value: this.value(), lines: [] });
      return;
    }
    const list: OpenList = { opening, openedAt: this.at++, values: [], offsets: [], separated: true };
    this.elements(list);
    // Parentheses around one value do not make a tuple.
    const isGroup = opening === '(' && list.values.length === 1 && !list.separated;
    const places = new SourcePlaces(this.source);
    const lines = list.offsets.map((offset) => places.lineAt(offset));
    this.assignments.set(name, { value: isGroup ? list.values[0]! : list.values, lines });
  }

  /** Reads a list element by element; an element with an error is left out and the next one looked for. */
  private elements(list: OpenList): void {
    const closing = CLOSING[list.opening]!;
    while (this.faults.length < MAX_PROBLEMS) {
      this.skip(SPACE);
      if (this.source[this.at] === closing) {
        this.at++;
        return;
      }
      const start = this.at;
      list.indent ??= this.indentOf(start);
      if (this.element(list, closing)) continue;
      if (this.at >= this.source.length && start >= this.source.length) return;
      list.separated = true;
      if (this.toNextElement(start, list.indent, closing)) continue;
      this.faults.push(new Unreadable('what follows in this list is left out', start));
      this.toLineBeforeAssignment(start);
      return;
    }
  }

  /** Reads the next element; false when it has an error. */
  private element(list: OpenList, closing: string): boolean {
    const start = this.at;
    if (list.separated && start < this.source.length) {
      return this.attempt(() => {
        this.depth = 1;
        const value = this.value();
        this.depth = 0;
        list.values.push(value);
        list.offsets.push(start);
        list.separated = this.comma();
      });
    }
    if (this.dropUnclosed(list, closing)) return true;
    const ended = start >= this.source.length;
    const fault = ended
      ? new Unreadable(`this "${list.opening}" is never closed`, list.openedAt)
      : this.wrong(`expected "," or "${closing}"`);
    this.faults.push(fault);
    return false;
  }

  /**
   * Where the list does not end as it should, an element before may lack its closing bracket and hold those that
   * follow it. Drops it and goes back behind its start.
   */
  private dropUnclosed(list: OpenList, closing: string): boolean {
    const { indent, values, offsets } = list;
    const open = indent === undefined ? -1 : this.firstWithOwnLineInside(offsets, indent);
    if (open === -1) return false;
    const start = offsets[open]!;
    if (!this.toNextElement(start, indent, closing)) return false;
    this.faults.push(new Unreadable('a bracket or quote that this element opens is never closed', start));
    values.length = open;
    offsets.length = open;
    list.separated = true;
    return true;
  }

  /** The first element with a line in it that looks like the start of another: it holds what follows it. */
  private firstWithOwnLineInside(offsets: readonly number[], indent: string): number {
    const line = new RegExp(`\\n${indent}[[({]`, 'g');
    return offsets.findIndex((offset, i) => {
      line.lastIndex = offset;
      const found = line.exec(this.source);
      return found !== null && line.lastIndex - 1 < (offsets[i + 1] ?? this.source.length);
    });
  }

  private toLineBeforeAssignment(offset: number): void {
    NEXT_ASSIGNMENT.lastIndex = offset;
    const next = NEXT_ASSIGNMENT.exec(this.source);
    this.at = next ? next.index - 1 : this.source.length;
  }

  /** The white space before an element that starts its line. */
  private indentOf(offset: number): string | undefined {
    let from = offset;
    while (this.source[from - 1] === ' ' || this.source[from - 1] === '\t') from--;
    const startsLine = from === 0 || this.source[from - 1] === '\n';
    return startsLine ? this.source.slice(from, offset) : undefined;
  }

  /** Goes to the next line that starts an element like those before, or closes the list. */
  private toNextElement(start: number, indent: string | undefined, closing: string): boolean {
    const own = indent ?? this.indentOf(start);
    if (own === undefined) return false;
    const next = new RegExp(`\\n(?:${own}(?=[[({"'])|[ \\t]{0,${own.length}}(?=\\${closing}))`, 'g');
    next.lastIndex = start;
    if (!next.exec(this.source)) return false;
    this.at = next.lastIndex;
    return true;
  }

  private value(): PythonValue {
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

  private comma(): boolean {
    this.skip(SPACE);
    if (this.source[this.at] !== ',') return false;
    this.at++;
    return true;
  }

  /** The prefix and quotes of a string that starts here. */
  private stringStart(): RegExpExecArray | undefined {
    STRING_START.lastIndex = this.at;
    return STRING_START.exec(this.source) ?? undefined;
  }

  /** One string, or several that stand side by side. */
  private strings(): string {
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

  private wrong(message: string): Unreadable {
    return new Unreadable(message, this.at);
  }

  private peek(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at;
    return pattern.exec(this.source)?.[0];
  }

  private match(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.source);
    if (found) this.at = pattern.lastIndex;
    return found ?? undefined;
  }

  private skip(pattern: RegExp): void {
    pattern.lastIndex = this.at;
    pattern.test(this.source);
    this.at = pattern.lastIndex;
  }
}
