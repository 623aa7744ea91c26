import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { BOUNDARIES, type HistorySet } from '../src/bench/histories.ts';
import { readHistories } from '../src/bench/history-reader.ts';
import { runHistories, selectQuestions } from '../src/bench/history-run.ts';
import { historyLedger, historyReport, historyTable } from '../src/bench/history-tables.ts';
import { markdown } from '../src/bench/tables.ts';
import { SkeinError } from '../src/core/errors.ts';
import { createCachedEmbedder } from '../src/embed/node/cached-embedder.ts';
import { findHistorySystem, HISTORY_SYSTEMS } from '../src/systems/history-systems.ts';
import { runCommand, StatusLine } from './command.ts';

const SHOWN_PROBLEMS = 10;
const USAGE = `npm run longmemeval -- --data FILE_OR_URL --systems NAMES --out FOLDER

  --data PLACE         longmemeval_s_cleaned.json, longmemeval_oracle.json or locomo10.json, a file or a URL
  --systems NAMES      ${HISTORY_SYSTEMS.map(({ name }) => name).join(', ')} (default: these), and any of npm run scaleqa
  --boundaries NAME    flat (one thread without sessions), given (sessions are known), or both (default)
  --questions N        so many questions, evenly over types; --seed N chooses them (1)
  --embedder NAME      folder of a local model, or the name of one beside the shipped one
  --out FOLDER         questions.jsonl and report.md`;

function usage(message: string): SkeinError {
  return new SkeinError('bad-argument', message, USAGE);
}

function readOptions() {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    options: {
      data: text,
      systems: { ...text, default: HISTORY_SYSTEMS.map(({ name }) => name).join(',') },
      boundaries: { ...text, default: 'both' },
      questions: text,
      seed: { ...text, default: '1' },
      embedder: text,
      out: text,
    },
  });
  const boundaries =
    values.boundaries === 'both' ? BOUNDARIES : BOUNDARIES.filter((one) => one === values.boundaries);
  const questions = values.questions === undefined ? undefined : Number(values.questions);
  if (!values.data || !values.out) throw usage('Which data, and where shall the results go?');
  if (boundaries.length === 0) throw usage(`--boundaries ${values.boundaries} is unknown.`);
  if (questions !== undefined && !(questions > 0))
    throw usage(`--questions ${values.questions} is no number.`);
  return {
    data: values.data,
    out: values.out,
    systems: values.systems.split(',').map(findHistorySystem),
    boundaries,
    questions,
    seed: Number(values.seed),
    embedder: values.embedder,
  };
}

async function readData(place: string): Promise<HistorySet> {
  const text = /^https?:/.test(place) ? await download(place) : await readFile(place, 'utf8');
  return readHistories(text, basename(place));
}

async function download(url: string): Promise<string> {
  const response = await fetch(url);
  if (response.ok) return response.text();
  throw new SkeinError('download-failed', `${url} answered ${response.status}.`, 'Check the address.');
}

async function main(): Promise<void> {
  const options = readOptions();
  const read = await readData(options.data);
  for (const { place, message } of read.problems.slice(0, SHOWN_PROBLEMS)) {
    process.stderr.write(`${place}: ${message}\n`);
  }
  process.stderr.write(`${read.histories.length} histories, ${read.problems.length} remarks on labels\n`);
  const set = options.questions === undefined ? read : selectQuestions(read, options.questions, options.seed);
  const status = new StatusLine();
  const lines = await runHistories(set, {
    systems: options.systems,
    embedder: await createCachedEmbedder({ model: options.embedder, cache: true }),
    boundaries: options.boundaries,
    onProgress: (done, total, place) => status.show(`${done} of ${total}: ${place}`),
  });
  status.clear();
  await mkdir(options.out, { recursive: true });
  await writeFile(join(options.out, 'questions.jsonl'), historyLedger(lines));
  await writeFile(join(options.out, 'report.md'), historyReport(set, lines));
  process.stdout.write(`${markdown(historyTable(lines))}\n`);
}

runCommand(main);
