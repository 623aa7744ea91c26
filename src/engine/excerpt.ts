import { words } from '../index/analyzers.ts';

const AROUND = 90;

/** The part of `text` around the first word that it shares with `query`, cut at spaces where there are some. */
export function excerptAround(text: string, query: string): string {
  const lower = text.toLowerCase();
  const places = words(query)
    .map((word) => lower.indexOf(word))
    .filter((at) => at >= 0);
  const at = places.length > 0 ? Math.min(...places) : 0;
  return cut(text, Math.max(0, at - AROUND), Math.min(text.length, at + AROUND));
}

/** The first words of `text` on one line. */
export function opening(text: string, limit = 140): string {
  return cut(
    text
      .slice(0, limit * 4)
      .replace(/\s+/g, ' ')
      .trim(),
    0,
    limit,
  );
}

function cut(text: string, from: number, to: number): string {
  const end = Math.min(to, text.length);
  const start = from > 0 ? spaceNear(text, from, 1) : 0;
  const stop = end < text.length ? spaceNear(text, end, -1) : end;
  const part = Array.from(text.slice(start, Math.max(start, stop)))
    .join('')
    .toWellFormed()
    .trim();
  return `${start > 0 ? '… ' : ''}${part}${stop < text.length ? ' …' : ''}`;
}

function spaceNear(text: string, at: number, step: 1 | -1): number {
  for (let i = 0; i < 20; i++) if (text[at + i * step] === ' ') return at + i * step;
  return at;
}
