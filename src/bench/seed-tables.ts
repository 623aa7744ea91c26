import { SkeinError } from '../core/errors.ts';
import { canonicalJson } from './canonical.ts';
import type { QueryMode } from './exchange.ts';
import { groupBy } from './group-by.ts';
import type { Metrics, Split } from './metrics.ts';
import type { BenchResult, SystemResult } from './result.ts';
import { mean } from './statistics.ts';
import type { Table } from './tables.ts';

/** The modes that tables over seeds tell of, and what their columns are called. */
export const SEED_MODES: readonly { readonly mode: QueryMode; readonly short: string }[] = [
  { mode: 'query', short: 'q' },
  { mode: 'query+options', short: 'q+o' },
];

/** Results of one package and the same settings, one for each seed. */
export interface SeededResult {
  readonly seed: number;
  readonly systems: readonly SystemResult[];
}

/**
 * Orders results of one package by their seeds. Several of one seed are joined: of a system that stands in two, the
 * later one counts. Throws `bad-argument` when results differ in more than seed and systems.
 */
export function bySeed(results: readonly BenchResult[]): SeededResult[] {
  const [first, ...others] = results.map(settingsOf);
  const odd = others.findIndex((other) => other !== first);
  if (odd !== -1) {
    throw new SkeinError(
      'bad-argument',
      `Result ${odd + 2} differs from the first in more than its seed and systems.`,
      'Give results of one package and the same settings.',
    );
  }
  const seeds = [...groupBy(results, ({ package: { manifest } }) => manifest.seed)];
  return seeds
    .sort(([a], [b]) => a - b)
    .map(([seed, own]) => {
      const systems = own.flatMap((result) => result.systems);
      return { seed, systems: [...new Map(systems.map((system) => [system.name, system])).values()] };
    });
}

function settingsOf({ package: { manifest }, settings }: BenchResult): string {
  const { seed: _, noiseSeed: __, ...rest } = manifest;
  return canonicalJson({ rest, settings });
}

/** recall@5 of each system at each seed, and its mean over them. */
export function seedTable(results: readonly SeededResult[]): Table {
  const columns = results.flatMap(({ seed }) => SEED_MODES.map(({ short }) => `seed ${seed} ${short}`));
  const rows = systemNames(results).map((name) => {
    const cells = results.map((result) => SEED_MODES.map(({ mode }) => recallOf(find(result, name), mode)));
    const means = SEED_MODES.map((_, i) => meanOf(cells.map((own) => own[i])));
    return [name, ...[...cells.flat(), ...means].map(three)];
  });
  return { head: ['system', ...columns, ...SEED_MODES.map(({ short }) => `mean ${short}`)], rows };
}

/** recall@5 of each system by group, as means over seeds. Undefined where the results have no such groups. */
export function seedSplitTable(
  results: readonly SeededResult[],
  split: Split,
  mode: QueryMode,
): Table | undefined {
  const by = (system: SystemResult | undefined) =>
    system?.summary.modes.find((one) => one.mode === mode)?.by[split];
  const names = systemNames(results);
  const known = results.flatMap(({ systems }) => systems.map(by));
  const groups = [...new Set(known.flatMap((one) => Object.keys(one ?? {})))].sort();
  if (groups.length === 0) return undefined;
  const rows = names.map((name) => [
    name,
    ...groups.map((group) =>
      three(meanOf(results.map((result) => by(find(result, name))?.[group]?.recall[4]?.value))),
    ),
  ]);
  return { head: ['system', ...groups], rows };
}

/** What else the results say of each system, as means over those it was run in. */
export function seedMeansTable(results: readonly SeededResult[]): Table {
  const rows = systemNames(results).map((name) => {
    const own = results.flatMap((result) => find(result, name) ?? []);
    const each = (mode: QueryMode, figure: (metrics: Metrics) => number | undefined) =>
      meanOf(own.map((system) => figureOf(metricsIn(system, mode), figure)));
    const summary = (figure: (system: SystemResult) => number | undefined) => meanOf(own.map(figure));
    return [
      name,
      String(own.length),
      three(each('query', ({ recall }) => recall[0]!.value)),
      three(each('query+options', ({ recall }) => recall[0]!.value)),
      three(each('query', ({ clHit }) => clHit.value)),
      three(each('query+options', ({ clHit }) => clHit.value)),
      whole(each('query', ({ contextTokens }) => contextTokens.mean)),
      whole(each('query+options', ({ contextTokens }) => contextTokens.mean)),
      three(each('query', ({ coContainment }) => coContainment?.value)),
      whole(summary(({ summary: { unitTokens } }) => unitTokens)),
      three(summary(({ summary: { cuts } }) => cuts?.f1)),
    ];
  });
  const head = ['system', 'seeds', 'recall@1 q', 'recall@1 q+o', 'CL hit q', 'CL hit q+o'];
  const rest = ['mean tokens q', 'mean tokens q+o', 'co-containment', 'tokens a unit', 'boundary F1'];
  return { head: [...head, ...rest], rows };
}

function systemNames(results: readonly SeededResult[]): string[] {
  return [...new Set(results.flatMap(({ systems }) => systems.map(({ name }) => name)))];
}

function find({ systems }: SeededResult, name: string): SystemResult | undefined {
  return systems.find((system) => system.name === name);
}

function metricsIn({ summary }: SystemResult, mode: QueryMode): Metrics | undefined {
  return summary.modes.find((one) => one.mode === mode)?.overall;
}

function recallOf(system: SystemResult | undefined, mode: QueryMode): number | undefined {
  return system && metricsIn(system, mode)?.recall[4]?.value;
}

function figureOf(
  metrics: Metrics | undefined,
  figure: (metrics: Metrics) => number | undefined,
): number | undefined {
  return metrics && figure(metrics);
}

/** The mean of the values there are. */
function meanOf(values: readonly (number | undefined)[]): number | undefined {
  const known = values.filter((value) => value !== undefined);
  return known.length === 0 ? undefined : mean(known);
}

function three(value: number | undefined): string {
  return value === undefined ? '' : value.toFixed(3);
}

function whole(value: number | undefined): string {
  return value === undefined ? '' : value.toFixed(0);
}
