import { describe, expect, it } from 'vitest';
import type { BenchResult } from '../../../src/bench/result.ts';
import { runBench } from '../../../src/bench/runner.ts';
import { bySeed, seedMeansTable, seedSplitTable, seedTable } from '../../../src/bench/seed-tables.ts';
import { buildEight, embedder, wordMatch } from './fakes.ts';

/** Of eight questions four need one turn and four two; `taken` and the seed are all that results differ in. */
async function run(seed: number, names: readonly string[], taken = 5): Promise<BenchResult> {
  const pkg = await buildEight();
  const seeded = { ...pkg, manifest: { ...pkg.manifest, seed, noiseSeed: seed } };
  const systems = names.map((name) => wordMatch(name, taken));
  return runBench(seeded, { systems, embedder, engine: 'e', machine: 'm' });
}

describe('tables over seeds', () => {
  it('order seeds, leave out what was not run, and take means over what was', async () => {
    const [one, two] = [await run(1, ['a', 'b']), await run(2, ['a'])];
    const recall = one.systems[0]!.summary.modes[0]!.overall.recall[4]!.value.toFixed(3);
    const { head, rows } = seedTable(bySeed([two, one]));
    expect(head).toEqual([
      'system',
      'seed 1 q',
      'seed 1 q+o',
      'seed 2 q',
      'seed 2 q+o',
      'mean q',
      'mean q+o',
    ]);
    expect(rows.map(([name]) => name)).toEqual(['a', 'b']);
    expect(rows[0]!.slice(1, 2)).toEqual([recall]);
    expect(rows[1]!.slice(3, 5)).toEqual(['', '']);
    expect(rows[1]![5]).toBe(recall);
    const means = seedMeansTable(bySeed([one, two]));
    expect(means.rows.map((row) => row[1])).toEqual(['2', '1']);
    expect(new Set(means.rows.map((row) => row.length))).toEqual(new Set([means.head.length]));
  });

  it('take the later of two results of one system and seed', async () => {
    const changed = await run(1, ['a']);
    const none = changed.systems[0]!.questions.map((line) => ({ ...line, ranks: [null, null] }));
    const worse = { ...changed, systems: [{ ...changed.systems[0]!, questions: none }] };
    const [joined] = bySeed([await run(1, ['a', 'b']), worse]);
    expect(joined!.systems.map(({ name }) => name)).toEqual(['a', 'b']);
    expect(joined!.systems[0]!.questions).toBe(none);
  });

  it('split by group, and refuse results of other settings', async () => {
    const one = await run(1, ['a']);
    expect(seedSplitTable(bySeed([one]), 'topic', 'query')?.head).toEqual(['system', 'high', 'low']);
    expect(seedSplitTable(bySeed([one]), 'kind', 'query')).toBeUndefined();
    const masked = {
      ...one,
      package: { ...one.package, manifest: { ...one.package.manifest, masked: true } },
    };
    expect(() => bySeed([one, masked])).toThrow(/Result 2 differs/);
  });
});
