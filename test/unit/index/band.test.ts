import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../src/core/random.ts';
import { Band } from '../../../src/index/band.ts';
import type { KernelKind } from '../../../src/index/flat/scan-kernel.ts';

const KERNELS: KernelKind[] = ['simd', 'plain'];

/** Random weights, a third of them 0, none beyond the ends. */
function randomBand(count: number, reach: number, seed: number, kind: KernelKind): Band {
  const random = seededRandom(seed);
  const band = new Band(reach, kind);
  band.resize(count);
  for (let x = 0; x < count; x++) {
    const row = band.row(x);
    for (let d = -reach; d <= reach; d++) {
      const weight = Math.max(0, random() - 1 / 3);
      if (x + d >= 0 && x + d < count) row[reach + d] = weight;
    }
  }
  return band;
}

function randomValues(count: number, seed: number): Float64Array {
  const random = seededRandom(seed);
  return Float64Array.from({ length: count }, () => random() - 0.3);
}

const sizes = fc.record({
  count: fc.integer({ min: 0, max: 40 }),
  reach: fc.integer({ min: 0, max: 9 }),
  seed: fc.integer(),
});

describe.each(KERNELS)('Band, %s kernel', (kind) => {
  it('gives the answers worked by hand', () => {
    const band = new Band(1, kind);
    band.resize(3);
    band.row(0).set([0, 1, 0.5]);
    band.row(1).set([0.25, 1, 0]);
    band.row(2).set([0, 1, 0]);
    expect([...band.product(Float64Array.of(1, 2, 4))]).toEqual([2, 2.25, 4]);
    // Half a share of 2 is not more than all of 1; from a weight of 0.25 on, it counts in full.
    expect([...band.highest(Float64Array.of(1, 2, 4), 1)]).toEqual([1, 2, 4]);
    expect([...band.highest(Float64Array.of(1, 2, 4), 0.25)]).toEqual([2, 2, 4]);
    expect([...band.highest(Float64Array.of(4, 2, -1), 0.5)]).toEqual([4, 2, -1]);
  });

  it('leaves out what has no weight, and knows nothing but minus infinity without any', () => {
    const band = new Band(1, kind);
    band.resize(2);
    band.row(0).set([0, 1, 0]);
    expect([...band.highest(Float64Array.of(-1, 3), 1)]).toEqual([-1, Number.NEGATIVE_INFINITY]);
    const hidden = Float64Array.of(1, Number.NEGATIVE_INFINITY);
    expect([...band.highest(hidden, 1)]).toEqual([1, Number.NEGATIVE_INFINITY]);
    // What stood there last is no neighbour of what comes.
    expect([...band.product(Float64Array.of(2, 5))]).toEqual([2, 0]);
  });

  it('tells the same after it grew and shrank', () => {
    fc.assert(
      fc.property(sizes, fc.array(fc.integer({ min: 0, max: 60 }), { maxLength: 4 }), (size, detours) => {
        const straight = randomBand(size.count, size.reach, size.seed, kind);
        const band = new Band(size.reach, kind);
        for (const count of detours) {
          band.resize(count);
          for (let x = 0; x < count; x++) band.row(x).fill(x);
          band.product(randomValues(count, 1));
        }
        band.resize(0);
        band.resize(size.count);
        for (let x = 0; x < size.count; x++) {
          expect([...band.row(x)].every((weight) => weight === 0)).toBe(true);
          band.row(x).set(straight.row(x));
        }
        const values = randomValues(size.count, 3);
        expect(band.product(values)).toEqual(straight.product(values));
        expect(band.highest(values, 0.3)).toEqual(straight.highest(values, 0.3));
      }),
    );
  });
});

it('the kernels give the same bits, which are those of plain loops but for rounding', () => {
  fc.assert(
    fc.property(sizes, ({ count, reach, seed }) => {
      const [simd, plain] = KERNELS.map((kind) => randomBand(count, reach, seed, kind)) as [Band, Band];
      const values = randomValues(count, seed + 1);
      expect(simd.product(values)).toEqual(plain.product(values));
      expect(simd.highest(values, 0.3)).toEqual(plain.highest(values, 0.3));
      for (let x = 0; x < count; x++) {
        let sum = 0;
        let best = Number.NEGATIVE_INFINITY;
        for (let y = Math.max(0, x - reach); y <= Math.min(count - 1, x + reach); y++) {
          const weight = simd.row(x)[y - x + reach]!;
          sum += weight * values[y]!;
          if (weight > 0) best = Math.max(best, Math.min(1, weight / 0.3) * values[y]!);
        }
        expect(simd.product(values)[x]).toBeCloseTo(sum, 5);
        if (best > Number.NEGATIVE_INFINITY) expect(simd.highest(values, 0.3)[x]).toBeCloseTo(best, 5);
        else expect(simd.highest(values, 0.3)[x]).toBe(best);
      }
    }),
  );
});
