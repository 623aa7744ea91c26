import type { QueryMode } from './exchange.ts';
import type { Metrics } from './metrics.ts';
import type { BenchResult, SystemResult } from './result.ts';
import type { Proportion } from './statistics.ts';
import type { Table } from './tables.ts';

/** One setting of what a sweep varies, and what came out there. */
export interface SweepPoint {
  readonly label: string;
  readonly result: BenchResult;
}

/** A system's figures at each setting: recall@5 in both modes, what it costs, and how it cuts. */
export function sweepTable(varied: string, points: readonly SweepPoint[]): Table {
  const head = [
    varied,
    'system',
    'recall@5 q',
    '95%',
    'recall@5 q+o',
    '95%',
    'recall@1 q',
    'mean tokens q',
    'units',
    'tokens a unit',
    'cut precision',
    'cut recall',
    'cut F1',
  ];
  const rows = points.flatMap(({ label, result }) =>
    result.systems.map((system) => [label, system.name, ...figures(system)]),
  );
  return { head, rows };
}

function figures(system: SystemResult): string[] {
  const { units, unitTokens, cuts } = system.summary;
  const alone = metricsIn(system, 'query');
  return [
    ...recallCells(alone),
    ...recallCells(metricsIn(system, 'query+options')),
    alone ? alone.recall[0]!.value.toFixed(3) : '',
    alone ? alone.contextTokens.mean.toFixed(0) : '',
    units === undefined ? '' : String(units),
    unitTokens === undefined ? '' : unitTokens.toFixed(0),
    ...(cuts ? [cuts.precision, cuts.recall, cuts.f1].map((value) => value.toFixed(3)) : ['', '', '']),
  ];
}

/** recall@5 of a system in a mode at a setting, where it was run. */
export function recallAt({ result }: SweepPoint, system: string, mode: QueryMode): Proportion | undefined {
  const found = result.systems.find(({ name }) => name === system);
  return found && metricsIn(found, mode)?.recall[4];
}

function metricsIn({ summary }: SystemResult, mode: QueryMode): Metrics | undefined {
  return summary.modes.find((one) => one.mode === mode)?.overall;
}

function recallCells(metrics: Metrics | undefined): string[] {
  const recall = metrics?.recall[4];
  if (!recall) return ['', ''];
  return [recall.value.toFixed(3), `${recall.low.toFixed(3)} to ${recall.high.toFixed(3)}`];
}
