/** A place in a text file, both counted from 1; columns count characters. */
export interface SourcePlace {
  readonly line: number;
  readonly column: number;
}

/** Turns offsets into places. Cheap when offsets ascend: it goes on from the one before. */
export class SourcePlaces {
  private line = 1;
  private lineStart = 0;
  private lineEnd: number;

  constructor(private readonly source: string) {
    this.lineEnd = this.endOfLine(0);
  }

  at(offset: number): SourcePlace {
    const line = this.lineAt(offset);
    return { line, column: Array.from(this.source.slice(this.lineStart, offset)).length + 1 };
  }

  /** The line of `offset`. */
  lineAt(offset: number): number {
    if (offset < this.lineStart) {
      this.line = 1;
      this.lineStart = 0;
      this.lineEnd = this.endOfLine(0);
    }
    while (this.lineEnd < offset) {
      this.line++;
      this.lineStart = this.lineEnd + 1;
      this.lineEnd = this.endOfLine(this.lineStart);
    }
    return this.line;
  }

  private endOfLine(from: number): number {
    const end = this.source.indexOf('\n', from);
    return end === -1 ? Number.POSITIVE_INFINITY : end;
  }
}
