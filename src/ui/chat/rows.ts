import type { AskRecord } from '../../store/records.ts';

/** One row of the thread view. */
export type Row =
  | { readonly kind: 'turn'; readonly index: number }
  | { readonly kind: 'ask'; readonly ask: AskRecord }
  | { readonly kind: 'pending' };

/**
 * The order of a thread's turns and of the questions beside them: a question stands before the turn at its
 * `position`. Nothing is listed; rows are computed, so that 50,000 turns cost what their questions cost.
 */
export class Rows {
  private readonly asks: readonly AskRecord[];
  readonly count: number;

  constructor(
    readonly turns: number,
    asks: readonly AskRecord[] = [],
    /** A question under way is the last row. */
    private readonly pending = false,
  ) {
    this.asks = [...asks].sort((a, b) => a.position - b.position || a.askedAt - b.askedAt || a.id - b.id);
    this.count = turns + this.asks.length + (pending ? 1 : 0);
  }

  at(row: number): Row {
    if (this.pending && row === this.count - 1) return { kind: 'pending' };
    const before = this.asksAbove(row);
    const next = this.asks[before];
    if (next && this.rowOfNthAsk(before) === row) return { kind: 'ask', ask: next };
    return { kind: 'turn', index: row - before };
  }

  /** A key that a row keeps while others come and go. */
  key(row: number): string {
    const item = this.at(row);
    if (item.kind === 'pending') return 'pending';
    return item.kind === 'turn' ? `t${item.index}` : `a${item.ask.id}`;
  }

  rowOfTurn(index: number): number {
    let low = 0;
    let high = this.asks.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.asks[middle]!.position <= index) low = middle + 1;
      else high = middle;
    }
    return index + low;
  }

  /** The row that has `key`, or undefined when it is gone. */
  rowOfKey(key: string): number | undefined {
    if (key === 'pending') return this.pending ? this.count - 1 : undefined;
    const number = Number(key.slice(1));
    if (key.startsWith('t')) return number < this.turns ? this.rowOfTurn(number) : undefined;
    const place = this.asks.findIndex((ask) => ask.id === number);
    return place < 0 ? undefined : this.rowOfNthAsk(place);
  }

  private rowOfNthAsk(n: number): number {
    return Math.min(this.asks[n]!.position, this.turns) + n;
  }

  /** Number of questions whose row lies above `row`. */
  private asksAbove(row: number): number {
    let low = 0;
    let high = this.asks.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.rowOfNthAsk(middle) < row) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
