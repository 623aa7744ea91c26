import { cutMiddle } from '../../answer/passage.ts';
import type { Turn } from '../../core/turn.ts';
import type { RecalledEpisode } from '../../store/records.ts';
import type { OfferedEpisode } from '../messages.ts';

/** What one episode may add to a message, in UTF-16 units: a composer is no place for a book. */
const EPISODE_LENGTH = 4_000;
const TURN_LENGTH = 1_500;
/** The turns beside a decisive one come before the others. */
const NEIGHBOURS = 1;

/** The turns that a recalled episode names, in thread order, as [start, end) stretches. */
export function stretchesOf({
  start,
  end,
  ranges,
}: RecalledEpisode): readonly { start: number; end: number }[] {
  return ranges ?? [{ start, end }];
}

/** A recalled episode as a page is offered it; undefined when all its turns were erased. */
export function offeredEpisode(
  recalled: RecalledEpisode,
  turns: readonly Turn[],
): OfferedEpisode | undefined {
  const kept = withinLength(
    turns.filter(({ erased, text }) => !erased && text.trim() !== ''),
    recalled.decisive,
  );
  const last = kept.at(-1);
  if (!last) return undefined;
  const telling = recalled.decisive.find((turn) => kept.some(({ index }) => index === turn));
  return {
    at: last.time,
    ...(telling !== undefined && { telling }),
    turns: kept.map(({ index, role, text }) => ({ turn: index, role, text })),
  };
}

/** Whole turns as long as they fit, those near the decisive ones first; long ones lose their middle. */
function withinLength(turns: readonly Turn[], decisive: readonly number[]): Turn[] {
  const distance = ({ index }: Turn) =>
    Math.max(NEIGHBOURS, Math.min(...decisive.map((turn) => Math.abs(turn - index))));
  const byWorth = [...turns].sort((a, b) => distance(a) - distance(b) || a.index - b.index);
  let room = EPISODE_LENGTH;
  const kept: Turn[] = [];
  for (const turn of byWorth) {
    const text = cutMiddle(turn.text, TURN_LENGTH);
    if (text.length > room) break;
    room -= text.length;
    kept.push({ ...turn, text });
  }
  return kept.sort((a, b) => a.index - b.index);
}

/** A share of the best episode's score, below which another one does not fit what is being written. */
const FITTING_SHARE = 0.5;

/**
 * How many recalled episodes fit, for a hint that must not cry wolf: those that share a telling word with the text
 * and score near the best. (Scores are relative to the thread, so that there is no level that means "fits".)
 */
export function countFitting(episodes: readonly RecalledEpisode[]): number {
  const best = Math.max(0, ...episodes.map(({ score }) => score));
  return episodes.filter(({ score, terms }) => terms.length > 0 && score >= FITTING_SHARE * best).length;
}
