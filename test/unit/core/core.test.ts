import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { abortedError, SkeinError, throwIfAborted, toSkeinError } from '../../../src/core/errors.ts';
import { Mutex } from '../../../src/core/mutex.ts';
import { ProgressMeter } from '../../../src/core/progress.ts';
import { seededRandom, shuffled } from '../../../src/core/random.ts';
import { cutText, wellFormed } from '../../../src/core/text.ts';
import { countWords, estimateTokens } from '../../../src/core/tokens.ts';
import { addTo, centroid, direction, dot, norm, normalise } from '../../../src/core/vectors.ts';

const vec = (...numbers: number[]) => Float32Array.from(numbers);

describe('tokens', () => {
  test.each([
    ['', 0],
    [' \t\r\n ', 0],
    ['one', 1],
    ['  two words\n', 2],
    ["don't split-this, please", 3],
    ['no\u00a0break\u3000ideographic\u2028line', 4],
    ['file\x1cseparator\x85next', 3],
    ['zero\u200bwidth', 1],
    ['東京 🙂', 2],
  ])('%j has %i words', (text, words) => {
    expect(countWords(text)).toBe(words);
    expect(estimateTokens(text)).toBe(1.3 * words);
  });
});

describe('text', () => {
  test('lone surrogates become U+FFFD, pairs stay', () => {
    expect(wellFormed('a\ud83d b \udc00 🙂')).toBe('a\ufffd b \ufffd 🙂');
  });

  test('a cut never splits a pair', () => {
    expect(cutText('abc', 3)).toBe('abc');
    expect(cutText('abcd', 3)).toBe('abc');
    expect(cutText('ab🙂', 3)).toBe('ab');
    expect(cutText('ab🙂d', 4)).toBe('ab🙂');
    expect(cutText('🙂', 1)).toBe('');
    expect(cutText('abc', 0)).toBe('');
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.nat(20), (text, limit) => {
        const cut = cutText(text, limit);
        expect(text.startsWith(cut)).toBe(true);
        expect(cut.isWellFormed()).toBe(true);
        expect(cut.length).toBeLessThanOrEqual(limit);
        expect(cut.length).toBeGreaterThanOrEqual(Math.min(text.length, limit) - 1);
      }),
    );
  });
});

describe('vectors', () => {
  test('dot product and length', () => {
    expect(dot(vec(1, 2, 3), vec(4, -5, 6))).toBe(12);
    expect(norm(vec(3, 4))).toBe(5);
  });

  test('scaled to length 1; zero stays zero', () => {
    expect([...normalise(vec(3, 4))]).toEqual([...vec(0.6, 0.8)]);
    expect([...normalise(vec(0, 0))]).toEqual([0, 0]);
  });

  test('the centroid is the direction of the mean', () => {
    // (1, 0) + (0.6, 0.8) = (1.6, 0.8), length sqrt 3.2.
    expect([...centroid([vec(1, 0), vec(0.6, 0.8)], 2)]).toEqual([
      ...vec(1.6 / Math.sqrt(3.2), 0.8 / Math.sqrt(3.2)),
    ]);
    expect([...centroid([], 2)]).toEqual([0, 0]);
    expect([...centroid([vec(1, 0), vec(-1, 0)], 2)]).toEqual([0, 0]);
  });

  test('a running sum gives the same direction as all at once', () => {
    const vectors = [vec(0.1, 0.7), vec(0.3, -0.2), vec(0.9, 0.4)];
    const sum = new Float64Array(2);
    for (const vector of vectors) addTo(sum, vector);
    expect(direction(sum)).toEqual(centroid(vectors, 2));
  });
});

describe('seeded random', () => {
  test('the same seed gives the same sequence, another seed another', () => {
    const draw = (seed: number) => {
      const random = seededRandom(seed);
      return Array.from({ length: 5 }, random);
    };
    expect(draw(7)).toEqual(draw(7));
    expect(draw(7)).not.toEqual(draw(8));
    for (const x of draw(-1)) expect(x >= 0 && x < 1).toBe(true);
  });

  test('a shuffled copy holds the same items and leaves the original', () => {
    const items = [1, 2, 3, 4, 5, 6, 7, 8];
    const mixed = shuffled(items, seededRandom(1));
    expect(mixed).not.toEqual(items);
    expect([...mixed].sort()).toEqual(items);
    expect(items).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  });
});

describe('mutex', () => {
  test('runs in the order asked for, one at a time, also after a failure', async () => {
    const mutex = new Mutex();
    const log: string[] = [];
    const work = (name: string, fail = false) =>
      mutex.run(async () => {
        log.push(`${name} begins`);
        await new Promise((resolve) => setTimeout(resolve, name === 'a' ? 5 : 0));
        log.push(`${name} ends`);
        if (fail) throw new Error(name);
        return name;
      });
    const a = work('a', true);
    const b = work('b');
    await expect(a).rejects.toThrow('a');
    expect(await b).toBe('b');
    expect(log).toEqual(['a begins', 'a ends', 'b begins', 'b ends']);
  });
});

describe('progress', () => {
  test('rate and remaining time over the last seconds', () => {
    let now = 0;
    const meter = new ProgressMeter(100, 10_000, () => now);
    expect(meter.at(0)).toEqual({ done: 0, total: 100, rate: 0 });
    now = 2000;
    expect(meter.at(10)).toEqual({ done: 10, total: 100, rate: 5, secondsLeft: 18 });
    // The first samples fall out of the window: from 10 at 2 s to 70 at 14 s.
    now = 14_000;
    expect(meter.at(70)).toEqual({ done: 70, total: 100, rate: 5, secondsLeft: 6 });
  });
});

describe('errors', () => {
  test('what is no SkeinError becomes one and keeps message and cause', () => {
    const cause = new RangeError('too far');
    expect(toSkeinError(cause)).toMatchObject({ code: 'internal', message: 'too far', cause });
    expect(toSkeinError('plain words', 'bad-file')).toMatchObject({
      code: 'bad-file',
      message: 'plain words',
    });
    const own = new SkeinError('quota', 'full', 'free space');
    expect(toSkeinError(own, 'bad-file')).toBe(own);
  });

  test('an aborted signal throws `aborted`, no signal throws nothing', () => {
    expect(abortedError()).toMatchObject({ code: 'aborted' });
    expect(() => throwIfAborted(AbortSignal.abort())).toThrow(SkeinError);
    throwIfAborted(undefined);
    throwIfAborted(new AbortController().signal);
  });
});
