import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BenchPackage } from '../src/bench/builder.ts';
import { driftOf } from '../src/bench/drift.ts';
import { parseLength } from '../src/bench/packing.ts';
import type { Pool } from '../src/bench/pool.ts';
import { writeResult } from '../src/bench/result-files.ts';
import { runBench } from '../src/bench/runner.ts';
import { type SweepPoint, sweepTable } from '../src/bench/sweep.ts';
import { sweepPlot } from '../src/bench/sweep-plot.ts';
import { markdown, type Table } from '../src/bench/tables.ts';
import { SkeinError } from '../src/core/errors.ts';
import { unreachable } from '../src/core/unreachable.ts';
import type { Embedder } from '../src/embed/embedder.ts';
import { SHIPPED_MODEL } from '../src/embed/registry.ts';
import type { SystemDescription } from '../src/systems/system.ts';
import { tsimAt } from '../src/systems/variants.ts';
import { variedEmbedder } from './bench-embedder.ts';
import { buildAndTell, tellProblems } from './bench-package.ts';
import { loadPool } from './bundled-pools.ts';
import { runCommand, StatusLine } from './command.ts';
import { readSensitivityOptions, type SensitivityOptions } from './sensitivity-options.ts';

const status = new StatusLine();

async function main(): Promise<void> {
  const options = readSensitivityOptions(process.argv.slice(2));
  const pool = await loadPool(options.place, options.noise);
  tellProblems(pool.problems);
  const { points, tables } = await sweep(pool, options);
  const text = [sweepTable(options.varied, points), ...tables].map(markdown).join('\n\n');
  process.stdout.write(`${text}\n`);
  if (options.out) await writeFile(options.out, `${text}\n`);
  if (options.svg) await writeFile(options.svg, sweepPlot(options.varied, points));
}

function sweep(pool: Pool, options: SensitivityOptions): Promise<Swept> {
  switch (options.varied) {
    case 'threshold':
      return sweepThreshold(pool, options);
    case 'length':
      return sweepLength(pool, options);
    case 'embedder':
      return sweepEmbedder(pool, options);
    default:
      return unreachable(options.varied);
  }
}

/** What a sweep gives: its points, and tables beside the one of recall. */
interface Swept {
  readonly points: readonly SweepPoint[];
  readonly tables: readonly Table[];
}

async function sweepThreshold(pool: Pool, options: SensitivityOptions): Promise<Swept> {
  const pkg = await build(pool, options.length, options);
  const embedder = await variedEmbedder(SHIPPED_MODEL, options.threads);
  const points: SweepPoint[] = [];
  for (const value of options.values) {
    points.push(await run(value, pkg, [tsimAt(thresholdOf(value))], embedder, options));
  }
  return { points, tables: [] };
}

async function sweepLength(pool: Pool, options: SensitivityOptions): Promise<Swept> {
  const embedder = await variedEmbedder(SHIPPED_MODEL, options.threads);
  const points: SweepPoint[] = [];
  const threads: string[][] = [];
  for (const value of options.values) {
    const pkg = await build(pool, parseLength(value), options);
    points.push(await run(value, pkg, options.systems, embedder, options));
    const turns = pkg.batches.map(({ stats }) => stats.turns);
    const dialogues = pkg.batches.map(({ stats }) => stats.evidenceDialogues);
    threads.push([value, String(pkg.batches.length), range(turns), range(dialogues)]);
  }
  const head = ['length', 'threads', 'turns a thread', 'dialogues with evidence a thread'];
  return { points, tables: [{ head, rows: threads }] };
}

async function sweepEmbedder(pool: Pool, options: SensitivityOptions): Promise<Swept> {
  const pkg = await build(pool, options.length, options);
  const points: SweepPoint[] = [];
  const drifts: string[][] = [];
  for (const value of options.values) {
    const embedder = await variedEmbedder(value, options.threads);
    const label = labelOf(value);
    points.push(await run(label, pkg, options.systems, embedder, options));
    const { inside, atBoundary } = await driftOf(pkg.batches[0]!, embedder);
    drifts.push([label, inside.toFixed(3), atBoundary.toFixed(3)]);
  }
  const head = ['embedder', 'cosine inside a dialogue', 'cosine at a boundary'];
  return { points, tables: [{ head, rows: drifts }] };
}

function build(pool: Pool, target: number, { seed }: SensitivityOptions): Promise<BenchPackage> {
  return buildAndTell(pool, { target, arrangement: 'blocks', seed, masked: false });
}

async function run(
  label: string,
  pkg: BenchPackage,
  systems: readonly SystemDescription[],
  embedder: Embedder,
  { results }: SensitivityOptions,
): Promise<SweepPoint> {
  const result = await runBench(pkg, {
    systems,
    embedder,
    engine: 'skein',
    machine: `Node ${process.version}`,
    onProgress: ({ system, batch, phase, progress }) =>
      status.show(`${label}: ${system}, ${batch}, ${phase}: ${progress.done.toFixed(0)}`),
  });
  status.clear();
  if (results) {
    await mkdir(results, { recursive: true });
    await writeFile(join(results, `${label.replaceAll(/[^\w.+=-]/g, '_')}.json`), writeResult(result));
  }
  return { label, result };
}

function thresholdOf(value: string): number {
  const threshold = Number(value);
  if (threshold >= -1 && threshold <= 1) return threshold;
  throw new SkeinError('bad-argument', `${value} is no threshold.`, 'Give cosines, such as 0.65.');
}

/** A model's name and its variations, without the folders before it. */
function labelOf(spec: string): string {
  return spec.slice(spec.lastIndexOf('/') + 1);
}

function range(values: readonly number[]): string {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  return low === high ? String(low) : `${low} to ${high}`;
}

runCommand(main);
