import { readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import {
  type ExchangeThread,
  type ExchangeUnit,
  headLine,
  modesOf,
  questionText,
  readExchangeThread,
  resultLine,
} from '../src/bench/exchange.ts';
import { SkeinError } from '../src/core/errors.ts';
import { normalise } from '../src/core/vectors.ts';
import type { Embedder } from '../src/embed/embedder.ts';
import { createCachedEmbedder } from '../src/embed/node/cached-embedder.ts';
import { EpisodicMemory } from '../src/memory/episodic-memory.ts';
import { MemoryThreadStore } from '../src/store/memory-store.ts';
import { CONFIGURATION_NAMES, type ConfigurationName } from '../src/store/records.ts';
import { runCommand } from './command.ts';

const USAGE = `npm run recall -- --thread FILE --config ${CONFIGURATION_NAMES.join('|')} --out FILE
  --vectors FILE   raw little-endian float32, a row a turn, in place of embedding the turns
  --k N            episodes listed for each question (default: the configuration's own number, 5)
  --no-cache       embed everything anew instead of keeping vectors in .cache/vectors`;

interface Options {
  readonly thread: string;
  readonly config: ConfigurationName;
  readonly out: string;
  readonly vectors?: string;
  readonly k?: number;
  readonly cache: boolean;
}

function readOptions(): Options {
  const { values } = parseArgs({
    options: {
      thread: { type: 'string' },
      config: { type: 'string', default: 'skein' },
      out: { type: 'string' },
      vectors: { type: 'string' },
      k: { type: 'string' },
      'no-cache': { type: 'boolean', default: false },
    },
  });
  const config = CONFIGURATION_NAMES.find((name) => name === values.config);
  if (!values.thread || !values.out || !config) throw new SkeinError('bad-argument', 'Usage:', USAGE);
  const k = values.k === undefined ? undefined : Number(values.k);
  if (k !== undefined && !(Number.isInteger(k) && k > 0)) {
    throw new SkeinError('bad-argument', `--k ${values.k} is not a number of episodes.`, USAGE);
  }
  return {
    thread: values.thread,
    config,
    out: values.out,
    vectors: values.vectors,
    k,
    cache: !values['no-cache'],
  };
}

/** Rows of a raw float32 file, one a turn, made unit length. */
async function readVectors(file: string, turns: number, dimension: number): Promise<Float32Array[]> {
  const bytes = await readFile(file);
  const expected = turns * dimension * 4;
  if (bytes.byteLength !== expected) {
    throw new SkeinError(
      'wrong-dimension',
      `${file} has ${bytes.byteLength} bytes; ${turns} turns of ${dimension} floats are ${expected}.`,
      'Give one little-endian float32 row of the embedder for each turn.',
    );
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Array.from({ length: turns }, (_, turn) =>
    normalise(
      Float32Array.from({ length: dimension }, (_, i) => view.getFloat32((turn * dimension + i) * 4, true)),
    ),
  );
}

async function ingest(thread: ExchangeThread, options: Options, embedder: Embedder): Promise<EpisodicMemory> {
  const store = new MemoryThreadStore({ configuration: options.config });
  const memory = await EpisodicMemory.open({ store, embedder });
  await memory.append(thread.turns);
  const vectors =
    options.vectors && (await readVectors(options.vectors, thread.turns.length, embedder.stamp.dimension));
  await memory.catchUp({
    stepTurns: 1024,
    vectorOf: vectors ? (turn) => vectors[turn] : undefined,
    onProgress: (done, total) => process.stderr.write(`\r${done} of ${total} turns`),
  });
  process.stderr.write('\n');
  return memory;
}

async function recallAll(
  thread: ExchangeThread,
  options: Options,
  memory: EpisodicMemory,
): Promise<string[]> {
  const units: ExchangeUnit[] = memory.episodes.map(({ start, end }) => ({ ranges: [[start, end]] }));
  const lines = [headLine(thread.sha, options.config, units)];
  for (const question of thread.questions) {
    for (const mode of modesOf(question)) {
      const recalled = await memory.recall(questionText(question, mode), { k: options.k });
      const found = recalled.map(({ start, end, ranges = [{ start, end }], score, parts }) => ({
        ranges: ranges.map((range) => [range.start, range.end] as const),
        score,
        parts,
      }));
      lines.push(resultLine(question.id, mode, found));
    }
  }
  return lines;
}

async function main(): Promise<void> {
  const options = readOptions();
  const thread = readExchangeThread(await readFile(options.thread, 'utf8'), options.thread);
  if (thread.turns.length === 0) {
    throw new SkeinError('empty-thread', `${options.thread} holds no turns.`, 'Give a thread with turns.');
  }
  const memory = await ingest(thread, options, await createCachedEmbedder({ cache: options.cache }));
  const lines = await recallAll(thread, options, memory);
  await writeFile(options.out, `${lines.join('\n')}\n`);
  process.stderr.write(`${memory.episodes.length} episodes, ${lines.length - 1} recalls: ${options.out}\n`);
}

runCommand(main);
