import type { QueryMode } from '../../bench/exchange.ts';
import type { CutQuality } from '../../bench/index-score.ts';
import type { BenchResult } from '../../bench/lab/contract.ts';
import type { Metrics } from '../../bench/metrics.ts';
import { type Distribution, distribution } from '../../bench/statistics.ts';

/** A line of the results table: one system asked in one way. */
export interface ResultRow {
  readonly system: string;
  readonly title: string;
  readonly mode: QueryMode;
  readonly metrics: Metrics;
  /** Milliseconds of retrieval a question. */
  readonly latency: Distribution;
  readonly cuts?: CutQuality;
}

export function resultRows({ systems, timings }: BenchResult): ResultRow[] {
  return systems.flatMap(({ name, title, summary }) => {
    const timed = timings.systems.find((one) => one.name === name)?.questions ?? [];
    return summary.modes.map(({ mode, overall }) => ({
      system: name,
      title,
      mode,
      metrics: overall,
      latency: distribution(timed.filter((one) => one.mode === mode).map(({ retrieveMs }) => retrieveMs)),
      ...(summary.cuts && { cuts: summary.cuts }),
    }));
  });
}

/** Rows in the order of `value`; those without one come last, equal ones stay in the order of the table. */
export function sortRows<T>(
  rows: readonly T[],
  value: (row: T) => number | string | undefined,
  descending: boolean,
): T[] {
  const sign = descending ? -1 : 1;
  return [...rows].sort((a, b) => {
    const [x, y] = [value(a), value(b)];
    if (x === undefined || y === undefined) return Number(x === undefined) - Number(y === undefined);
    if (x === y) return 0;
    return x < y ? -sign : sign;
  });
}
