import type { QueryMode } from './exchange.ts';
import { groupBy } from './group-by.ts';
import { type CutQuality, cutQuality, type IndexScore } from './index-score.ts';
import type { AskedQuestion, GivenAnswer, QuestionLine } from './result.ts';
import { type Distribution, distribution, mean, type Proportion, shareOf } from './statistics.ts';

/** Depths of all-evidence recall. */
export const RECALL_DEPTHS = [1, 2, 3, 4, 5] as const;
/** The depth that tables lead with, and that misses are told by. */
const DEPTH = 5;

/** Evidence hit or missed in the context, crossed with right or wrong. */
export interface HitByAnswer {
  readonly hitRight: number;
  readonly hitWrong: number;
  readonly missRight: number;
  readonly missWrong: number;
}

/** Figures that need answers. */
export interface AnswerMetrics {
  readonly accuracy: Proportion;
  /** Without a letter, the dropped ones too. */
  readonly unparseable: number;
  /** The engine gave no answer at all. */
  readonly dropped: number;
  /** The context did not fit the model's window and lost its first turns. */
  readonly contextCut: number;
  readonly hitByAnswer: HitByAnswer;
  readonly rationaleSimilarity: number;
}

/** Figures over a set of questions in one mode. */
export interface Metrics {
  readonly questions: number;
  /** All-evidence recall at 1 to 5 units. */
  readonly recall: readonly Proportion[];
  /** All evidence stands in the context. */
  readonly clHit: Proportion;
  /** Over questions with several snippets: one unit of the index holds all. Absent without an index. */
  readonly coContainment?: Proportion;
  /** Over all questions: one unit of the index holds all evidence. */
  readonly inOneUnit?: Proportion;
  readonly contextTokens: Distribution;
  /** Questions that recall@5 misses: some evidence is in no unit listed, or all are listed but further down. */
  readonly misses: { readonly neverRetrieved: number; readonly rankedOut: number };
  readonly viewHits?: Readonly<Record<string, Proportion>>;
  readonly answers?: AnswerMetrics;
}

/** What questions are split by. */
export const SPLITS = ['topic', 'stress', 'kind', 'creator', 'batch'] as const;
export type Split = (typeof SPLITS)[number];

export interface ModeSummary {
  readonly mode: QueryMode;
  readonly overall: Metrics;
  /** Splits with more than one group; a question with several stress cues counts in each. */
  readonly by: Readonly<Partial<Record<Split, Readonly<Record<string, Metrics>>>>>;
}

export interface SystemSummary {
  readonly modes: readonly ModeSummary[];
  readonly units?: number;
  readonly unitTokens?: number;
  readonly cuts?: CutQuality;
}

/** True when the first `k` units hold all the evidence. */
export function recalledAt({ ranks }: Pick<QuestionLine, 'ranks'>, k: number): boolean {
  return ranks.every((rank) => rank !== null && rank <= k);
}

/** The figures of `lines`, which are of one mode. */
export function metricsOf(lines: readonly QuestionLine[]): Metrics {
  const indexed = lines.filter((line) => line.inOneUnit !== undefined);
  const several = indexed.filter(({ ranks }) => ranks.length > 1);
  const missed = lines.filter((line) => !recalledAt(line, DEPTH));
  const neverRetrieved = missed.filter(({ ranks }) => ranks.includes(null)).length;
  const views = viewHits(lines);
  const answers = answerMetrics(lines);
  return {
    questions: lines.length,
    recall: RECALL_DEPTHS.map((k) => shareOf(lines.map((line) => recalledAt(line, k)))),
    clHit: shareOf(lines.map(({ hit }) => hit)),
    ...(several.length > 0 && { coContainment: shareOf(several.map((line) => line.inOneUnit!)) }),
    ...(indexed.length > 0 && { inOneUnit: shareOf(indexed.map((line) => line.inOneUnit!)) }),
    contextTokens: distribution(lines.map((line) => line.contextTokens)),
    misses: { neverRetrieved, rankedOut: missed.length - neverRetrieved },
    ...(views && { viewHits: views }),
    ...(answers && { answers }),
  };
}

function viewHits(lines: readonly QuestionLine[]): Record<string, Proportion> | undefined {
  const names = [...new Set(lines.flatMap(({ views }) => Object.keys(views ?? {})))];
  if (names.length === 0) return undefined;
  return Object.fromEntries(
    names.map((name) => [name, shareOf(lines.map(({ views }) => views?.[name] ?? false))]),
  );
}

function answerMetrics(lines: readonly QuestionLine[]): AnswerMetrics | undefined {
  const answered = lines.filter((line): line is QuestionLine & { answer: GivenAnswer } => !!line.answer);
  if (answered.length === 0) return undefined;
  const count = (hit: boolean, correct: boolean) =>
    answered.filter((line) => line.hit === hit && line.answer.correct === correct).length;
  return {
    accuracy: shareOf(answered.map(({ answer }) => answer.correct)),
    unparseable: answered.filter(({ answer }) => answer.letter === null).length,
    dropped: answered.filter(({ answer }) => answer.dropped !== undefined).length,
    contextCut: answered.filter(({ answer }) => answer.leftOut).length,
    hitByAnswer: {
      hitRight: count(true, true),
      hitWrong: count(true, false),
      missRight: count(false, true),
      missWrong: count(false, false),
    },
    rationaleSimilarity: mean(answered.map(({ answer }) => answer.rationaleSimilarity)),
  };
}

/** All figures of one system: per mode, over all questions and split. */
export function summarise(
  lines: readonly QuestionLine[],
  questions: readonly AskedQuestion[],
  index: readonly IndexScore[],
): SystemSummary {
  const asked = new Map(questions.map((question) => [keyOf(question), question]));
  const modes = [...groupBy(lines, ({ mode }) => mode)].map(([mode, own]) => ({
    mode,
    overall: metricsOf(own),
    by: splits(own, asked),
  }));
  const cuts = index.flatMap((one) => (one.cuts ? [one.cuts] : []));
  const units = index.reduce((sum, one) => sum + one.units, 0);
  const tokens = index.reduce((sum, one) => sum + one.units * one.unitTokens, 0);
  return {
    modes,
    ...(units > 0 && { units, unitTokens: tokens / units }),
    ...(cuts.length > 0 && { cuts: cutQuality(cuts) }),
  };
}

/** Ids are unique within a pool, and so within a package; batches keep threads of several pools apart. */
export function keyOf({ batch, id }: { readonly batch: string; readonly id: string }): string {
  return `${batch}/${id}`;
}

function splits(
  lines: readonly QuestionLine[],
  asked: ReadonlyMap<string, AskedQuestion>,
): Partial<Record<Split, Record<string, Metrics>>> {
  const found: Partial<Record<Split, Record<string, Metrics>>> = {};
  for (const split of SPLITS) {
    const pairs = lines.flatMap((line) =>
      groupsOf(asked.get(keyOf(line))!, split).map((group) => ({ group, line })),
    );
    const groups = [...groupBy(pairs, ({ group }) => group)].sort(([a], [b]) => (a < b ? -1 : 1));
    if (groups.length < 2) continue;
    found[split] = Object.fromEntries(
      groups.map(([group, own]) => [group, metricsOf(own.map(({ line }) => line))]),
    );
  }
  return found;
}

function groupsOf(question: AskedQuestion, split: Split): readonly string[] {
  const value = question[split];
  if (value === undefined) return [];
  return typeof value === 'string' ? [value] : value;
}
