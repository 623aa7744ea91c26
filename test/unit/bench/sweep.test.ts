import { describe, expect, it } from 'vitest';
import { readSensitivityOptions } from '../../../scripts/sensitivity-options.ts';
import type { Batch } from '../../../src/bench/builder.ts';
import { driftOf } from '../../../src/bench/drift.ts';
import { runBench } from '../../../src/bench/runner.ts';
import { sweepTable } from '../../../src/bench/sweep.ts';
import { sweepPlot } from '../../../src/bench/sweep-plot.ts';
import type { Embedder } from '../../../src/embed/embedder.ts';
import { buildEight, embedder, wordMatch } from './fakes.ts';

async function point(label: string, ...taken: number[]) {
  const systems = taken.map((n, i) => wordMatch(`match-${i}`, n));
  return {
    label,
    result: await runBench(await buildEight(), { systems, embedder, engine: 'e', machine: 'm' }),
  };
}

describe('a sweep', () => {
  it('has a row for each setting and system, with both modes', async () => {
    const points = [await point('16k', 5, 1), await point('32k', 5, 1)];
    const { head, rows } = sweepTable('length', points);
    expect(rows.map((row) => row.slice(0, 2))).toEqual([
      ['16k', 'match-0'],
      ['16k', 'match-1'],
      ['32k', 'match-0'],
      ['32k', 'match-1'],
    ]);
    const { recall } = points[0]!.result.systems[0]!.summary.modes[0]!.overall;
    expect(rows[0]![head.indexOf('recall@5 q')]).toBe(recall[4]!.value.toFixed(3));
    expect(new Set(rows.map((row) => row.length))).toEqual(new Set([head.length]));
  });

  it('draws a line a system, or one line where each setting is a system of its own', async () => {
    const lines = (svg: string) => svg.match(/<polyline/g)?.length;
    const two = sweepPlot('length', [await point('16k', 5, 1), await point('32k', 5, 1)]);
    expect(lines(two)).toBe(4);
    expect(two).toContain('>match-1</text>');
    const one = [await point('a<b', 5), await point('c', 1)].map(({ label, result }, i) => ({
      label,
      result: { ...result, systems: [{ ...result.systems[0]!, name: `s${i}` }] },
    }));
    expect(lines(sweepPlot('threshold', one))).toBe(2);
    expect(sweepPlot('threshold', one)).toContain('a&lt;b');
  });
});

describe('the drift of a thread', () => {
  it('is the mean cosine with the turns before, inside dialogues and where they begin', async () => {
    const vectors: Record<string, Float32Array> = {
      a: Float32Array.of(1, 0),
      b: Float32Array.of(0.6, 0.8),
      c: Float32Array.of(0, 1),
    };
    const fixed: Embedder = {
      stamp: embedder.stamp,
      embed: async (texts) => texts.map((text) => vectors[text]!),
    };
    const turns = ['a', 'b', 'c', 'c'].map((text) => ({ role: 'user' as const, text }));
    const batch = { turns, boundaries: [0, 2] } as unknown as Batch;
    // a-b 0.6 and c-c 1 inside; c against the mean of a and b, (0.8, 0.4) at unit length, at the boundary.
    const { inside, atBoundary } = await driftOf(batch, fixed);
    expect(inside).toBeCloseTo(0.8, 6);
    expect(atBoundary).toBeCloseTo(0.4 / Math.hypot(0.8, 0.4), 6);
  });
});

describe('the options of npm run sensitivity', () => {
  it('reads what is varied, with several files of distractors', () => {
    const options = readSensitivityOptions(
      'length --values 16k,32k --noise a b.gz --systems tsim'.split(' '),
    );
    expect(options).toMatchObject({
      varied: 'length',
      values: ['16k', '32k'],
      noise: ['a', 'b.gz'],
      seed: 1,
    });
    expect(options.systems.map(({ name }) => name)).toEqual(['tsim']);
  });

  it.each(['', 'width', 'length --seed x', 'length more'])('refuses "%s"', (line) => {
    expect(() => readSensitivityOptions(line.split(' ').filter(Boolean))).toThrow();
  });
});
