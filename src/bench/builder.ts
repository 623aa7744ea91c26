import { seededRandom, shuffled } from '../core/random.ts';
import type { NewTurn } from '../core/turn.ts';
import { type Arrangement, arrange, type Run } from './arrange.ts';
import { canonicalJson, sha256 } from './canonical.ts';
import { TurnFinder } from './evidence.ts';
import { WordOwners } from './mask.ts';
import { fillWithNoise, type PackedBatch, packCases, TRUTH_CAP, tokensOf } from './packing.ts';
import { type BenchCase, type BenchQuestion, type Dialogue, type Pool, questionsOf } from './pool.ts';
import { type Selection, selectIds } from './select.ts';

/** What a package is built from a pool with. Equal options and pools give equal bytes. */
export interface BuildOptions {
  /** Tokens of each thread; left out: all truth and all distractors in one. */
  readonly target?: number;
  readonly arrangement: Arrangement;
  /** Places the dialogues. */
  readonly seed: number;
  /** Chooses the distractors; left out: `seed`. */
  readonly noiseSeed?: number;
  /** Every question loses the words that only its own dialogues hold. */
  readonly masked: boolean;
  /** Left out: every question, and all truth. Cases without a selected question are left out of the threads. */
  readonly selection?: Selection;
}

/** A question in a thread: `places[i]` are the turns that hold `evidence[i]`. */
export interface PlacedQuestion extends BenchQuestion {
  readonly places: readonly (readonly number[])[];
}

/** One thread and the questions asked of it. */
export interface Batch {
  readonly name: string;
  readonly turns: readonly NewTurn[];
  /** First turn of each run of one dialogue; the first is 0. Never shown to a system. */
  readonly boundaries: readonly number[];
  readonly questions: readonly PlacedQuestion[];
  readonly stats: BatchStats;
}

export interface BatchStats {
  readonly turns: number;
  readonly tokens: number;
  readonly truthTokens: number;
  readonly truthDialogues: number;
  /** Dialogues that hold evidence of a question asked here. */
  readonly evidenceDialogues: number;
  readonly noiseDialogues: number;
  readonly questions: number;
}

export interface PackageManifest {
  readonly pool: string;
  readonly regime: 'full-corpus' | 'length-batched' | 'given';
  readonly target?: number;
  readonly truthCap: number;
  readonly arrangement: Arrangement;
  readonly seed: number;
  readonly noiseSeed: number;
  readonly masked: boolean;
  readonly selection?: Selection;
}

/** A built package: what every system compared is run on. */
export interface BenchPackage {
  readonly manifest: PackageManifest;
  /** SHA-256 of threads, questions and how they were built, in canonical JSON. */
  readonly hash: string;
  readonly batches: readonly Batch[];
  /** Tokens that the threads lack of the target for want of distractors. */
  readonly shortBy: number;
}

/** Builds the threads of a package. */
export async function buildPackage(pool: Pool, options: BuildOptions): Promise<BenchPackage> {
  const { target, seed, noiseSeed = seed, arrangement, masked, selection } = options;
  const cases = selection ? selectCases(pool.cases, selection) : pool.cases;
  const packing = packCases(cases, target);
  const placing = seededRandom(seed);
  const choosing = seededRandom(noiseSeed);
  const batches = packing.batches.map((packed) =>
    buildBatch(packed, shuffled(pool.noise, choosing), { target, arrangement, masked }, placing),
  );
  const manifest: PackageManifest = {
    pool: pool.name,
    regime: packing.regime,
    ...(target !== undefined && { target }),
    truthCap: TRUTH_CAP,
    arrangement,
    seed,
    noiseSeed,
    masked,
    ...(selection && { selection }),
  };
  const lacking = batches.map(({ stats }) => (target === undefined ? 0 : target - stats.tokens));
  // The last few tokens of a thread fit no whole dialogue.
  const shortBy = Math.max(...lacking.map((tokens) => (tokens > 0.01 * target! ? tokens : 0)), 0);
  return { manifest, hash: await hashOf(manifest, batches), batches, shortBy };
}

function selectCases(cases: readonly BenchCase[], selection: Selection): BenchCase[] {
  const ids = selectIds(questionsOf(cases), selection);
  return cases
    .map((one) => ({ ...one, questions: one.questions.filter(({ id }) => ids.has(id)) }))
    .filter(({ questions }) => questions.length > 0);
}

function buildBatch(
  { name, cases }: PackedBatch,
  shuffledNoise: readonly Dialogue[],
  { target, arrangement, masked }: Pick<BuildOptions, 'target' | 'arrangement' | 'masked'>,
  random: () => number,
): Batch {
  const truth = cases.flatMap((one) => one.dialogues);
  const truthTokens = truth.reduce((sum, { turns }) => sum + tokensOf(turns), 0);
  const noise = fillWithNoise(shuffledNoise, truthTokens, target);
  const runs = arrange(cases, noise, arrangement, random);
  const turns = runs.flatMap((run) => run.turns);
  const questions = placeQuestions(cases, turns);
  const asked = masked ? maskQuestions(questions, [...truth, ...noise]) : questions;
  return {
    name,
    turns,
    boundaries: boundariesOf(runs),
    questions: asked,
    stats: {
      turns: turns.length,
      tokens: tokensOf(turns),
      truthTokens,
      truthDialogues: truth.length,
      evidenceDialogues: new Set(asked.flatMap((q) => q.evidence.map(({ dialogue }) => dialogue))).size,
      noiseDialogues: noise.length,
      questions: asked.length,
    },
  };
}

/** Finds the turns of the thread that hold each evidence: one of its own dialogue, and any equal one. */
function placeQuestions(cases: readonly BenchCase[], turns: readonly NewTurn[]): PlacedQuestion[] {
  const finder = new TurnFinder(turns);
  return questionsOf(cases).map((question) => ({
    ...question,
    places: question.evidence.map(({ text }) => finder.holding(text)),
  }));
}

function maskQuestions(
  questions: readonly PlacedQuestion[],
  dialogues: readonly Dialogue[],
): PlacedQuestion[] {
  const owners = new WordOwners(dialogues);
  return questions.map((question) => {
    const own = new Set(question.evidence.map(({ dialogue }) => dialogue));
    return { ...question, query: owners.mask(question.query, own) };
  });
}

function boundariesOf(runs: readonly Run[]): number[] {
  const starts: number[] = [];
  let size = 0;
  runs.forEach(({ dialogue, turns }, i) => {
    if (runs[i - 1]?.dialogue !== dialogue) starts.push(size);
    size += turns.length;
  });
  return starts;
}

function hashOf(manifest: PackageManifest, batches: readonly Batch[]): Promise<string> {
  // A pool has whatever name its file has.
  const { pool: _, ...built } = manifest;
  const threads = batches.map(({ name, turns, boundaries, questions }) => ({
    name,
    turns: turns.map(({ role, text }) => [role, text]),
    boundaries,
    questions,
  }));
  return sha256(canonicalJson({ manifest: built, threads }));
}
