import type { QueryMode } from '../exchange.ts';
import { keyOf, recalledAt } from '../metrics.ts';
import type { BenchResult, QuestionLine } from '../result.ts';
import { mean } from '../statistics.ts';

/** How a system fared in two results, over the questions that both asked in the same way. */
export interface SystemDifference {
  readonly system: string;
  readonly title: string;
  readonly mode: QueryMode;
  readonly questions: number;
  /** recall@5 over those questions. */
  readonly first: number;
  readonly second: number;
  /** Questions whose listed units are the same turns in the same order. */
  readonly sameUnits: number;
  /** Questions that only one of the two recalls. */
  readonly onlyFirst: number;
  readonly onlySecond: number;
}

/** Compares two results of one package, system by system. */
export function compareResults(first: BenchResult, second: BenchResult): SystemDifference[] {
  return first.systems.flatMap((system) => {
    const other = second.systems.find(({ name }) => name === system.name);
    if (!other) return [];
    return first.settings.modes.flatMap((mode) => {
      const others = new Map(
        other.questions.filter((line) => line.mode === mode).map((line) => [keyOf(line), line]),
      );
      const pairs = system.questions.flatMap((line) => {
        const match = line.mode === mode ? others.get(keyOf(line)) : undefined;
        return match ? [{ a: line, b: match }] : [];
      });
      return pairs.length > 0 ? [difference(system.name, system.title, mode, pairs)] : [];
    });
  });
}

function difference(
  system: string,
  title: string,
  mode: QueryMode,
  pairs: readonly { readonly a: QuestionLine; readonly b: QuestionLine }[],
): SystemDifference {
  const recalled = pairs.map(({ a, b }) => [recalledAt(a, 5), recalledAt(b, 5)] as const);
  return {
    system,
    title,
    mode,
    questions: pairs.length,
    first: mean(recalled.map(([a]) => Number(a))),
    second: mean(recalled.map(([, b]) => Number(b))),
    sameUnits: pairs.filter(({ a, b }) => unitsOf(a) === unitsOf(b)).length,
    onlyFirst: recalled.filter(([a, b]) => a && !b).length,
    onlySecond: recalled.filter(([a, b]) => b && !a).length,
  };
}

function unitsOf({ units }: QuestionLine): string {
  return JSON.stringify(units.map(({ ranges, text }) => [ranges, text]));
}
