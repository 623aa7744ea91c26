import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { words } from '../../../src/index/analyzers.ts';
import { Bm25Index } from '../../../src/index/bm25.ts';
import { NearTies, type NearTying } from '../../../src/memory/near-ties.ts';
import { blend, signalOf, standardScores } from '../../../src/memory/standard-scores.ts';
import { TermTies } from '../../../src/memory/term-ties.ts';
import { at, indexOf } from './support.ts';

const TYING: NearTying = { reach: 3, middle: 0.5, width: 0.1, least: 0.1, steps: 2 };

/** Ties of one-turn exchanges whose vectors stand at these angles. */
function tiesOf(degrees: readonly number[], tying: NearTying = TYING): NearTies {
  const ties = new NearTies(tying, 2);
  const starts = degrees.map((_, i) => i);
  ties.update(starts, degrees.length, indexOf(degrees.map(at)), 0);
  return ties;
}

describe('near ties', () => {
  test('two exchanges are tied by their cosine', () => {
    // cos 60 = 0.5: as likely as not; cos 120 = -0.5: 1 / (1 + e^10), below the least.
    const ties = tiesOf([0, 60, 180]);
    expect(ties.between(0, 1)).toBeCloseTo(0.5, 5);
    expect(ties.between(1, 2)).toBe(0);
    expect(ties.between(0, 0)).toBe(1);
  });

  test('a tie goes over exchanges between, as the product of its steps', () => {
    // 0 and 80 have cosine 0.1736: 1 / (1 + e^3.26) = 0.037; over 40 (cosine 0.766, 0.9346 each) it is 0.8734.
    const step = 1 / (1 + Math.exp((0.5 - Math.cos((40 * Math.PI) / 180)) / 0.1));
    expect(tiesOf([0, 40, 80]).between(0, 2)).toBeCloseTo(step * step, 4);
    expect(tiesOf([0, 40, 80], { ...TYING, steps: 0 }).between(0, 2)).toBe(0);
  });

  test('two conversations that take turns stay apart', () => {
    const ties = tiesOf([0, 120, 5, 125, 10, 130]);
    expect(ties.between(0, 2)).toBeGreaterThan(0.9);
    expect(ties.between(1, 3)).toBeGreaterThan(0.9);
    expect(ties.between(0, 1)).toBe(0);
  });

  test('nothing is tied beyond its reach', () => {
    expect(tiesOf([0, 0, 0, 0, 0]).between(0, 4)).toBe(0);
    expect(tiesOf([0, 0, 0, 0, 0]).between(1, 4)).toBeGreaterThan(0.9);
  });

  test('an exchange is as common as it is close to the mean of all', () => {
    // Turn by turn the mean of 0, 0 and 90 degrees is (2, 1); the two at 0 as one exchange, it is at 45.
    const common = (starts: number[]) => {
      const ties = new NearTies(TYING, 2);
      ties.update(starts, 3, indexOf([0, 0, 90].map(at)), 0);
      return [...ties.commonness()].map((x) => x.toFixed(4));
    };
    const [two, one] = [2, 1].map((x) => (x / Math.sqrt(5)).toFixed(4));
    expect(common([0, 1, 2])).toEqual([two, two, one]);
    expect(common([0, 2])).toEqual([Math.SQRT1_2.toFixed(4), Math.SQRT1_2.toFixed(4)]);
    expect(common([])).toEqual([]);
  });

  test('ties are the same when they come bit by bit or after a change', () => {
    const angles = fc.array(fc.integer({ min: 0, max: 359 }), { minLength: 1, maxLength: 14 });
    fc.assert(
      fc.property(angles, fc.nat(), fc.nat(), (degrees, cut, change) => {
        const known = 1 + (cut % degrees.length);
        const changed = change % degrees.length;
        const turns = indexOf(degrees.map(at));
        turns.add(changed, at(degrees[changed]! + 90));
        const starts = degrees.map((_, i) => i);
        const ties = new NearTies(TYING, 2);
        ties.update(starts.slice(0, known), known, turns, 0);
        ties.update(starts, degrees.length, turns, known);
        turns.add(changed, at(degrees[changed]!));
        ties.update(starts, degrees.length, turns, changed);
        const whole = tiesOf(degrees);
        expect(ties.commonness()).toEqual(whole.commonness());
        for (const x of starts) {
          expect(ties.lengths[x]).toBe(whole.lengths[x]);
          for (const y of starts) {
            expect(ties.between(x, y)).toBe(whole.between(x, y));
          }
        }
      }),
    );
  });
});

describe('ties by words', () => {
  function termTies(...texts: string[]): TermTies {
    const index = new Bm25Index(words);
    for (const [id, text] of texts.entries()) index.set(id, text);
    return new TermTies(index.termGroups(texts.map((_, i) => i)), { commonShare: 0.5, power: 1 });
  }

  test('the cosine of the words that several hold, by their rarity', () => {
    // "ann" stands in 2 of 8, "tom" in 3 of 8; what stands once ties nothing.
    const ties = termTies('ann tom', 'ann x', 'tom y', 'tom z', 'a', 'b', 'c', 'd');
    const ann = Math.log(1 + 6.5 / 2.5);
    const tom = Math.log(1 + 5.5 / 3.5);
    expect(ties.between(0, 0)).toBeCloseTo(1, 5);
    expect(ties.between(0, 1)).toBeCloseTo(ann / Math.hypot(ann, tom), 5);
    expect(ties.between(0, 2)).toBeCloseTo(tom / Math.hypot(ann, tom), 5);
    expect(ties.between(2, 0)).toBe(ties.between(0, 2));
    expect(ties.between(0, 4)).toBe(0);
  });

  test('a word that too many hold ties nothing', () => {
    const ties = termTies('the ann', 'the ann', 'the', 'the', 'the', 'the');
    expect(ties.between(2, 3)).toBe(0);
    expect(ties.between(0, 1)).toBeCloseTo(1, 5);
  });
});

describe('standard scores', () => {
  test('are of the eligible alone', () => {
    expect([...standardScores(Float64Array.of(1, 3, 100), Uint8Array.of(1, 1, 0))]).toEqual([-1, 1, 0]);
    expect([...standardScores(Float64Array.of(2, 2), Uint8Array.of(1, 1))]).toEqual([0, 0]);
    expect([...standardScores(new Float64Array(0), new Uint8Array(0))]).toEqual([]);
  });

  test('a blend has the deviation of its weight, and its shares the proportions of theirs', () => {
    const eligible = Uint8Array.of(1, 1, 1);
    const signals = {
      a: signalOf(Float64Array.of(0, 1, 2), eligible),
      b: signalOf(Float64Array.of(5, 1, 3), eligible),
    };
    const { total, share } = blend(signals, { a: 3, b: 1 }, eligible, 2);
    expect(total.reduce((all, x) => all + x, 0)).toBeCloseTo(0, 10);
    expect(total.reduce((all, x) => all + x * x, 0) / 3).toBeCloseTo(4, 10);
    expect(share('a', 2) / share('b', 0)).toBeCloseTo(3, 10);
    for (const [i, sum] of total.entries()) expect(share('a', i) + share('b', i)).toBeCloseTo(sum, 10);
  });
});
