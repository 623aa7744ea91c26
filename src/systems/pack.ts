import { type Span, spanTokens } from './retrieval.ts';
import type { Thread } from './thread.ts';

/**
 * Collects what stands in a prompt until a number of tokens is reached. Turns that are there already cost nothing,
 * so that overlaps count once.
 */
export class Packer {
  readonly spans: Span[] = [];
  private readonly turns = new Set<number>();
  private used = 0;

  constructor(
    private readonly thread: Thread,
    private readonly budget: number,
  ) {}

  get left(): number {
    return this.budget - this.used;
  }

  /** What adding `span` would cost, in tokens. */
  cost(span: Span): number {
    if (span.text !== undefined) return spanTokens(this.thread, span);
    let cost = 0;
    for (let turn = span.start; turn < span.end; turn++) {
      if (!this.turns.has(turn)) cost += this.thread.tokens(turn, turn + 1);
    }
    return cost;
  }

  /** Adds `span` if it fits; whether it did. */
  add(span: Span): boolean {
    const cost = this.cost(span);
    if (cost > this.left) return false;
    this.used += cost;
    this.spans.push(span);
    if (span.text === undefined) for (let turn = span.start; turn < span.end; turn++) this.turns.add(turn);
    return true;
  }
}
