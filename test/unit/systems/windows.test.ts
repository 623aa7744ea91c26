import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Thread } from '../../../src/systems/thread.ts';
import { divideText, FixedWindows, OverlappingWindows, type Windows } from '../../../src/systems/windows.ts';
import { alternating, filler } from './support.ts';

/** A thread of alternating turns with that many words each; ten words are 13 tokens. */
function threadOf(...words: number[]): Thread {
  const thread = new Thread();
  thread.push(alternating(...words.map(filler)));
  return thread;
}

function bounds(windows: Windows): number[][] {
  return windows.all.map(({ start, end }) => [start, end]);
}

describe('fixed windows', () => {
  test('take whole turns as long as they fit', () => {
    const windows = new FixedWindows(40);
    // 13 + 13 + 13 = 39 fit; the fourth turn would make 52. Then 26 + 13 = 39, and 13.
    expect(windows.extend(threadOf(10, 10, 10, 20, 10, 10))).toBe(0);
    expect(bounds(windows)).toEqual([
      [0, 3],
      [3, 5],
      [5, 6],
    ]);
  });

  test('divide a turn that is longer than a window, and go on behind it', () => {
    const thread = new Thread();
    thread.push(alternating('one two', 'a b c d e f g', 'three', 'four'));
    // 5.2 tokens are four words; the giant has seven.
    const windows = new FixedWindows(5.2);
    windows.extend(thread);
    expect(windows.all).toEqual([
      { start: 0, end: 1 },
      { start: 1, end: 2, text: 'a b c d' },
      { start: 1, end: 2, text: 'e f g' },
      { start: 2, end: 4 },
    ]);
  });

  test('tell the first window that grew', () => {
    const thread = threadOf(10, 10, 10, 20);
    const windows = new FixedWindows(40);
    windows.extend(thread);
    expect(windows.extend(thread)).toBe(2);
    thread.push(alternating(filler(10)));
    expect(windows.extend(thread)).toBe(1);
    expect(bounds(windows)).toEqual([
      [0, 3],
      [3, 5],
    ]);
  });

  test('a divided text is its parts, no word lost', () => {
    expect(divideText('  a  b\nc d ', 2.6)).toEqual(['  a  b', 'c d']);
    expect(divideText('', 10)).toEqual(['']);
  });
});

describe('overlapping windows', () => {
  test('open at user turns a stride apart and may share turns', () => {
    const windows = new OverlappingWindows(52, 26);
    // Turns of 13 tokens: a stride is two turns, a window four.
    windows.extend(threadOf(10, 10, 10, 10, 10, 10, 10));
    expect(bounds(windows)).toEqual([
      [0, 4],
      [2, 6],
      [4, 7],
      [6, 7],
    ]);
  });

  test('leave no turn out where no user speaks for long', () => {
    const thread = new Thread();
    thread.push(Array.from({ length: 6 }, () => ({ role: 'model' as const, text: filler(10) })));
    const windows = new OverlappingWindows(26, 13);
    windows.extend(thread);
    expect(bounds(windows)).toEqual([
      [0, 2],
      [2, 4],
      [4, 6],
    ]);
  });

  test('a turn longer than a window stands alone', () => {
    const windows = new OverlappingWindows(26, 13);
    windows.extend(threadOf(10, 50, 10));
    expect(bounds(windows)).toEqual([
      [0, 1],
      [1, 2],
      [2, 3],
    ]);
  });
});

test.each([
  ['fixed', () => new FixedWindows(40)],
  ['overlapping', () => new OverlappingWindows(40, 15)],
])('%s windows are the same however the turns come, and cover them all', (_, create) => {
  const sizes = fc.array(fc.integer({ min: 0, max: 40 }), { minLength: 1, maxLength: 40 });
  fc.assert(
    fc.property(sizes, fc.array(fc.integer({ min: 1, max: 5 })), (words, steps) => {
      const all = alternating(...words.map(filler));
      const whole = new Thread();
      whole.push(all);
      const expected = create();
      expected.extend(whole);
      const thread = new Thread();
      const windows = create();
      for (const step of [...steps, all.length]) {
        const before = [...windows.all];
        thread.push(all.slice(thread.size, thread.size + step));
        const changed = windows.extend(thread);
        expect(windows.all.slice(0, changed)).toEqual(before.slice(0, changed));
      }
      expect(windows.all).toEqual(expected.all);
      const covered = new Set(
        windows.all.flatMap(({ start, end }) => Array.from({ length: end - start }, (_, i) => start + i)),
      );
      expect(covered.size).toBe(all.length);
    }),
  );
});
