import type { BenchResult } from './result.ts';
import { withoutTimings } from './result-files.ts';

/** The systems that two results both hold, in the order of the first. */
export function sharedSystems(a: BenchResult, b: BenchResult): string[] {
  const others = new Set(b.systems.map(({ name }) => name));
  return a.systems.map(({ name }) => name).filter((name) => others.has(name));
}

/** `result` with only the systems `names`, in that order. */
export function withSystems(result: BenchResult, names: readonly string[]): BenchResult {
  const systems = names.flatMap((name) => result.systems.find((system) => system.name === name) ?? []);
  return { ...result, systems };
}

/**
 * The first place at which two results differ apart from their timings, such as
 * `systems[2].questions[17].units[0].score: 0.5 and 0.25`; undefined where they are equal byte for byte.
 */
export function firstDifference(a: BenchResult, b: BenchResult): string | undefined {
  const [left, right] = [withoutTimings(a), withoutTimings(b)];
  if (left === right) return undefined;
  return differenceAt('', JSON.parse(left), JSON.parse(right)) ?? 'the order of its fields';
}

function differenceAt(path: string, a: unknown, b: unknown): string | undefined {
  if (!isNested(a) || !isNested(b) || Array.isArray(a) !== Array.isArray(b)) {
    return Object.is(a, b) ? undefined : `${path}: ${shown(a)} and ${shown(b)}`;
  }
  for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) {
    const own = Array.isArray(a) ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`;
    const found = differenceAt(own, a[key], b[key]);
    if (found !== undefined) return found;
  }
  return undefined;
}

function isNested(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function shown(value: unknown): string {
  return value === undefined ? 'nothing' : JSON.stringify(value).slice(0, 80);
}
