import { estimateTokens } from '../core/tokens.ts';
import { topK } from '../index/top-k.ts';
import { type ContextPart, LISTED_UNITS, type Retrieval, type RetrievedUnit } from './system.ts';
import type { Thread } from './thread.ts';

/** A stretch of whole turns; with `text`, a part of turn `start` that was too long for one unit. */
export interface Span {
  readonly start: number;
  readonly end: number;
  readonly text?: string;
}

/** A span and what it scored. */
export interface ScoredSpan {
  readonly span: Span;
  readonly score: number;
  readonly parts?: Readonly<Record<string, number>>;
}

export function spanText(thread: Thread, span: Span): string {
  return span.text ?? thread.text(span.start, span.end);
}

export function spanTokens(thread: Thread, span: Span): number {
  return span.text === undefined ? thread.tokens(span.start, span.end) : estimateTokens(span.text);
}

/** A span as a unit of the report. */
export function toUnit({ span, score, parts }: ScoredSpan): RetrievedUnit {
  const place =
    span.text === undefined ? { ranges: [[span.start, span.end] as const] } : { ranges: [], text: span.text };
  return { ...place, score, ...(parts && { parts }) };
}

/** Spans in the order of the thread; whole turns merged, so that what two spans share stands once. */
export function contextOf(spans: readonly Span[]): ContextPart[] {
  const ordered = [...new Set(spans)].sort((a, b) => a.start - b.start || a.end - b.end);
  const parts: ContextPart[] = [];
  let open: { kind: 'turns'; start: number; end: number } | undefined;
  for (const { start, end, text } of ordered) {
    if (text !== undefined) {
      parts.push({ kind: 'text', text });
    } else if (open && start <= open.end) {
      open.end = Math.max(open.end, end);
    } else {
      open = { kind: 'turns', start, end };
      parts.push(open);
    }
  }
  return parts;
}

/** The retrieval of a system whose context is its first `taken` units. `ranked` is best first. */
export function topUnits(ranked: readonly ScoredSpan[], taken: number): Retrieval {
  return retrievalOf(
    ranked,
    ranked.slice(0, taken).map(({ span }) => span),
  );
}

/** The retrieval of `ranked` units of which `context` stands in the prompt. */
export function retrievalOf(ranked: readonly ScoredSpan[], context: readonly Span[]): Retrieval {
  return { units: ranked.slice(0, LISTED_UNITS).map(toUnit), context: contextOf(context) };
}

/** The `k` best spans, best first; equal scores by age. `scores[i]` belongs to `spans[i]`. */
export function bestSpans(spans: readonly Span[], scores: ArrayLike<number>, k = LISTED_UNITS): ScoredSpan[] {
  return topK(scores, spans.length, k).map((i) => ({ span: spans[i]!, score: scores[i]! }));
}
