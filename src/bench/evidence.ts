import type { NewTurn } from '../core/turn.ts';

/** Text as evidence is compared: only white space and case make no difference. */
export function comparable(text: string): string {
  return text.replace(/\s+/g, ' ').trim().toLowerCase();
}

/** Finds which turns hold a text, of a list that may grow. */
export class TurnFinder {
  private readonly texts: string[] = [];

  constructor(turns: readonly NewTurn[]) {
    this.add(turns);
  }

  add(turns: readonly NewTurn[]): void {
    for (const { text } of turns) this.texts.push(comparable(text));
  }

  /** The turns in `from` to `to - 1` that hold all of `text`, in order. */
  holding(text: string, from = 0, to = this.texts.length): number[] {
    const wanted = comparable(text);
    const found: number[] = [];
    if (wanted === '') return found;
    for (let turn = from; turn < to; turn++) if (this.texts[turn]!.includes(wanted)) found.push(turn);
    return found;
  }
}
