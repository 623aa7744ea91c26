import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { join, parse } from 'node:path';
import type { BenchPackage } from '../src/bench/builder.ts';
import { sha256 } from '../src/bench/canonical.ts';
import { readExchangeThread } from '../src/bench/exchange.ts';
import { textOf } from '../src/bench/file-source.ts';
import { SPLITS } from '../src/bench/metrics.ts';
import { FileJournal } from '../src/bench/node/file-journal.ts';
import { localFile } from '../src/bench/node/local-source.ts';
import { exchangeThread, packageFiles } from '../src/bench/package-files.ts';
import { parseLength } from '../src/bench/packing.ts';
import type { BenchResult } from '../src/bench/result.ts';
import { firstDifference, sharedSystems, withSystems } from '../src/bench/result-difference.ts';
import { mergeResults, readResult, withoutTimings, writeResult } from '../src/bench/result-files.ts';
import { type BenchProgress, runBench } from '../src/bench/runner.ts';
import { bySeed, SEED_MODES, seedMeansTable, seedSplitTable, seedTable } from '../src/bench/seed-tables.ts';
import {
  csv,
  detailTable,
  markdown,
  overviewTable,
  pairedTable,
  splitTable,
  timingTable,
} from '../src/bench/tables.ts';
import { runThread } from '../src/bench/thread-run.ts';
import { SkeinError } from '../src/core/errors.ts';
import { createCachedEmbedder } from '../src/embed/node/cached-embedder.ts';
import { buildAndTell, tellProblems } from './bench-package.ts';
import { loadPool } from './bundled-pools.ts';
import { runCommand, StatusLine } from './command.ts';
import { loadAnswerer } from './scaleqa-answerer.ts';
import { type Options, readOptions, usage } from './scaleqa-options.ts';

const UNITS_WRITTEN = 5;

const status = new StatusLine();

async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2));
  switch (options.command) {
    case 'merge':
      return merge(options);
    case 'seeds':
      return compareSeeds(options);
    case 'same':
      return compareRepeats(options);
    case 'build':
      return build(options);
    case 'run':
      return options.thread ? runReadyThread(options, options.thread) : runLengths(options);
  }
}

async function merge(options: Options): Promise<void> {
  await report(mergeResults(await readResults(options.files)), options);
}

async function compareSeeds(options: Options): Promise<void> {
  const results = bySeed(await readResults(options.files));
  const sections = [seedTable(results), seedMeansTable(results)].map(markdown);
  for (const { mode } of SEED_MODES) {
    const kinds = seedSplitTable(results, 'kind', mode);
    if (kinds) sections.push(`kind, ${mode}\n\n${markdown(kinds)}`);
  }
  const text = sections.join('\n\n');
  process.stdout.write(`${text}\n`);
  if (options.markdown) await writeFile(options.markdown, `${text}\n`);
}

/**
 * Tells whether two results are equal byte for byte in all systems that both hold, apart from timings. Rejects with
 * `bad-argument` where they differ.
 */
async function compareRepeats({ files }: Options): Promise<void> {
  const [a, b, ...more] = await readResults(files);
  if (!a || !b || more.length > 0) throw usage('Which two results? (same A.json B.json)');
  const names = sharedSystems(a, b);
  const place =
    names.length === 0
      ? 'their systems: none is in both'
      : firstDifference(withSystems(a, names), withSystems(b, names));
  if (place !== undefined) {
    throw new SkeinError('bad-argument', `${files.join(' and ')} differ, first in ${place}.`);
  }
  const hash = await sha256(withoutTimings(withSystems(a, names)));
  const only = [a, b].map(({ systems }) => systems.length - names.length);
  process.stdout.write(
    `${names.join(', ')}: equal but for timings (SHA-256 ${hash}); systems in only one: ${only.join(' and ')}\n`,
  );
}

function readResults(files: readonly string[]): Promise<BenchResult[]> {
  return Promise.all(files.map(async (file) => readResult(await readText(file), file)));
}

async function build(options: Options): Promise<void> {
  if (!options.out) throw usage('Where shall the package go? (--out FOLDER)');
  const pkg = await loadPackage(options);
  await mkdir(options.out, { recursive: true });
  for (const [name, text] of packageFiles(pkg)) await writeFile(join(options.out, name), text);
}

/** Runs over each length in turn. */
async function runLengths(options: Options): Promise<void> {
  if (options.lengths.length < 2) return runPackage(options);
  for (const length of options.lengths) {
    const own = (file: string | undefined) => file && suffixed(file, length);
    const { out, csv, markdown, units, journal } = options;
    const files = {
      out: own(out),
      csv: own(csv),
      markdown: own(markdown),
      units: own(units),
      journal: own(journal),
    };
    await runPackage({ ...options, ...files, length: parseLength(length) });
  }
}

async function runPackage(options: Options): Promise<void> {
  if (options.systems.length === 0) throw usage('Which systems? (--systems)');
  const pkg = await loadPackage(options);
  const embedder = await loadEmbedder(options);
  const { ask, seed, journal } = options;
  const result = await runBench(pkg, {
    systems: options.systems,
    embedder,
    ...(options.answer && (await loadAnswerer(options.answer))),
    modes: options.modes,
    writeBack: options.writeBack,
    ask: ask === undefined ? undefined : { count: ask, seed },
    shard: options.shard,
    keptUnits: options.kept,
    journal: journal === undefined ? undefined : new FileJournal(journal),
    onProgress: (progress) => status.show(progressText(progress)),
    engine: await engineVersion(),
    machine: `${cpus()[0]?.model.trim()}, ${cpus().length} cores, Node ${process.version}, ${process.platform}`,
  });
  status.clear();
  await report(withPeakMemory(result), options);
  if (options.units) await writeUnits(pkg, options, options.units);
}

/** Notes the most memory that this process has held, of all systems together. */
function withPeakMemory(result: BenchResult): BenchResult {
  const peakMemoryBytes = process.resourceUsage().maxRSS * 1024;
  return { ...result, timings: { ...result.timings, peakMemoryBytes } };
}

/** Runs the systems over each batch's thread as they would run over a ready one. */
async function writeUnits(pkg: BenchPackage, options: Options, file: string): Promise<void> {
  for (const [i, { name }] of pkg.batches.entries()) {
    await writeThreadUnits(
      exchangeThread(pkg, i),
      options,
      pkg.batches.length > 1 ? suffixed(file, name) : file,
    );
  }
}

async function runReadyThread(options: Options, file: string): Promise<void> {
  if (options.systems.length === 0) throw usage('Which systems? (--systems)');
  if (!options.units) throw usage('Where shall the units go? (--units FILE)');
  await writeThreadUnits(readExchangeThread(await readText(file), file), options, options.units);
}

async function writeThreadUnits(
  thread: ReturnType<typeof exchangeThread>,
  options: Options,
  file: string,
): Promise<void> {
  const embedder = await loadEmbedder(options);
  for (const system of options.systems) {
    const lines = await runThread(thread, system, {
      embedder,
      keptUnits: options.kept ?? UNITS_WRITTEN,
      onProgress: (done, total) => status.show(`${system.name}: ${done} of ${total} questions`),
    });
    const own = options.systems.length > 1 ? suffixed(file, system.name) : file;
    await writeFile(own, `${lines.join('\n')}\n`);
    status.clear();
    process.stderr.write(`${system.name}: ${lines.length - 1} retrievals in ${own}\n`);
  }
}

async function loadPackage(options: Options): Promise<BenchPackage> {
  if (!options.place) throw usage('Which package? (--package)');
  const { length, seed, questions, topics } = options;
  const pool = await loadPool(options.place, options.noise, options.packageMode);
  tellProblems(pool.problems);
  return buildAndTell(pool, {
    target: length,
    arrangement: options.arrangement,
    seed,
    noiseSeed: options.noiseSeed,
    masked: options.masked,
    selection: questions === undefined && !topics ? undefined : { count: questions, topics, seed },
  });
}

function loadEmbedder({ embedder, dtype, threads, cache }: Options) {
  return createCachedEmbedder({ model: embedder, dtype, threads, cache });
}

function progressText({ system, batch, phase, progress, systemsDone, systems }: BenchProgress): string {
  const { done, total, rate, secondsLeft } = progress;
  const head = `${systemsDone + 1}/${systems} ${system}, ${batch}`;
  if (phase === 'build') return `${head}: ${done.toFixed(0)} texts embedded, ${rate.toFixed(0)} a second`;
  const left = secondsLeft === undefined ? '' : `, ${secondsLeft.toFixed(0)} s left`;
  return `${head}: ${done} of ${total}, ${rate.toFixed(1)} a second${left}`;
}

async function report(result: BenchResult, options: Options): Promise<void> {
  const text = reportText(result, options.against);
  process.stdout.write(`${text}\n`);
  if (options.out) await writeFile(options.out, writeResult(result));
  if (options.csv) await writeFile(options.csv, csv(overviewTable(result)));
  if (options.markdown) await writeFile(options.markdown, `${text}\n`);
}

function reportText(result: BenchResult, against: string | undefined): string {
  const sections = [
    markdown(overviewTable(result)),
    markdown(detailTable(result)),
    markdown(timingTable(result)),
    machineText(result),
  ];
  for (const mode of result.settings.modes) {
    for (const split of SPLITS) {
      const table = splitTable(result, split, mode);
      if (table) sections.push(`${split}, ${mode}\n\n${markdown(table)}`);
    }
    const paired = against === undefined ? undefined : pairedTable(result, against, mode);
    if (paired) sections.push(`${mode}\n\n${markdown(paired)}`);
  }
  return sections.join('\n\n');
}

function machineText({ timings: { machine, peakMemoryBytes } }: BenchResult): string {
  return peakMemoryBytes === undefined
    ? machine
    : `${machine}; peak memory ${(peakMemoryBytes / 1e9).toFixed(2)} GB`;
}

function suffixed(file: string, name: string): string {
  const { dir, name: base, ext } = parse(file);
  return join(dir, `${base}.${name}${ext}`);
}

async function readText(path: string): Promise<string> {
  return textOf(new Uint8Array(await (await localFile(path)).arrayBuffer()));
}

async function engineVersion(): Promise<string> {
  const { name, version } = JSON.parse(
    await readFile(new URL('../package.json', import.meta.url), 'utf8'),
  ) as {
    name: string;
    version: string;
  };
  return `${name} ${version}`;
}

runCommand(main);
