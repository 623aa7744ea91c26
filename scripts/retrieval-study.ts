import { parseArgs } from 'node:util';
import { buildPackage, type PlacedQuestion } from '../src/bench/builder.ts';
import { type QueryMode, questionText } from '../src/bench/exchange.ts';
import { parseLength } from '../src/bench/packing.ts';
import { pairedBootstrap } from '../src/bench/statistics.ts';
import { seededRandom } from '../src/core/random.ts';
import type { Turn } from '../src/core/turn.ts';
import type { Embedder } from '../src/embed/embedder.ts';
import { createCachedEmbedder } from '../src/embed/node/cached-embedder.ts';
import { FlatIndex } from '../src/index/flat/flat-index.ts';
import { SKEIN, SKEIN_A } from '../src/memory/configurations.ts';
import { loadRanker } from '../src/memory/create.ts';
import { EpisodicMemory } from '../src/memory/episodic-memory.ts';
import {
  type ExchangeSignals,
  exchangeSignals,
  scoreExchanges,
  type WordSignals,
  wordSignals,
} from '../src/memory/exchange-scores.ts';
import { type Exchanges, exchangesOf, type Trimming } from '../src/memory/exchanges.ts';
import { packFamilies } from '../src/memory/families.ts';
import type { FamilyRanking } from '../src/memory/family-ranker.ts';
import type { MatterTies } from '../src/memory/matter-scores.ts';
import { NearTies } from '../src/memory/near-ties.ts';
import { pooledViewsOf } from '../src/memory/pooled-views.ts';
import { scoreColumns } from '../src/memory/score-columns.ts';
import { type Signal, signalOf } from '../src/memory/standard-scores.ts';
import { TermTies } from '../src/memory/term-ties.ts';
import { ThreadState } from '../src/memory/thread-state.ts';
import { MemoryThreadStore } from '../src/store/memory-store.ts';
import { loadPool } from './bundled-pools.ts';
import { runCommand, StatusLine } from './command.ts';

const USAGE = `npx tsx scripts/retrieval-study.ts ablation|cross-validation|cost --noise FILE... [--length 128k] [--seeds 1,2,3] [--settings 40] [--parts NAME,...]

ablation           the shipped constants, and each part taken away, or of --parts only those
cross-validation   constants drawn at random and chosen on the other folds, against the shipped ones
cost               processor time of a recall, beside that of tsim`;

/** The conditions of docs/retrieval.md. */
const CONDITIONS = [
  { name: 'plain', pool: 'scaleqa-dev', arrangement: 'blocks', masked: false, tokens: 1100 },
  { name: 'masked', pool: 'scaleqa-dev', arrangement: 'blocks', masked: true, tokens: 1300 },
  { name: 'interleaved', pool: 'scaleqa-dev', arrangement: 'interleaved', masked: false, tokens: 1300 },
  { name: 'worlds', pool: 'worlds-dev', arrangement: 'blocks', masked: false, tokens: 1300 },
] as const;
const MODES: readonly QueryMode[] = ['query', 'query+options'];
const FOLDS = 5;
/** Settings are chosen on every third question of the larger pool. */
const THINNED = 3;
/** Rank of what is in no family. */
const NOT_RECALLED = 1000;

/** Words of the question alone, as it was before related words. */
const EXACT_WORDS = { relatedShare: 0, commonShare: 0.05 };

type Condition = (typeof CONDITIONS)[number];

/** A thread with what every question has in common with it, weighed by nobody yet. */
interface Prepared {
  readonly condition: Condition;
  readonly exchanges: (trimming: Trimming) => Exchanges;
  /** The exchange of every turn. */
  readonly exchangeOf: Int32Array;
  readonly near: NearTies;
  readonly matters: (constants: FamilyRanking['matters']) => MatterTies;
  readonly questions: readonly PreparedQuestion[];
}

interface PreparedQuestion {
  readonly id: string;
  readonly kind?: string;
  readonly fold: number;
  readonly mode: QueryMode;
  /** For each evidence the turns that hold it. */
  readonly evidence: readonly (readonly number[])[];
  readonly signals: ExchangeSignals;
  /** The signal of words around without related ones. */
  readonly exactWords: Signal;
  /** What words say where the question's are counted in full. */
  readonly counted: WordSignals;
}

/** One question in one condition, mode and thread. */
interface Outcome {
  readonly key: string;
  readonly condition: string;
  readonly mode: QueryMode;
  readonly kind?: string;
  readonly fold: number;
  readonly at1: number;
  readonly at5: number;
  readonly tokens: number;
}

const status = new StatusLine();

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      noise: { type: 'string', multiple: true, default: [] },
      length: { type: 'string', default: '128k' },
      seeds: { type: 'string', default: '1' },
      settings: { type: 'string', default: '40' },
      parts: { type: 'string' },
    },
  });
  const embedder = await createCachedEmbedder({ cache: true });
  const threads = (seed: number, condition: Condition) =>
    prepare(condition, seed, parseLength(values.length), ['noise-chats', ...values.noise], embedder);
  const seeds = values.seeds.split(',').map(Number);
  switch (positionals[0]) {
    case 'ablation':
      return ablation(seeds, threads, values.parts?.split(','));
    case 'cross-validation':
      return crossValidation(seeds, threads, Number(values.settings));
    case 'cost':
      return cost(parseLength(values.length), ['noise-chats', ...values.noise], embedder);
    default:
      process.stderr.write(`${USAGE}\n`);
  }
}

type Threads = (seed: number, condition: Condition) => Promise<Prepared>;

async function prepare(
  condition: Condition,
  seed: number,
  target: number,
  noise: readonly string[],
  embedder: Embedder,
): Promise<Prepared> {
  status.show(`${condition.name}, seed ${seed}`);
  const { arrangement, masked } = condition;
  const pool = await loadPool(condition.pool, noise);
  const { batches } = await buildPackage(pool, { target, arrangement, masked, seed });
  const [batch] = batches;
  const fold = foldsOf(
    pool.cases.flatMap(({ id, questions }) => questions.map((q) => [q.id, q.topic ?? id])),
  );
  const turns = batch!.turns.map((turn, index): Turn => ({ ...turn, index }));
  const store = new MemoryThreadStore({ configuration: 'skein' });
  await loadRanker(SKEIN);
  const state = new ThreadState(SKEIN, store, embedder, (dimension) => new FlatIndex(dimension));
  const vectors = await embedder.embed(
    turns.map(({ text }) => text),
    { kind: 'passage' },
  );
  await state.take(turns, vectors);
  const { views } = state;
  const { near: nearConstants, scoring } = SKEIN.ranking as FamilyRanking;
  const near = new NearTies(nearConstants, embedder.stamp.dimension);
  near.update(views.exchanges, views.size, views.turns, 0);
  const exchanges = (trimming: Trimming) => exchangesOf(views, near, trimming);
  const shipped = exchanges(SHIPPED.trimming);
  const pooled = pooledViewsOf(views, near, SHIPPED.pooledWords, scoring.dampened);
  const exactWords = pooledViewsOf(views, near, EXACT_WORDS, scoring.dampened).words;
  const countedPools = pooledViewsOf(views, near, SHIPPED.pooledWords, false);
  const exchangeOf = new Int32Array(views.size);
  views.exchanges.forEach((start, x) => {
    exchangeOf.fill(x, start, views.exchanges[x + 1] ?? views.size);
  });
  const questions: PreparedQuestion[] = [];
  for (const question of batch!.questions as readonly PlacedQuestion[]) {
    for (const mode of MODES) {
      const text = questionText(question, mode);
      const [vector] = await embedder.embed([text], { kind: 'query' });
      questions.push({
        id: question.id,
        kind: question.kind,
        fold: fold.get(question.id)!,
        mode,
        evidence: question.places,
        signals: exchangeSignals({ text, vector: vector! }, views, shipped, near, pooled, scoring),
        exactWords: signalOf(exactWords.score(text, shipped.eligible), shipped.eligible),
        counted: wordSignals(text, views, shipped, countedPools, false, scoreColumns(shipped.starts.length)),
      });
    }
  }
  const known = new Map<string, MatterTies>();
  const matters = (constants: FamilyRanking['matters']) => {
    const key = JSON.stringify(constants);
    const tiesOf = (starts: readonly number[]) => new TermTies(views.words.termGroups(starts), constants);
    const ties = known.get(key) ?? { episodes: tiesOf(views.starts), exchanges: tiesOf(views.exchanges) };
    known.set(key, ties);
    return ties;
  };
  return { condition, exchanges, exchangeOf, near, matters, questions };
}

/** Topics (of worlds: worlds) in order of name, divided into folds of neighbours. */
function foldsOf(questions: readonly (readonly [id: string, group: string])[]): Map<string, number> {
  const groups = [...new Set(questions.map(([, group]) => group))].sort();
  const size = Math.ceil(groups.length / FOLDS);
  return new Map(questions.map(([id, group]) => [id, Math.floor(groups.indexOf(group) / size)]));
}

function judge(thread: Prepared, constants: FamilyRanking, every = 1): Outcome[] {
  const { condition, exchangeOf, near } = thread;
  const exchanges = thread.exchanges(constants.trimming);
  // Question after question has its two modes.
  const questions = thread.questions.filter((_, i) => Math.floor(i / MODES.length) % every === 0);
  const matters = thread.matters(constants.matters);
  const { pooledWords } = constants;
  if (pooledWords !== SHIPPED.pooledWords && pooledWords !== EXACT_WORDS) {
    throw new Error('No signal was made for these pooled words.');
  }
  const { dampened } = constants.scoring;
  return questions.map(({ id, kind, fold, mode, evidence, signals, exactWords, counted }) => {
    const own = dampened ? signals.own : { ...signals.own, ...counted.own };
    const pooled = dampened ? signals.around : { ...signals.around, ...counted.around };
    const around = pooledWords === EXACT_WORDS ? { ...pooled, words: exactWords } : pooled;
    const scores = scoreExchanges({ own, around }, exchanges, matters, constants.scoring);
    const families = packFamilies(scores, exchanges, near, matters.episodes, constants.packing);
    const rank = new Map(families.flatMap(({ members }, i) => members.map((x) => [x, i] as const)));
    const rankOf = (turn: number) => {
      const x = exchangeOf[turn]!;
      return turn < exchanges.ends[x]! ? (rank.get(x) ?? NOT_RECALLED) : NOT_RECALLED;
    };
    const ranks = evidence.map((places) => Math.min(...places.map(rankOf)));
    const worst = Math.max(...ranks);
    const tokens = [...rank.keys()].reduce((sum, x) => sum + exchanges.tokens[x]!, 0);
    return {
      key: `${condition.name}/${id}/${mode}`,
      condition: condition.name,
      mode,
      kind,
      fold,
      at1: worst === 0 ? 1 : 0,
      at5: worst < NOT_RECALLED ? 1 : 0,
      tokens,
    };
  });
}

/** Every setting over every thread, one thread in memory at a time. */
async function judgeAll(
  seeds: readonly number[],
  threads: Threads,
  settings: readonly FamilyRanking[],
  every: (condition: Condition) => number = () => 1,
): Promise<Outcome[][]> {
  const outcomes: Outcome[][] = settings.map(() => []);
  for (const seed of seeds) {
    for (const condition of CONDITIONS) {
      const thread = await threads(seed, condition);
      for (const [i, setting] of settings.entries()) {
        status.show(`${condition.name}, seed ${seed}, setting ${i + 1} of ${settings.length}`);
        outcomes[i]!.push(...judge(thread, setting, every(condition)));
      }
    }
  }
  status.clear();
  return outcomes;
}

const SHIPPED = SKEIN.ranking as FamilyRanking;

/** The shipped constants with some of them changed. */
function changed(change: {
  dampened?: boolean;
  own?: Partial<FamilyRanking['scoring']['own']>;
  around?: Partial<FamilyRanking['scoring']['around']>;
  matter?: Partial<FamilyRanking['scoring']['matter']>;
  matters?: Partial<FamilyRanking['matters']>;
  trimming?: Partial<FamilyRanking['trimming']>;
  packing?: Partial<FamilyRanking['packing']>;
  pooledWords?: typeof EXACT_WORDS;
}): FamilyRanking {
  const { dampened, own, around, matter } = SHIPPED.scoring;
  return {
    ...SHIPPED,
    matters: { ...SHIPPED.matters, ...change.matters },
    trimming: { ...SHIPPED.trimming, ...change.trimming },
    pooledWords: change.pooledWords ?? SHIPPED.pooledWords,
    scoring: {
      dampened: change.dampened ?? dampened,
      own: { ...own, ...change.own },
      around: { ...around, ...change.around },
      matter: { ...matter, ...change.matter },
    },
    packing: { ...SHIPPED.packing, ...change.packing },
  };
}

const ABLATIONS: readonly (readonly [name: string, constants: FamilyRanking])[] = [
  ['shipped', SHIPPED],
  ['without own', changed({ own: { weight: 0 } })],
  ['without around', changed({ around: { weight: 0 } })],
  ['without matter', changed({ matter: { weight: 0 } })],
  ['matter from one seed', changed({ matter: { seeds: 1 } })],
  ['without meaning', changed({ own: { mean: 0, closest: 0, common: 0 }, around: { meaning: 0 } })],
  ['without closest turn', changed({ own: { mean: 0.8, closest: 0 } })],
  ['without words', changed({ own: { words: 0 }, around: { words: 0 } })],
  ['without related words', changed({ pooledWords: EXACT_WORDS })],
  ['without dampening', changed({ dampened: false })],
  ['without ties of exchanges', changed({ matter: { exchangeWeight: 0 } })],
  ['ties of exchanges in full', changed({ matter: { exchangeWeight: 20, agreement: 1e-9 } })],
  ['lent again and again', changed({ packing: { repeated: 0 } })],
  [
    'before ties of exchanges',
    changed({ dampened: false, matter: { exchangeWeight: 0 }, packing: { repeated: 0 } }),
  ],
  ['without grams', changed({ own: { grams: 0 }, around: { grams: 0 } })],
  ['without common', changed({ own: { common: 0 } })],
  ['without trimming', changed({ trimming: { repeated: 1 } })],
  ['families nearby only', changed({ packing: { matterTie: 2 } })],
  ['without floor', changed({ packing: { floor: Number.NEGATIVE_INFINITY } })],
  ['budget 1,000', changed({ packing: { tokens: 1000 } })],
  ['budget 700', changed({ packing: { tokens: 700 } })],
];

async function ablation(
  seeds: readonly number[],
  threads: Threads,
  parts?: readonly string[],
): Promise<void> {
  const unknown = parts?.filter((part) => !ABLATIONS.some(([name]) => name === part)) ?? [];
  if (unknown.length > 0) throw new Error(`No such part: ${unknown.join(', ')}.`);
  const rows = ABLATIONS.filter(([name], i) => i === 0 || !parts || parts.includes(name));
  const all = await judgeAll(
    seeds,
    threads,
    rows.map(([, constants]) => constants),
  );
  for (const { name } of CONDITIONS) {
    process.stdout.write(`\n${name}, seeds ${seeds.join(', ')}\n\n${HEAD}\n`);
    rows.forEach(([label], i) => {
      process.stdout.write(`${row(label, of(all[i]!, name), i === 0 ? undefined : of(all[0]!, name))}\n`);
    });
  }
  process.stdout.write(`\n${kindTable(rows.map(([label], i) => [label, all[i]!]))}\n`);
  const chosen = Array.from({ length: FOLDS }, (_, fold) => rows[bestOnOthers(all, fold)]![0]);
  process.stdout.write(`\nbest on the other folds, fold by fold: ${chosen.join('; ')}\n`);
}

/** The setting with the best objective on all folds but one. */
function bestOnOthers(all: readonly (readonly Outcome[])[], fold: number): number {
  const scores = all.map((outcomes) => objective(outcomes.filter((one) => one.fold !== fold)));
  return scores.indexOf(Math.max(...scores));
}

const HEAD = `| part | q | q less shipped, 95% | q+o | q+o less shipped, 95% | recall@1 q, q+o | tokens q, q+o |
| --- | --- | --- | --- | --- | --- | --- |`;

function of(outcomes: readonly Outcome[], condition: string): Outcome[] {
  return outcomes.filter((one) => one.condition === condition);
}

function row(label: string, own: readonly Outcome[], base: readonly Outcome[] | undefined): string {
  const cells = MODES.flatMap((mode) => {
    const mine = perQuestion(own, mode);
    const share = mean([...mine.values()]).toFixed(3);
    if (!base) return [share, ''];
    const theirs = perQuestion(base, mode);
    const keys = [...mine.keys()];
    const { difference, low, high } = pairedBootstrap(
      keys.map((key) => mine.get(key)!),
      keys.map((key) => theirs.get(key)!),
    );
    return [share, `${signed(difference)} (${signed(low)} to ${signed(high)})`];
  });
  const both = (field: 'at1' | 'tokens', digits: number) =>
    MODES.map((mode) =>
      mean(own.filter((one) => one.mode === mode).map((one) => one[field])).toFixed(digits),
    ).join(', ');
  return `| ${[label, ...cells, both('at1', 3), both('tokens', 0)].join(' | ')} |`;
}

/** Recall@5 of each question, the mean over seeds. */
function perQuestion(outcomes: readonly Outcome[], mode: QueryMode): Map<string, number> {
  const values = new Map<string, number[]>();
  for (const { key, at5, mode: own } of outcomes) {
    if (own === mode) values.set(key, [...(values.get(key) ?? []), at5]);
  }
  return new Map([...values].map(([key, hits]) => [key, mean(hits)]));
}

function kindTable(rows: readonly (readonly [label: string, outcomes: readonly Outcome[]])[]): string {
  const worlds = rows[0]![1].filter((one) => one.condition === 'worlds');
  const kinds = [...new Set(worlds.flatMap(({ kind }) => (kind ? [kind] : [])))].sort();
  const lines = rows.map(([label, outcomes]) => {
    const cells = kinds.map((kind) =>
      MODES.map((mode) => {
        const own = outcomes.filter((one) => one.kind === kind && one.mode === mode);
        return mean(own.map(({ at5 }) => at5)).toFixed(2);
      }).join(', '),
    );
    return `| ${[label, ...cells].join(' | ')} |`;
  });
  return [
    `| worlds, q, q+o | ${kinds.join(' | ')} |`,
    `|${' --- |'.repeat(kinds.length + 1)}`,
    ...lines,
  ].join('\n');
}

/** Constants drawn from wide ranges, without regard to the shipped ones. */
function drawn(random: () => number): FamilyRanking {
  const between = (low: number, high: number) => low + (high - low) * random();
  const oneOf = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)]!;
  return changed({
    own: {
      weight: between(0.3, 2),
      mean: between(0, 0.6),
      closest: between(0, 0.8),
      words: between(0, 0.5),
      grams: between(0, 0.5),
      common: between(-1, 0),
    },
    around: {
      weight: between(0.3, 2),
      meaning: between(0.3, 0.9),
      words: between(0, 0.5),
      grams: between(0, 0.5),
    },
    matter: {
      weight: between(0, 3),
      seeds: oneOf([3, 5, 10, 15]),
      sharpness: oneOf([0.5, 1, 2]),
      exchangeWeight: between(5, 50),
      agreement: between(0.03, 0.25),
    },
    matters: { power: oneOf([1, 2, 3]), commonShare: oneOf([0.02, 0.04, 0.1]) },
    packing: {
      matterTie: between(0.05, 0.4),
      floor: between(0.1, 0.25),
      nearTie: between(0.1, 0.4),
      repeated: between(0.05, 1),
    },
  });
}

async function crossValidation(seeds: readonly number[], threads: Threads, count: number): Promise<void> {
  const random = seededRandom(20);
  const settings = Array.from({ length: count }, () => drawn(random));
  const thinned = await judgeAll(seeds, threads, settings, ({ pool }) =>
    pool === 'scaleqa-dev' ? THINNED : 1,
  );
  const chosen = Array.from({ length: FOLDS }, (_, fold) => bestOnOthers(thinned, fold));
  const distinct = [...new Set(chosen)];
  const [shipped, ...full] = await judgeAll(seeds, threads, [SHIPPED, ...distinct.map((i) => settings[i]!)]);
  const judged: Outcome[] = [];
  chosen.forEach((setting, fold) => {
    const own = (outcomes: readonly Outcome[]) => outcomes.filter((one) => one.fold === fold);
    const left = own(full[distinct.indexOf(setting)]!);
    const { scoring, matters, packing } = settings[setting]!;
    process.stdout.write(
      `fold ${fold + 1}: setting ${setting + 1}, ${objective(left).toFixed(3)} on its own fold ` +
        `(shipped ${objective(own(shipped!)).toFixed(3)})\n  ${JSON.stringify({ ...scoring, matters, packing })}\n`,
    );
    judged.push(...left);
  });
  for (const { name } of CONDITIONS) {
    process.stdout.write(`\n${name}, seeds ${seeds.join(', ')}\n\n${HEAD}\n`);
    process.stdout.write(`${row('shipped', of(shipped!, name), undefined)}\n`);
    process.stdout.write(`${row('cross-validated', of(judged, name), of(shipped!, name))}\n`);
  }
  const rows = [['shipped', shipped!] as const, ['cross-validated', judged] as const];
  process.stdout.write(`\n${kindTable(rows)}\n`);
  const spread = thinned.map(objective).sort((x, y) => y - x);
  process.stdout.write(`\nobjectives of the drawn settings: ${spread.map((x) => x.toFixed(2)).join(' ')}\n`);
}

/** Processor time, since it depends less than the clock on what else the machine does. */
async function cost(target: number, noise: readonly string[], embedder: Embedder): Promise<void> {
  const pool = await loadPool('worlds-dev', noise);
  const { batches } = await buildPackage(pool, { target, arrangement: 'blocks', masked: false, seed: 1 });
  const { turns, questions } = batches[0]!;
  const texts = questions.map((question) => questionText(question, 'query'));
  const uncached = await createCachedEmbedder({ cache: false });
  const embedding = await timed(texts, (text) => uncached.embed([text], { kind: 'query' }));
  process.stdout.write(`embedding a question: ${embedding.toFixed(1)} ms\n`);
  const vectors = await embedder.embed(texts, { kind: 'query' });
  for (const configuration of ['tsim', 'skein-a', 'skein'] as const) {
    const store = new MemoryThreadStore({
      configuration: configuration === 'skein-a' ? 'skein' : configuration,
    });
    const constants = configuration === 'skein-a' ? { configuration: SKEIN_A } : {};
    const memory = await EpisodicMemory.open({ store, embedder, ...constants });
    await memory.append(turns);
    await memory.catchUp({ stepTurns: 1024 });
    await memory.prepare();
    const rank = async (i: number) => void memory.rank({ text: texts[i]!, vector: vectors[i]! });
    const first = await timed([0], rank);
    await timed([...texts.keys()], rank);
    const each = await timed([...texts.keys()], rank);
    const after = await timed([0, 1, 2, 3, 4], async (i) => {
      await memory.append([{ role: 'user', text: texts[i]! }]);
      await memory.catchUp();
      await rank(i);
    });
    process.stdout.write(
      `${configuration}: first ${first.toFixed(0)} ms, each ${each.toFixed(1)} ms, ` +
        `with a turn taken before it ${after.toFixed(1)} ms\n`,
    );
  }
}

/** Milliseconds of processor time that each item takes, the mean. */
async function timed<T>(items: readonly T[], run: (item: T) => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  for (const item of items) await run(item);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / items.length;
}

/** See docs/retrieval.md. */
function objective(outcomes: readonly Outcome[]): number {
  let total = 0;
  for (const { name, tokens } of CONDITIONS) {
    const means = MODES.map((mode) => {
      const own = outcomes.filter((one) => one.condition === name && one.mode === mode);
      const at1 = name === 'plain' ? 0.5 * mean(own.map((one) => one.at1)) : 0;
      total += mean(own.map((one) => one.at5)) + at1;
      return mean(own.map((one) => one.tokens));
    });
    total -= Math.max(0, Math.max(...means) - tokens) / 500;
  }
  return total;
}

function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}

function signed(value: number): string {
  return `${value < 0 ? '' : '+'}${value.toFixed(3)}`;
}

runCommand(main);
