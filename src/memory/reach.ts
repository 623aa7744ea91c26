import { SkeinError } from '../core/errors.ts';
import type { TurnRun } from '../store/records.ts';
import { type TimedTurn, timesOf } from './turn-times.ts';

/** Up to when: turns said before a time (milliseconds since 1970), or the first `turns` turns. */
export type Until = { readonly before: number } | { readonly turns: number };

/** The turns that a question may be answered from. */
export interface Reach {
  /** In thread order; not always one, since a merged thread may go back in time. */
  readonly runs: readonly TurnRun[];
  /** How many turns they hold. */
  readonly turns: number;
  /** How many of them have no time of their own: it is told from their neighbours (`timesOf`). */
  readonly placed: number;
}

/** The first `turns` of `size` turns. Throws `bad-argument` for a number that is none of turns. */
export function reachOfPlace(turns: number, size: number): Reach {
  if (!Number.isInteger(turns) || turns < 0) {
    throw new SkeinError('bad-argument', `${turns} is no number of turns.`, 'Name a turn of the thread.');
  }
  const end = Math.min(turns, size);
  return { runs: end > 0 ? [{ start: 0, end }] : [], turns: end, placed: 0 };
}

/** Those of `turns`, which begin a thread, that were said before a time. Throws `bad-argument` where none has one. */
export function reachOfTime(before: number, turns: readonly TimedTurn[]): Reach {
  const times = timesOf(turns);
  if (!times) {
    throw new SkeinError(
      'bad-argument',
      'No turn of this thread has a date.',
      'Ask up to a turn of it instead.',
    );
  }
  const said = times.filter(({ time }) => time < before);
  return {
    runs: runsOf(0, times.length, (turn) => times[turn]!.time < before),
    turns: said.length,
    placed: said.filter(({ placed }) => placed).length,
  };
}

/** The turns from `start` to `end - 1` that `isIn`, as stretches without gaps. */
export function runsOf(start: number, end: number, isIn: (turn: number) => boolean): TurnRun[] {
  const runs: { start: number; end: number }[] = [];
  for (let turn = start; turn < end; turn++) {
    if (!isIn(turn)) continue;
    const last = runs.at(-1);
    if (last?.end === turn) last.end++;
    else runs.push({ start: turn, end: turn + 1 });
  }
  return runs;
}

/** A mark of 1 for every turn within reach, up to the last of them. */
export function keptTurns({ runs }: Pick<Reach, 'runs'>): Uint8Array {
  const kept = new Uint8Array(runs.at(-1)?.end ?? 0);
  for (const { start, end } of runs) kept.fill(1, start, end);
  return kept;
}
