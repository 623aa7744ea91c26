import { estimateTokens } from '../core/tokens.ts';
import type { RetrievedUnit } from '../systems/system.ts';
import type { Batch } from './builder.ts';

/** How a system's own index divides a thread. For the report only. */
export interface IndexScore {
  readonly batch: string;
  readonly units: number;
  /** Mean tokens of a unit. */
  readonly unitTokens: number;
  /** Cuts against the gold boundaries of dialogues; absent where the units are no division of the thread. */
  readonly cuts?: Cuts;
}

/** Counts of boundaries, the start of the thread left out. */
export interface Cuts {
  readonly made: number;
  readonly gold: number;
  readonly right: number;
}

export interface CutQuality {
  readonly precision: number;
  readonly recall: number;
  readonly f1: number;
}

export function scoreIndex(units: readonly RetrievedUnit[], batch: Batch): IndexScore {
  const tokens = batch.turns.map(({ text }) => estimateTokens(text));
  const sums = [0];
  for (const count of tokens) sums.push(sums.at(-1)! + count);
  const total = units.reduce((sum, { ranges, text }) => {
    const own = text === undefined ? 0 : estimateTokens(text);
    return sum + own + ranges.reduce((all, [start, end]) => all + sums[end]! - sums[start]!, 0);
  }, 0);
  const cuts = cutsOf(units, batch);
  return {
    batch: batch.name,
    units: units.length,
    unitTokens: units.length === 0 ? 0 : total / units.length,
    ...(cuts && { cuts }),
  };
}

/** Precision, recall and F1 of cuts counted over all batches. */
export function cutQuality(all: readonly Cuts[]): CutQuality {
  const sum = (of: keyof Cuts) => all.reduce((total, cuts) => total + cuts[of], 0);
  const [made, gold, right] = [sum('made'), sum('gold'), sum('right')];
  return {
    precision: made === 0 ? 0 : right / made,
    recall: gold === 0 ? 0 : right / gold,
    f1: made + gold === 0 ? 0 : (2 * right) / (made + gold),
  };
}

/** Undefined where units overlap, leave turns out, or are the turns themselves. */
function cutsOf(units: readonly RetrievedUnit[], { turns, boundaries }: Batch): Cuts | undefined {
  const ranges = units.flatMap((unit) => unit.ranges).sort(([a], [b]) => a - b);
  const whole = units.every((unit) => unit.ranges.length === 1 && unit.text === undefined);
  if (!whole || ranges.length === turns.length) return undefined;
  let end = 0;
  for (const [start, next] of ranges) {
    if (start !== end) return undefined;
    end = next;
  }
  if (end !== turns.length) return undefined;
  const gold = new Set(boundaries.filter((turn) => turn > 0));
  const starts = ranges.map(([start]) => start).filter((turn) => turn > 0);
  return { made: starts.length, gold: gold.size, right: starts.filter((turn) => gold.has(turn)).length };
}
