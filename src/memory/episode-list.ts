import { estimateTokens } from '../core/tokens.ts';
import type { EpisodeRecord } from '../store/records.ts';

/**
 * The episodes of a thread: they partition its ingested turns in order, and all but the last are closed.
 * Remembers which records changed since they were last written.
 */
export class EpisodeList {
  private readonly records: EpisodeRecord[] = [];
  private readonly changed = new Set<number>();
  /** Tokens of each turn of the open episode. */
  private openTokens: number[] = [];

  get length(): number {
    return this.records.length;
  }

  get all(): readonly EpisodeRecord[] {
    return this.records;
  }

  get open(): EpisodeRecord | undefined {
    return this.records.at(-1);
  }

  at(id: number): EpisodeRecord | undefined {
    return this.records[id];
  }

  /** Brings back stored episodes; `openTexts` are the texts of the open one's turns. */
  restore(records: readonly EpisodeRecord[], openTexts: readonly string[]): void {
    this.records.push(...records);
    this.openTokens = openTexts.map(estimateTokens);
  }

  /** Appends the next turn to the open episode. */
  addTurn(index: number, tokens: number): void {
    const open = this.open ?? { id: 0, start: 0, end: 0, tokens: 0, closed: false };
    this.openTokens.push(tokens);
    this.put({ ...open, end: index + 1, tokens: open.tokens + tokens });
  }

  /** Closes the open episode before turn `index`, and opens the next one with what follows. */
  cut(index: number): void {
    const open = this.open!;
    const kept = index - open.start;
    const rest = this.openTokens.splice(kept);
    const tokens = sum(this.openTokens);
    this.openTokens = rest;
    this.put({ ...open, end: index, tokens, closed: true });
    if (rest.length > 0) {
      this.put({ id: open.id + 1, start: index, end: open.end, tokens: sum(rest), closed: false });
    } else {
      this.put({ id: open.id + 1, start: index, end: index, tokens: 0, closed: false });
    }
  }

  /** Replaces a record. */
  put(record: EpisodeRecord): void {
    this.records[record.id] = record;
    this.changed.add(record.id);
  }

  /** Tells the open episode's turns' tokens anew after a text changed. */
  refreshOpen(openTexts: readonly string[]): void {
    this.openTokens = openTexts.map(estimateTokens);
  }

  /** The records that changed since the last call, in order. */
  takeChanged(): EpisodeRecord[] {
    const ids = [...this.changed].sort((a, b) => a - b);
    this.changed.clear();
    return ids.map((id) => this.records[id]!);
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, n) => total + n, 0);
}
