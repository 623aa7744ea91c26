import { estimateTokens } from '../core/tokens.ts';
import type { NewTurn } from '../core/turn.ts';

/** The turns a system was given, with their token counts. */
export class Thread {
  private readonly turns: NewTurn[] = [];
  /** Tokens of all turns before each, and of all at the end. */
  private readonly before: number[] = [0];

  get size(): number {
    return this.turns.length;
  }

  push(turns: readonly NewTurn[]): void {
    for (const turn of turns) {
      this.turns.push(turn);
      this.before.push(this.before.at(-1)! + estimateTokens(turn.text));
    }
  }

  at(turn: number): NewTurn {
    return this.turns[turn]!;
  }

  /** Tokens of turns `start` to `end - 1`. */
  tokens(start: number, end: number): number {
    return this.before[end]! - this.before[start]!;
  }

  /** Texts of turns `start` to `end - 1`, a line each, without speakers. */
  text(start: number, end: number): string {
    return this.turns
      .slice(start, end)
      .map((turn) => turn.text)
      .join('\n');
  }
}
