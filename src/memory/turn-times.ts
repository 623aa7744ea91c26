import type { Turn } from '../core/turn.ts';
import type { ThreadStore } from '../store/thread-store.ts';

/** When a turn was said, in milliseconds since 1970; `placed` where that is its neighbours' time, not its own. */
export interface TurnTime {
  readonly time: number;
  readonly placed: boolean;
}

/** What a turn's time is told from. */
export type TimedTurn = Pick<Turn, 'time' | 'source'>;

/**
 * When each turn was said. One without a time of its own takes that of the last turn before it that has one, in its
 * own conversation (`source`) or else the next one there; in a conversation without any, by its place in the thread in
 * the same way. Undefined when no turn has a time.
 */
export function timesOf(turns: readonly TimedTurn[]): TurnTime[] | undefined {
  const inThread = nearestTimes(turns, () => '');
  if (!inThread) return undefined;
  const inConversation = nearestTimes(turns, ({ source }) => source ?? '')!;
  return turns.map(({ time }, i) => ({
    time: time ?? inConversation[i] ?? inThread[i]!,
    placed: time === undefined,
  }));
}

/** For each turn the last time before or at it among turns of the same key, or else the first one after it. */
function nearestTimes(
  turns: readonly TimedTurn[],
  keyOf: (turn: TimedTurn) => string,
): (number | undefined)[] | undefined {
  const first = new Map<string, number>();
  for (const turn of turns) {
    const key = keyOf(turn);
    if (turn.time !== undefined && !first.has(key)) first.set(key, turn.time);
  }
  if (first.size === 0) return undefined;
  const last = new Map<string, number>();
  return turns.map((turn) => {
    const key = keyOf(turn);
    if (turn.time !== undefined) last.set(key, turn.time);
    return last.get(key) ?? first.get(key);
  });
}

/** When the earliest and the latest turn were said. */
export interface Period {
  readonly first: number;
  readonly last: number;
}

/** The period of some turns; undefined when none has a time. */
export function periodOf(turns: readonly TimedTurn[]): Period | undefined {
  let first = Number.POSITIVE_INFINITY;
  let last = Number.NEGATIVE_INFINITY;
  for (const { time } of turns) {
    if (time === undefined) continue;
    first = Math.min(first, time);
    last = Math.max(last, time);
  }
  return first <= last ? { first, last } : undefined;
}

const STEP = 2_000;

/** The times of a thread's turns, read from its store when they are first asked for. */
export class TurnTimes {
  private readonly known: TimedTurn[] = [];

  constructor(private readonly store: Pick<ThreadStore, 'readTurns'>) {}

  /** To be called when turns from `from` on were erased: their source went with them. */
  forget(from: number): void {
    this.known.length = Math.min(this.known.length, from);
  }

  /** Of the first `size` turns. */
  async upTo(size: number): Promise<readonly TimedTurn[]> {
    while (this.known.length < size) {
      const from = this.known.length;
      const turns = await this.store.readTurns(from, Math.min(size, from + STEP));
      if (turns.length === 0) break;
      // Another call may have read the same ones meanwhile.
      if (this.known.length === from) {
        for (const { time, source } of turns) this.known.push({ time, source });
      }
    }
    return this.known.slice(0, size);
  }
}
