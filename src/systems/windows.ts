import { TOKENS_PER_WORD } from '../core/tokens.ts';
import type { Span } from './retrieval.ts';
import type { Thread } from './thread.ts';

/** Windows over a thread that grows. All but those that touch its end stay as they are. */
export interface Windows {
  readonly all: readonly Span[];
  /** Cuts what was added to the thread; returns the first window that is new or has grown. */
  extend(thread: Thread): number;
}

/**
 * Fixed-token windows one after the other: each takes whole turns as long as they fit into `size` tokens.
 * A turn longer than that is divided between words into windows of its own.
 */
export class FixedWindows implements Windows {
  readonly all: Span[] = [];
  private seen = 0;

  constructor(private readonly size: number) {}

  extend(thread: Thread): number {
    if (this.seen === thread.size) return this.all.length;
    const last = this.all.at(-1);
    let open = last?.text === undefined ? this.all.pop() : undefined;
    const from = this.all.length;
    for (let turn = this.seen; turn < thread.size; turn++) {
      const giant = thread.tokens(turn, turn + 1) > this.size;
      if (open && !giant && thread.tokens(open.start, turn + 1) <= this.size) {
        open = { start: open.start, end: turn + 1 };
        continue;
      }
      if (open) this.all.push(open);
      open = giant ? undefined : { start: turn, end: turn + 1 };
      if (giant) this.divide(turn, thread.at(turn).text);
    }
    if (open) this.all.push(open);
    this.seen = thread.size;
    return from;
  }

  private divide(turn: number, text: string): void {
    for (const part of divideText(text, this.size)) {
      this.all.push({ start: turn, end: turn + 1, text: part });
    }
  }
}

/**
 * Windows that overlap: one opens at the first user turn `stride` tokens or more after the last one opened, or
 * where the last one ends, and takes whole turns as long as they fit into `size` tokens (a longer turn stands
 * alone).
 */
export class OverlappingWindows implements Windows {
  readonly all: Span[] = [];
  private seen = 0;

  constructor(
    private readonly size: number,
    private readonly stride: number,
  ) {}

  extend(thread: Thread): number {
    if (this.seen === thread.size) return this.all.length;
    let from = this.all.length;
    while (from > 0 && this.all[from - 1]!.end === this.seen) from--;
    const starts = this.all.splice(from).map(({ start }) => start);
    let last = starts.at(-1) ?? this.all.at(-1)?.start;
    for (let turn = this.seen; turn < thread.size; turn++) {
      if (last !== undefined && !this.opens(thread, last, turn)) continue;
      starts.push(turn);
      last = turn;
    }
    for (const start of starts) this.all.push({ start, end: this.endOf(thread, start) });
    this.seen = thread.size;
    return from;
  }

  private opens(thread: Thread, last: number, turn: number): boolean {
    if (thread.at(turn).role === 'user' && thread.tokens(last, turn) >= this.stride) return true;
    return thread.tokens(last, turn + 1) > this.size;
  }

  private endOf(thread: Thread, start: number): number {
    let end = start + 1;
    while (end < thread.size && thread.tokens(start, end + 1) <= this.size) end++;
    return end;
  }
}

/** `text` in parts of at most `tokens` tokens (at least one word), cut before words. */
export function divideText(text: string, tokens: number): string[] {
  const wordsAPart = Math.max(1, Math.floor(tokens / TOKENS_PER_WORD));
  const parts: string[] = [];
  let start = 0;
  let count = 0;
  for (const { index } of text.matchAll(/\S+/gu)) {
    if (count === wordsAPart) {
      parts.push(text.slice(start, index).trimEnd());
      start = index;
      count = 0;
    }
    count++;
  }
  parts.push(text.slice(start).trimEnd());
  return parts;
}
