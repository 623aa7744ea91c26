import type { RecalledEpisode, RecalledRange, TurnRun } from '../store/records.ts';
import type { Configuration } from './configurations.ts';
import { createRanker } from './create.ts';
import type { RankerQuery } from './ranker.ts';
import { runsOf } from './reach.ts';
import { explain } from './recall.ts';
import type { ThreadViews } from './thread-views.ts';

/**
 * Recalls from the turns alone that `kept` marks (see `keptTurns`), as if the thread had no others: they are not in
 * the views that are ranked, so they decide no score, no rarity of a word and no tie.
 */
export function recallWithin(
  kept: Uint8Array,
  query: RankerQuery,
  views: ThreadViews,
  configuration: Configuration,
  k: number,
): RecalledEpisode[] {
  const past = views.only(kept, configuration.episodeVector === 'mean');
  // A ranker of its own: what a ranker keeps belongs to one state of one thread.
  const ranked = createRanker(configuration).rank(query, past, k);
  return ranked.map((one) => withinReach(explain(one, query, past), kept));
}

/**
 * A recalled episode without the turns between its own that are out of reach (`kept` marks those that are not): a
 * merged thread may go back in time in the middle of an exchange.
 */
export function withinReach(recalled: RecalledEpisode, kept: Uint8Array): RecalledEpisode {
  const { episode, start, end, decisive } = recalled;
  const ranges = recalled.ranges ?? [{ episode, start, end }];
  if (ranges.every((range) => isKept(range, kept)) && isKept(recalled, kept)) return recalled;
  const pieces = ranges.map((range) => runsWithin(range, kept));
  const movedTo = new Map(ranges.map((range, i) => [range.start, pieces[i]![0]?.start]));
  const trimmed = ranges.flatMap(({ continuedAt, ...range }, i) => {
    const later = continuedAt === undefined ? undefined : movedTo.get(continuedAt);
    return pieces[i]!.map((piece) => ({
      ...range,
      ...piece,
      ...(later !== undefined && { continuedAt: later }),
    }));
  });
  const own = runsWithin(recalled, kept);
  const best = decisive.find((turn) => start <= turn && turn < end);
  const around = own.find((run) => best !== undefined && run.start <= best && best < run.end) ?? own[0]!;
  return { ...recalled, ...around, ranges: trimmed };
}

/**
 * Recalled families with what came since: where the whole thread's own families (`whole`, recalled for the same
 * question) take the matter of a range up again in a turn that `kept` does not hold, the range names that turn.
 */
export function withLater(
  recalled: readonly RecalledEpisode[],
  whole: readonly RecalledEpisode[],
  kept: Uint8Array,
): RecalledEpisode[] {
  const families = whole.map(({ ranges = [] }) => ranges);
  return recalled.map((episode) => {
    if (!episode.ranges) return episode;
    const ranges = episode.ranges.map((range) => {
      const sinceAt = range.continuedAt === undefined ? laterThan(range, families, kept) : undefined;
      return sinceAt === undefined ? range : { ...range, sinceAt };
    });
    return { ...episode, ranges };
  });
}

/** The first turn out of reach that follows a range along one of the families. */
function laterThan(
  { start, end }: TurnRun,
  families: readonly (readonly RecalledRange[])[],
  kept: Uint8Array,
): number | undefined {
  for (const family of families) {
    let range = family.find((one) => one.start < end && start < one.end);
    while (range?.continuedAt !== undefined) {
      const next: number = range.continuedAt;
      if (kept[next] !== 1) return next;
      range = family.find((one) => one.start === next);
    }
  }
  return undefined;
}

function isKept({ start, end }: TurnRun, kept: Uint8Array): boolean {
  for (let turn = start; turn < end; turn++) if (kept[turn] !== 1) return false;
  return true;
}

function runsWithin({ start, end }: TurnRun, kept: Uint8Array): TurnRun[] {
  return runsOf(start, end, (turn) => kept[turn] === 1);
}
