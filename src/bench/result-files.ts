import { SkeinError } from '../core/errors.ts';
import { canonicalJson } from './canonical.ts';
import { type BenchResult, RESULT_FORMAT } from './result.ts';
import { inOrder, systemResultOf } from './result-of.ts';

/** A result as it is written to a file: one line, its `timings` last. */
export function writeResult(result: BenchResult): string {
  return `${JSON.stringify(result)}\n`;
}

/** The part of a result that equal runs share byte for byte. */
export function withoutTimings(result: BenchResult): string {
  const { timings: _, ...rest } = result;
  return JSON.stringify(rest);
}

/** Reads what `writeResult` wrote. Throws `bad-file`. */
export function readResult(json: string, file: string): BenchResult {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (error) {
    throw new SkeinError(
      'bad-file',
      `${file} is not JSON: ${(error as Error).message}.`,
      'Choose a result file.',
    );
  }
  const { format, version } = (value ?? {}) as Partial<BenchResult>;
  if (format === RESULT_FORMAT && version === 1) return value as BenchResult;
  const found = format === RESULT_FORMAT ? `of version ${version}` : 'none of the lab';
  throw new SkeinError(
    'bad-file',
    `${file} is a result ${found}.`,
    'Choose a result that this version wrote.',
  );
}

/**
 * Joins the results of all shards of one run; but for timings it equals the result of the run in one piece. Throws
 * `bad-argument` when shards are of different runs, missing or double.
 */
export function mergeResults(results: readonly BenchResult[]): BenchResult {
  const [first] = results;
  if (!first)
    throw new SkeinError('bad-argument', 'There is nothing to merge.', 'Give the results of all shards.');
  for (const other of results) {
    if (runOf(other) !== runOf(first)) {
      throw new SkeinError(
        'bad-argument',
        'These results are of different runs.',
        'Give the shards of one run.',
      );
    }
  }
  checkComplete(results);
  const { shard: _, systems, timings, ...rest } = first;
  const { questions, settings } = first;
  const peaks = results.flatMap((one) => one.timings.peakMemoryBytes ?? []);
  return {
    ...rest,
    systems: systems.map((system, s) =>
      systemResultOf(
        { name: system.name, title: system.title, configuration: system.configuration },
        results.flatMap((one) => one.systems[s]!.questions),
        results.flatMap((one) => one.systems[s]!.index),
        questions,
        settings,
      ),
    ),
    timings: {
      finishedAt: results
        .map((one) => one.timings.finishedAt)
        .sort()
        .at(-1)!,
      machine: [...new Set(results.map((one) => one.timings.machine))].join('; '),
      ...(peaks.length > 0 && { peakMemoryBytes: Math.max(...peaks) }),
      systems: timings.systems.map(({ name }, s) => ({
        name,
        buildMs: Math.max(...results.map((one) => one.timings.systems[s]!.buildMs)),
        questions: inOrder(
          results.flatMap((one) => one.timings.systems[s]!.questions),
          questions,
          settings,
        ),
      })),
    },
  };
}

function runOf({ package: { hash }, settings, systems }: BenchResult): string {
  return canonicalJson({
    hash,
    settings,
    systems: systems.map(({ name, configuration }) => ({ name, configuration })),
  });
}

function checkComplete(results: readonly BenchResult[]): void {
  const of = results[0]!.shard?.of ?? 1;
  const indexes = results.map(({ shard }) => shard?.index ?? 1).sort((a, b) => a - b);
  const missing = Array.from({ length: of }, (_, i) => i + 1).filter((index) => !indexes.includes(index));
  if (missing.length === 0 && indexes.length === of) return;
  const what = missing.length > 0 ? `Missing: ${missing.join(', ')} of ${of}.` : 'A shard is given twice.';
  throw new SkeinError('bad-argument', `The shards are not complete. ${what}`, 'Give each shard once.');
}
