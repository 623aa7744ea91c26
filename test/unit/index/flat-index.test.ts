import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { SkeinError } from '../../../src/core/errors.ts';
import { FlatIndex } from '../../../src/index/flat/flat-index.ts';
import type { KernelKind } from '../../../src/index/flat/scan-kernel.ts';
import { simdWorks } from '../../../src/index/flat/simd-kernel.ts';
import { unitRows, unitVector } from './vectors.ts';

const KERNELS: KernelKind[] = ['simd', 'plain'];

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

describe.each(KERNELS)('FlatIndex, %s kernel', (kernel) => {
  it('scores by cosine (worked by hand)', () => {
    const index = new FlatIndex(3, kernel);
    index.add(4, Float32Array.of(1, 0, 0));
    index.add(7, Float32Array.of(0.6, 0.8, 0));
    index.add(9, Float32Array.of(0, 0, 1));
    index.add(11, Float32Array.of(-1, 0, 0));
    const query = Float32Array.of(0.8, 0.6, 0);
    // 0.8; 0.6 * 0.8 + 0.8 * 0.6 = 0.96; 0; -0.8
    const { ids, scores: held } = index.scoreAll(query);
    const scores = held.slice();
    expect([...ids]).toEqual([4, 7, 9, 11]);
    expect([...scores].map((score) => score.toFixed(6))).toEqual([
      '0.800000',
      '0.960000',
      '0.000000',
      '-0.800000',
    ]);
    expect(index.search(query, 2).map((hit) => hit.id)).toEqual([7, 4]);
    expect(index.search(query, 99).map((hit) => hit.id)).toEqual([7, 4, 9, 11]);
    expect(index.search(query, 0)).toEqual([]);
    expect([...index.scoreSome(query, [9, 7])].map((score) => score.toFixed(6))).toEqual([
      '0.000000',
      '0.960000',
    ]);
    expect([...index.scoreRange(query, 7, 10)]).toEqual([scores[1], Number.NaN, scores[2]]);
    expect([...index.scoreRange(query, 5, 5)]).toEqual([]);
  });

  it('keeps 1,000 equal vectors apart and orders them by id', () => {
    const index = new FlatIndex(5, kernel);
    const same = unitVector(5, 1);
    for (let id = 999; id >= 0; id--) index.add(id, same);
    expect(index.size).toBe(1000);
    expect(index.search(same, 5).map((hit) => hit.id)).toEqual([0, 1, 2, 3, 4]);
    expect([...index.scoreAll(same).ids]).toEqual(Array.from({ length: 1000 }, (_, id) => id));
    expect(index.remove(2)).toBe(true);
    expect(index.search(same, 3).map((hit) => hit.id)).toEqual([0, 1, 3]);
  });

  it('takes zero vectors, which score 0', () => {
    const index = new FlatIndex(4, kernel);
    index.add(0, new Float32Array(4));
    index.add(1, Float32Array.of(-1, 0, 0, 0));
    expect(index.search(Float32Array.of(1, 0, 0, 0), 2)).toEqual([
      { id: 0, score: 0 },
      { id: 1, score: -1 },
    ]);
  });

  it('answers an empty index', () => {
    const index = new FlatIndex(4, kernel);
    expect(index.search(new Float32Array(4), 3)).toEqual([]);
    expect(index.scoreAll(new Float32Array(4)).ids).toHaveLength(0);
    expect(index.remove(3)).toBe(false);
    expect(index.get(3)).toBeUndefined();
    index.addMany(0, new Float32Array(0));
    expect(index.size).toBe(0);
  });

  it('refuses a wrong dimension on every entry, naming both, and stays as it was', () => {
    const index = new FlatIndex(384, kernel);
    index.addMany(0, unitRows(3, 384, 2));
    const wide = unitVector(768, 3);
    for (const attempt of [
      () => index.add(5, wide),
      () => index.addMany(5, unitRows(2, 768, 4), 2),
      () => index.search(wide, 1),
      () => index.scoreAll(wide),
      () => index.scoreSome(wide, [0]),
    ]) {
      expect(attempt).toThrow(expect.objectContaining({ code: 'wrong-dimension' }));
      expect(attempt).toThrow(/768.*384/);
    }
    expect(() => index.addMany(5, new Float32Array(385))).toThrow(/385.*384/);
    expect(index.size).toBe(3);
  });

  it('refuses what is not a number, an id or a count, and names it', () => {
    const index = new FlatIndex(2, kernel);
    expect(() => index.add(3, Float32Array.of(Number.NaN, 0))).toThrow(/Vector 3 holds NaN/);
    expect(() => index.addMany(7, Float32Array.of(0, 1, 0, Number.POSITIVE_INFINITY))).toThrow(/Vector 8/);
    expect(() => index.search(Float32Array.of(Number.NaN, 0), 1)).toThrow(/The query/);
    expect(() => index.add(-1, Float32Array.of(1, 0))).toThrow(/-1/);
    expect(() => index.add(0.5, Float32Array.of(1, 0))).toThrow(SkeinError);
    expect(() => index.add(2 ** 31, Float32Array.of(1, 0))).toThrow(SkeinError);
    expect(() => index.search(Float32Array.of(1, 0), -1)).toThrow(SkeinError);
    expect(() => index.scoreSome(Float32Array.of(1, 0), [0])).toThrow(
      expect.objectContaining({ code: 'not-found' }),
    );
    expect(index.size).toBe(0);
  });

  it('adds many at once as one by one', () => {
    const rows = unitRows(300, 20, 5);
    const many = new FlatIndex(20, kernel);
    many.add(12, unitVector(20, 6));
    many.addMany(10, rows);
    const single = new FlatIndex(20, kernel);
    for (let i = 0; i < 300; i++) single.add(10 + i, rows.subarray(i * 20, i * 20 + 20));
    const query = unitVector(20, 7);
    expect(many.scoreAll(query)).toEqual(single.scoreAll(query));
    expect(many.get(12)).toEqual(rows.slice(40, 60));
  });

  it('leaves no copy of a removed vector in its memory', () => {
    const index = new FlatIndex(2, kernel);
    const marked = Float32Array.of(0.28, 0.96);
    for (const id of [0, 1, 2, 3, 5, 4]) index.add(id, id === 5 ? marked : Float32Array.of(1, 0));
    const { memory } = index as unknown as { memory: { floats: Float32Array } };
    const copies = () => memory.floats.filter((x) => x === marked[1]).length;
    index.remove(0);
    index.search(Float32Array.of(1, 0), 1);
    expect(copies()).toBe(1);
    index.remove(5);
    expect(copies()).toBe(0);
  });

  it.each([7, 16])('agrees with a naive scan after any sequence of changes, of %i numbers', (dimension) => {
    const pool = unitRows(12, dimension, 8);
    const vector = (which: number) => pool.slice(which * dimension, (which + 1) * dimension);
    const change = fc.oneof(
      fc.record({ kind: fc.constant('add' as const), id: fc.nat(30), which: fc.nat(11) }),
      fc.record({
        kind: fc.constant('many' as const),
        id: fc.nat(30),
        count: fc.integer({ min: 1, max: 12 }),
      }),
      fc.record({ kind: fc.constant('remove' as const), id: fc.nat(30) }),
      fc.record({ kind: fc.constant('query' as const), which: fc.nat(11), k: fc.nat(40) }),
    );
    fc.assert(
      fc.property(fc.array(change, { maxLength: 60 }), (changes) => {
        const index = new FlatIndex(dimension, kernel);
        const model = new Map<number, Float32Array>();
        for (const step of changes) {
          if (step.kind === 'add') {
            index.add(step.id, vector(step.which));
            model.set(step.id, vector(step.which));
          } else if (step.kind === 'many') {
            index.addMany(step.id, pool.slice(0, step.count * dimension));
            for (let i = 0; i < step.count; i++) model.set(step.id + i, vector(i));
          } else if (step.kind === 'remove') {
            expect(index.remove(step.id)).toBe(model.delete(step.id));
          } else {
            expectNaive(index, model, vector(step.which), step.k);
          }
        }
        expectNaive(index, model, vector(0), 10);
      }),
      { numRuns: 200 },
    );
  });
});

function expectNaive(
  index: FlatIndex,
  model: Map<number, Float32Array>,
  query: Float32Array,
  k: number,
): void {
  const ids = [...model.keys()].sort((a, b) => a - b);
  const exact = ids.map((id) => model.get(id)!.reduce((sum, x, i) => sum + x * query[i]!, 0));
  const all = index.scoreAll(query);
  expect(index.size).toBe(model.size);
  expect([...all.ids]).toEqual(ids);
  expect(Math.max(0, ...exact.map((score, i) => Math.abs(score - all.scores[i]!)))).toBeLessThan(1e-6);
  const scores = [...all.scores];
  const best = ids
    .map((id, i) => ({ id, score: scores[i]! }))
    .sort((a, b) => b.score - a.score || a.id - b.id);
  expect(index.search(query, k)).toEqual(best.slice(0, k));
}

describe('the two kernels', () => {
  it('give the same bits', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 70 }), fc.integer(), (dimension, seed) => {
        const rows = unitRows(20, dimension, seed);
        const simd = new FlatIndex(dimension, 'simd');
        const plain = new FlatIndex(dimension, 'plain');
        simd.addMany(0, rows);
        plain.addMany(0, rows);
        const query = unitVector(dimension, seed + 1);
        const bits = (index: FlatIndex) => [...new Uint32Array(index.scoreAll(query).scores.slice().buffer)];
        expect(bits(simd)).toEqual(bits(plain));
      }),
    );
  });

  it('are chosen by what works here', () => {
    expect(simdWorks()).toBe(true);
    expect(new FlatIndex(3).kernel).toBe('simd');
    vi.spyOn(WebAssembly, 'validate').mockReturnValue(false);
    expect(new FlatIndex(3).kernel).toBe('plain');
    expect(new FlatIndex(3, 'plain').kernel).toBe('plain');
  });

  it('fall back to plain where WebAssembly is missing or forbidden', async () => {
    vi.resetModules();
    vi.stubGlobal('WebAssembly', {
      validate: () => true,
      Module: class {
        constructor() {
          throw new Error('Refused by the Content Security Policy');
        }
      },
    });
    const fresh = await import('../../../src/index/flat/flat-index.ts');
    const index = new fresh.FlatIndex(2);
    expect(index.kernel).toBe('plain');
    index.add(0, Float32Array.of(0.6, 0.8));
    expect(index.search(Float32Array.of(0, 1), 1)[0]!.score).toBeCloseTo(0.8, 6);
    vi.stubGlobal('WebAssembly', undefined);
    expect(new fresh.FlatIndex(2).kernel).toBe('plain');
  });
});
