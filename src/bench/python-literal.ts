import { BLANK, CLOSING, type PythonValue, SPACE, Unreadable, ValueReader } from './python-values.ts';
import { type SourcePlace, SourcePlaces } from './source-places.ts';

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
  return new SourceReader(source).read();
}

/** Errors after which the rest of a file is not tried any more: each may cost another reading of the rest. */
const MAX_PROBLEMS = 100;

const REST_OF_LINE = /(?:[ \t\f]|\\\r?\n)*(?:#[^\n]*)?(?:;|\r?\n|$)/y;
const ASSIGNMENT = /([A-Za-z_]\w*)[ \t]*(?::[^=\n]*)?=(?!=)/y;
const NEXT_ASSIGNMENT = /^[A-Za-z_]\w*[ \t]*(?::[^=\n]*)?=(?!=)/gm;
const WITHOUT_DATA = /(?:import|from|pass)\b[^\n]*/y;

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

class SourceReader extends ValueReader {
  private readonly assignments = new Map<string, PythonAssignment>();
  private readonly faults: Unreadable[] = [];

  read(): PythonSource {
    for (this.skip(SPACE); this.at < this.source.length; this.skip(SPACE)) {
      this.attempt(() => this.statement()) || this.toNextAssignment();
      if (this.faults.length < MAX_PROBLEMS) continue;
      this.faults.push(this.wrong('after so many errors, what follows is not read'));
      break;
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
}
