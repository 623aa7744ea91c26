import { describe, expect, it } from 'vitest';
import { distribution, mcNemar, pairedBootstrap, proportion } from '../../../src/bench/statistics.ts';

describe('proportion', () => {
  // By hand: z2 = 3.841459; centre = (p + z2/2n) / (1 + z2/n), half = z/(1 + z2/n) * sqrt(p(1-p)/n + z2/4n2).
  it('gives the Wilson interval', () => {
    const { value, low, high } = proportion(8, 10);
    expect(value).toBe(0.8);
    expect(low).toBeCloseTo(0.49016, 5);
    expect(high).toBeCloseTo(0.943318, 5);
  });

  it('gives one-sided intervals at the ends, and nothing of nothing', () => {
    expect(proportion(0, 10)).toMatchObject({ low: 0, high: expect.closeTo(3.841459 / 13.841459, 6) });
    expect(proportion(10, 10)).toMatchObject({ low: expect.closeTo(10 / 13.841459, 6), high: 1 });
    expect(proportion(0, 0)).toEqual({ hits: 0, of: 0, value: 0, low: 0, high: 1 });
  });
});

describe('distribution', () => {
  it('gives mean, median, 95% point and maximum', () => {
    // 95% of the way from the first to the last of five values: 0.8 between the fourth and the fifth.
    expect(distribution([50, 10, 20, 40, 30])).toEqual({
      mean: 30,
      median: 30,
      p95: expect.closeTo(48, 9),
      max: 50,
    });
    expect(distribution([1, 2])).toMatchObject({ median: 1.5 });
    expect(distribution([])).toEqual({ mean: 0, median: 0, p95: 0, max: 0 });
  });
});

describe('mcNemar', () => {
  it.each([
    // Two-sided sign test: 2 * sum of C(n, i) / 2^n up to the smaller count.
    [1, 5, (2 * (1 + 6)) / 64],
    [0, 3, 2 / 8],
    [2, 8, (2 * (1 + 10 + 45)) / 1024],
    [3, 3, 1],
    [0, 0, 1],
  ])('is exact for %i and %i discordant pairs', (onlyA, onlyB, p) => {
    const a = [true, false, ...Array(onlyA).fill(true), ...Array(onlyB).fill(false)];
    const b = [true, false, ...Array(onlyA).fill(false), ...Array(onlyB).fill(true)];
    expect(mcNemar(a, b)).toEqual({ onlyA, onlyB, p: expect.closeTo(p, 12) });
  });

  it('does not underflow with thousands of pairs', () => {
    const a = Array.from({ length: 4000 }, (_, i) => i < 2000);
    expect(
      mcNemar(
        a,
        a.map((x) => !x),
      ).p,
    ).toBe(1);
  });
});

describe('pairedBootstrap', () => {
  it('has no width where every pair differs alike', () => {
    expect(pairedBootstrap([1, 1, 1], [0, 0, 0])).toEqual({ difference: 1, low: 1, high: 1 });
  });

  it('agrees with the normal approximation on many pairs, and repeats with its seed', () => {
    // 40 of 100 pairs differ by 1: mean 0.4, standard error sqrt(0.4 * 0.6 / 100) = 0.049.
    const a = Array.from({ length: 100 }, (_, i) => (i < 40 ? 1 : 0));
    const b = a.map(() => 0);
    const { difference, low, high } = pairedBootstrap(a, b, { seed: 7 });
    expect(difference).toBeCloseTo(0.4, 12);
    expect(Math.abs(low - (0.4 - 1.96 * 0.049))).toBeLessThan(0.015);
    expect(Math.abs(high - (0.4 + 1.96 * 0.049))).toBeLessThan(0.015);
    expect(pairedBootstrap(a, b, { seed: 7 })).toEqual({ difference, low, high });
  });
});
