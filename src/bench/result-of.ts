import type { SystemDescription } from '../systems/system.ts';
import type { BenchPackage } from './builder.ts';
import type { JournalEntry } from './journal.ts';
import { keyOf, summarise } from './metrics.ts';
import {
  type AskedQuestion,
  type BenchResult,
  type QuestionLine,
  type QuestionTiming,
  RESULT_FORMAT,
  type RunSettings,
  type Shard,
  type SystemResult,
  type SystemTimings,
} from './result.ts';
import { takenIds } from './trajectory.ts';

/** Makes a result of what a run wrote down. */
export function resultOf(
  pkg: BenchPackage,
  run: {
    readonly systems: readonly SystemDescription[];
    readonly settings: RunSettings;
    readonly shard?: Shard;
    readonly entries: readonly JournalEntry[];
    readonly machine: string;
  },
): BenchResult {
  const { systems, settings, shard, entries, machine } = run;
  const taken = takenIds(pkg, settings.ask);
  const questions = pkg.batches.flatMap(({ name, questions }) =>
    questions.filter(({ id }) => taken.has(id)).map((question) => ({ ...question, batch: name })),
  );
  return {
    format: RESULT_FORMAT,
    version: 1,
    package: {
      hash: pkg.hash,
      manifest: pkg.manifest,
      batches: pkg.batches.map(({ name, stats }) => ({ name, ...stats })),
      shortBy: pkg.shortBy,
    },
    settings,
    ...(shard && { shard }),
    questions,
    systems: systems.map((system) => systemResult(system, entries, questions, settings)),
    timings: {
      finishedAt: new Date().toISOString(),
      machine,
      systems: systems.map(({ name }) => systemTimings(name, entries, questions, settings)),
    },
  };
}

function systemResult(
  { name, title, configuration = {} }: SystemDescription,
  entries: readonly JournalEntry[],
  questions: readonly AskedQuestion[],
  settings: RunSettings,
): SystemResult {
  const lines: QuestionLine[] = [];
  const index: SystemResult['index'][number][] = [];
  for (const entry of entries) {
    if (entry.kind === 'question' && entry.system === name) lines.push(entry.line);
    if (entry.kind === 'memory' && entry.system === name && entry.index) index.push(entry.index);
  }
  return systemResultOf({ name, title, configuration }, lines, index, questions, settings);
}

/** A system's result of its lines, whatever order they came in. */
export function systemResultOf(
  head: Pick<SystemResult, 'name' | 'title' | 'configuration'>,
  lines: readonly QuestionLine[],
  index: SystemResult['index'],
  questions: readonly AskedQuestion[],
  settings: RunSettings,
): SystemResult {
  const ordered = inOrder(lines, questions, settings);
  const batches = [...new Set(questions.map(({ batch }) => batch))];
  const scores = batches.flatMap((batch) => index.find((one) => one.batch === batch) ?? []);
  return { ...head, index: scores, questions: ordered, summary: summarise(ordered, questions, scores) };
}

/** By mode, then as the questions stand. */
export function inOrder<T extends { batch: string; id: string; mode: string }>(
  items: readonly T[],
  questions: readonly AskedQuestion[],
  { modes }: RunSettings,
): T[] {
  const place = new Map(questions.map((question, i) => [keyOf(question), i]));
  const rank = (item: T) =>
    (modes as readonly string[]).indexOf(item.mode) * questions.length + place.get(keyOf(item))!;
  return [...items].sort((a, b) => rank(a) - rank(b));
}

function systemTimings(
  name: string,
  entries: readonly JournalEntry[],
  questions: readonly AskedQuestion[],
  settings: RunSettings,
): SystemTimings {
  let buildMs = 0;
  const timings: QuestionTiming[] = [];
  for (const entry of entries) {
    if (entry.kind === 'memory' && entry.system === name) buildMs += entry.buildMs;
    if (entry.kind === 'question' && entry.system === name) timings.push(entry.timing);
  }
  return { name, buildMs, questions: inOrder(timings, questions, settings) };
}
