import type { RecalledEpisode } from '../store/records.ts';

/** How much of one episode a prompt takes, in messages (TSIM, M3). */
export interface PromptCap {
  readonly messages: number;
  /** Messages that two neighbouring pieces of a split episode share. */
  readonly overlap: number;
}

/** Turns `start` to `end - 1` of a recalled episode, as they stand in a prompt. */
export interface ContextRange {
  readonly episode: number;
  readonly start: number;
  readonly end: number;
}

/**
 * What of the recalled episodes stands in a prompt, in thread order: of a family its ranges; other episodes whole, or
 * with a cap, of a longer one the first of its overlapping pieces that holds the most decisive turns.
 * Choice: the paper gives the sizes, not which piece.
 */
export function contextRanges(recalled: readonly RecalledEpisode[], cap?: PromptCap): ContextRange[] {
  return [...recalled]
    .flatMap((episode): readonly ContextRange[] => {
      if (episode.ranges) return episode.ranges;
      return [{ episode: episode.episode, ...(cap ? bestPiece(episode, cap) : whole(episode)) }];
    })
    .map(({ episode, start, end }) => ({ episode, start, end }))
    .sort((a, b) => a.start - b.start);
}

function whole({ start, end }: RecalledEpisode): { start: number; end: number } {
  return { start, end };
}

function bestPiece(episode: RecalledEpisode, cap: PromptCap): { start: number; end: number } {
  const pieces = piecesOf(episode, cap);
  const counts = pieces.map((piece) => decisiveIn(episode, piece));
  return pieces[counts.indexOf(Math.max(...counts))]!;
}

function piecesOf({ start, end }: RecalledEpisode, { messages, overlap }: PromptCap) {
  const pieces = [{ start, end: Math.min(end, start + messages) }];
  while (pieces.at(-1)!.end < end) {
    const next = pieces.at(-1)!.end - overlap;
    pieces.push({ start: next, end: Math.min(end, next + messages) });
  }
  return pieces;
}

function decisiveIn({ decisive }: RecalledEpisode, { start, end }: { start: number; end: number }): number {
  return decisive.filter((turn) => turn >= start && turn < end).length;
}
