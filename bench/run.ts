/**
 * `npm run bench`: every figure of speed and size, written to a file each in bench/ with the machine and the
 * commit. Compare ratios inside one run: machines differ, and this one may be busy. `--skip browser|indexes` leaves a
 * part out, `--only recall` measures recall alone.
 */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { cpus, loadavg, platform, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'vite';
import { type BrowserBench, benchBrowser, benchRecall } from './browser-bench.ts';
import { benchIndexes, indexTable } from './index-bench.ts';

/** Where the project's own data lies beside a checkout; a longer thread needs it. */
const NOISE = fileURLToPath(new URL('../../shared/data/noise-sgd.jsonl.gz', import.meta.url));

function machine() {
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();
  const changed = execFileSync('git', ['status', '--porcelain', '-uno'], { encoding: 'utf8' }).trim() !== '';
  return {
    commit: changed ? `${commit} with changes` : commit,
    date: new Date().toISOString(),
    processor: cpus()[0]?.model ?? 'unknown',
    cores: cpus().length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    platform: platform(),
    node: process.version,
    loadAverage: loadavg()[0]!,
  };
}

function browserTable(bench: BrowserBench): string {
  const rows: [string, string][] = [
    [
      'turns ingested, real model on WASM',
      `${bench.turns.toLocaleString('en')} into ${bench.episodes} episodes`,
    ],
    ['ingest', `${bench.ingestSeconds.toFixed(0)} s, ${bench.turnsASecond.toFixed(1)} turns a second`],
    ['paused and resumed at turn', String(bench.pausedAtTurn)],
    ['page blocked at most', `${bench.longestTaskMs.toFixed(0)} ms (${bench.longTasks} tasks over 50 ms)`],
    [
      'reopened, first question, beyond embedding it',
      `${bench.firstAsk.beyond.toFixed(0)} ms (embedding ${bench.firstAsk.embedding.toFixed(0)} ms)`,
    ],
    ...Object.values(bench.rank).map(({ turns, least, median, p95 }): [string, string] => [
      `recall without embedding, ${turns.toLocaleString('en')} turns`,
      `median ${median.toFixed(2)} ms, p95 ${p95.toFixed(2)} ms, least ${least.toFixed(2)} ms`,
    ]),
    ['scripts of the first load, gzip', `${(bench.firstLoadScriptGzipBytes / 1000).toFixed(1)} kB`],
    ['stored, both threads', `${(bench.storedBytes / 2 ** 20).toFixed(0)} MiB`],
    ['cross-origin isolated (threads)', bench.crossOriginIsolated ? 'yes' : 'no'],
  ];
  return ['| what | figure |', '|---|---|', ...rows.map(([what, figure]) => `| ${what} | ${figure} |`)].join(
    '\n',
  );
}

async function buildAndBench(noise: string | undefined): Promise<BrowserBench> {
  await build({ logLevel: 'error' });
  return benchBrowser({ noise });
}

/** What a recall takes beside that of TSIM; printed, and written nowhere, since it is a part of the whole. */
async function printRecall(noise: string | undefined): Promise<void> {
  await build({ logLevel: 'error' });
  const { loadAverage } = machine();
  for (const [name, { turns, least, median, p95 }] of Object.entries(await benchRecall({ noise }))) {
    const times = [least, median, p95].map((time) => `${time.toFixed(2)} ms`);
    console.log(`${name}, ${turns} turns: least ${times[0]}, median ${times[1]}, p95 ${times[2]}`);
  }
  console.log(`load average ${loadAverage.toFixed(1)} before`);
}

/** One part of the bench: its figures in bench/NAME.json, and as a table in bench/NAME.md. */
async function write<T>(name: string, title: string, bench: () => Promise<T>, table: (figures: T) => string) {
  const about = machine();
  const figures = await bench();
  const head =
    `\`npm run bench\`, commit ${about.commit}, ${about.date}, ${about.processor}, ${about.cores} cores, ` +
    `${about.memoryGiB} GiB, load average ${about.loadAverage.toFixed(1)} at the start.`;
  const text = [`# ${title}`, head, table(figures)].join('\n\n');
  await writeFile(new URL(`${name}.md`, import.meta.url), `${text}\n`);
  const json = JSON.stringify({ machine: about, figures }, null, 2);
  await writeFile(new URL(`${name}.json`, import.meta.url), `${json}\n`);
  console.log(text);
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      noise: { type: 'string' },
      skip: { type: 'string', multiple: true },
      only: { type: 'string' },
    },
  });
  const noise = values.noise ?? (existsSync(NOISE) ? NOISE : undefined);
  if (values.only === 'recall') return printRecall(noise);
  const skip = new Set(values.skip);
  if (!skip.has('browser')) {
    await write('browser', 'Browser (Chromium, production build)', () => buildAndBench(noise), browserTable);
  }
  if (!skip.has('indexes')) {
    await write('indexes', 'Vector indexes (Node, 384 dimensions)', () => benchIndexes(), indexTable);
  }
}

await main();
