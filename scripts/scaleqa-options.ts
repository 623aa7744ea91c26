import { parseArgs } from 'node:util';
import { ARRANGEMENTS, type Arrangement } from '../src/bench/arrange.ts';
import { ANSWER_WAYS, type AnswerWay } from '../src/bench/engine-answerer.ts';
import type { QueryMode } from '../src/bench/exchange.ts';
import { parseLength } from '../src/bench/packing.ts';
import type { Shard } from '../src/bench/result.ts';
import { SkeinError } from '../src/core/errors.ts';
import { findSystem, SYSTEMS } from '../src/systems/registry.ts';
import type { SystemDescription } from '../src/systems/system.ts';

export const USAGE = `npm run scaleqa -- --package DIR_OR_POOL --length 128k --systems NAME,NAME|all --out result.json
npm run scaleqa -- --thread FILE --systems NAME,NAME --units FILE
npm run scaleqa -- merge --out result.json SHARD.json...
npm run scaleqa -- seeds [--markdown FILE] RESULT.json...    one system a row, results that differ in their seed
npm run scaleqa -- same A.json B.json                      are they equal byte for byte, but for timings?
npm run scaleqa -- build --package DIR_OR_POOL --length 128k --out FOLDER

the thread
  --package PLACE      scaleqa-dev, worlds-dev (bundled), a package's folder, ZIP or URL, or a pool in JSON Lines
  --package-mode NAME  which runtime folder of a package with several
  --noise FILE...      distractor pools (JSON Lines, chat exports; .gz too); bundled pools default to noise-chats
  --length N           tokens, such as 32k or 1M; left out: everything in one thread; several (16k,128k) are run one
                       after the other, and files get their names
  --questions N        builds with so many questions, evenly over topics; left out: all
  --topics A,B         only these topics (of worlds: kinds)
  --seed N             places dialogues and chooses questions (1)
  --noise-seed N       chooses distractors (the seed)
  --arrangement NAME   ${ARRANGEMENTS.join(', ')} (blocks)
  --masked             each question loses the words that only its own dialogues hold
  --thread FILE        a ready thread in the exchange format in place of a package

the run
  --systems NAMES      ${SYSTEMS.map(({ name }) => name).join(', ')}, or all
  --embedder NAME      folder of a local model, or the name of one beside the shipped one
  --dtype NAME         its weight format
  --threads N          its threads; left out: one a core. One takes half the processor time
  --mode NAME          query or query+options; left out: both
  --ask N              asks so many of the package's questions; left out: all
  --write-back         appends each question to the memory after it was asked
  --answer embedded    a language model answers each question: the one that comes with the site
  --answer-endpoint URL --answer-model NAME
                       or a server with the OpenAI chat protocol; its key, if any, in SKEIN_ANSWER_KEY
  --answer-window N    tokens of the endpoint's window (8192)
  --answer-way NAME    ${ANSWER_WAYS.join(' or ')}; left out: forced for models below a thousand million parameters
  --answer-context N   most tokens of a prompt; left out: the model's window
  --answer-tokens N    most tokens of what the model writes
  --answer-threads N   threads of the embedded model; left out: one a core, which a busy machine makes slow
  --built-by-answer    RAPTOR, MemGPT, HippoRAG and Hybrid-Rerank are built by the answer model, too
  --shard I/N          this share of the questions; join the results with merge
  --journal FILE       writes finished questions down; a run that was stopped goes on behind them
  --no-cache           embeds everything anew instead of keeping vectors in .cache/vectors

the output
  --out FILE           the result; --csv FILE and --markdown FILE its tables
  --units FILE         what each system retrieved, in the exchange format (several systems: FILE with their names)
  --kept N             units kept of each retrieval (10; in --units 5)
  --against NAME       compares every system with this one, pair by pair`;

const COMMANDS = ['merge', 'seeds', 'same', 'build'] as const;
type Command = 'run' | (typeof COMMANDS)[number];

export interface Options {
  readonly command: Command;
  readonly files: readonly string[];
  readonly place?: string;
  readonly packageMode?: string;
  readonly thread?: string;
  readonly noise?: readonly string[];
  readonly length?: number;
  /** Of a run over several lengths, as they were written. */
  readonly lengths: readonly string[];
  readonly questions?: number;
  readonly topics?: readonly string[];
  readonly seed: number;
  readonly noiseSeed?: number;
  readonly arrangement: Arrangement;
  readonly masked: boolean;
  readonly systems: readonly SystemDescription[];
  readonly embedder?: string;
  readonly dtype?: string;
  readonly threads?: number;
  readonly modes?: readonly QueryMode[];
  readonly ask?: number;
  readonly writeBack: boolean;
  readonly answer?: AnswerChoice;
  readonly shard?: Shard;
  readonly journal?: string;
  readonly cache: boolean;
  readonly out?: string;
  readonly csv?: string;
  readonly markdown?: string;
  readonly units?: string;
  readonly kept?: number;
  readonly against?: string;
}

/** Which model answers, and how. */
export interface AnswerChoice {
  readonly model: 'embedded' | { readonly url: string; readonly name: string; readonly window: number };
  readonly way?: AnswerWay;
  readonly contextTokens?: number;
  readonly answerTokens?: number;
  readonly threads?: number;
  readonly buildsSystems: boolean;
}

const text = { type: 'string' } as const;
const flag = { type: 'boolean', default: false } as const;

/** Reads the command line. Throws `bad-argument` with the usage. */
export function readOptions(args: readonly string[]): Options {
  const { values, positionals } = parse(spreadNoise(args));
  const [first, ...rest] = positionals;
  const command = COMMANDS.find((name) => name === first) ?? 'run';
  const takesFiles = command !== 'run' && command !== 'build';
  if (!takesFiles && positionals.length > (command === 'build' ? 1 : 0)) {
    throw usage(`What is "${command === 'build' ? rest[0] : first}"?`);
  }
  return {
    command,
    files: rest,
    place: values.package,
    packageMode: values['package-mode'],
    thread: values.thread,
    noise: values.noise,
    ...lengthsOf(values.length),
    questions: count('questions', values.questions),
    topics: values.topics?.split(','),
    seed: count('seed', values.seed, 0) ?? 1,
    noiseSeed: count('noise-seed', values['noise-seed'], 0),
    arrangement: oneOf('arrangement', values.arrangement ?? 'blocks', ARRANGEMENTS),
    masked: values.masked,
    systems: systemsOf(values.systems),
    embedder: values.embedder,
    dtype: values.dtype,
    threads: count('threads', values.threads),
    modes:
      values.mode === undefined
        ? undefined
        : [oneOf('mode', values.mode, ['query', 'query+options'] as const)],
    ask: count('ask', values.ask),
    writeBack: values['write-back'],
    answer: answerOf(values),
    shard: values.shard === undefined ? undefined : shardOf(values.shard),
    journal: values.journal,
    cache: !values['no-cache'],
    out: values.out,
    csv: values.csv,
    markdown: values.markdown,
    units: values.units,
    kept: count('kept', values.kept),
    against: values.against,
  };
}

function lengthsOf(value: string | undefined): Pick<Options, 'length' | 'lengths'> {
  const lengths = value?.split(',') ?? [];
  const [length] = lengths.map(parseLength);
  return { length, lengths };
}

function parse(args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        package: text,
        'package-mode': text,
        thread: text,
        noise: { type: 'string', multiple: true },
        length: text,
        questions: text,
        topics: text,
        seed: text,
        'noise-seed': text,
        arrangement: text,
        masked: flag,
        systems: text,
        embedder: text,
        dtype: text,
        threads: text,
        mode: text,
        ask: text,
        'write-back': flag,
        answer: text,
        'answer-endpoint': text,
        'answer-model': text,
        'answer-window': text,
        'answer-way': text,
        'answer-context': text,
        'answer-tokens': text,
        'answer-threads': text,
        'built-by-answer': flag,
        shard: text,
        journal: text,
        'no-cache': flag,
        out: text,
        csv: text,
        markdown: text,
        units: text,
        kept: text,
        against: text,
      },
    });
  } catch (error) {
    throw usage((error as Error).message);
  }
}

/** `--noise A B` as `--noise A --noise B`. */
export function spreadNoise(args: readonly string[]): string[] {
  const spread: string[] = [];
  let open = false;
  for (const arg of args) {
    if (arg.startsWith('--')) open = arg === '--noise';
    else if (open && spread.at(-1) !== '--noise') spread.push('--noise');
    spread.push(arg);
  }
  return spread;
}

function systemsOf(names: string | undefined): readonly SystemDescription[] {
  if (names === undefined) return [];
  return names === 'all' ? SYSTEMS : names.split(',').map((name) => findSystem(name.trim()));
}

function answerOf(values: ReturnType<typeof parse>['values']): AnswerChoice | undefined {
  const { answer, 'answer-endpoint': url, 'answer-model': name, 'answer-way': way } = values;
  if (answer === undefined && url === undefined) {
    const stray = Object.keys(values).find(
      (key) => /^(answer-|built-)/.test(key) && values[key as keyof typeof values],
    );
    if (stray) throw usage(`--${stray} needs --answer or --answer-endpoint.`);
    return undefined;
  }
  if (answer !== undefined && url !== undefined) throw usage('Give --answer or --answer-endpoint, not both.');
  if (url !== undefined && name === undefined)
    throw usage('Which model of the endpoint? (--answer-model NAME)');
  if (answer !== undefined) oneOf('answer', answer, ['embedded'] as const);
  return {
    model:
      url === undefined
        ? 'embedded'
        : { url, name: name!, window: count('answer-window', values['answer-window']) ?? 8192 },
    way: way === undefined ? undefined : oneOf('answer-way', way, ANSWER_WAYS),
    contextTokens: count('answer-context', values['answer-context']),
    answerTokens: count('answer-tokens', values['answer-tokens']),
    threads: count('answer-threads', values['answer-threads']),
    buildsSystems: values['built-by-answer'],
  };
}

/** A whole number from `least`. Throws `bad-argument`. */
export function count(name: string, value: string | undefined, least = 1): number | undefined {
  if (value === undefined) return undefined;
  const number = Number(value);
  if (Number.isSafeInteger(number) && number >= least) return number;
  throw usage(`--${name} ${value} is no whole number from ${least}.`);
}

function oneOf<T extends string>(name: string, value: string, known: readonly T[]): T {
  const found = known.find((one) => one === value);
  if (found) return found;
  throw usage(`--${name} ${value} is none of ${known.join(', ')}.`);
}

function shardOf(value: string): Shard {
  const [, index, of] = (/^(\d+)\/(\d+)$/.exec(value) ?? []).map(Number);
  if (index && of && index <= of) return { index, of };
  throw usage(`--shard ${value} is not such as 1/4.`);
}

export function usage(message: string): SkeinError {
  return new SkeinError('bad-argument', message, USAGE);
}
