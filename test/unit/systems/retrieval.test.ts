import { describe, expect, test } from 'vitest';
import { Packer } from '../../../src/systems/pack.ts';
import { bestSpans, contextOf, topUnits } from '../../../src/systems/retrieval.ts';
import { Thread } from '../../../src/systems/thread.ts';
import { alternating, filler, turns } from './support.ts';

describe('context', () => {
  test('stands in the order of the thread, what overlaps or touches merged', () => {
    const spans = [
      { start: 8, end: 9 },
      { start: 2, end: 5 },
      { start: 4, end: 6 },
      { start: 0, end: 2 },
    ];
    expect(contextOf(spans)).toEqual([turns(0, 6), turns(8, 9)]);
  });

  test('keeps a range that another one holds from ending it early', () => {
    const spans = [
      { start: 0, end: 9 },
      { start: 2, end: 3 },
      { start: 5, end: 10 },
    ];
    expect(contextOf(spans)).toEqual([turns(0, 10)]);
  });

  test('puts a part of a turn in its place', () => {
    const part = { start: 3, end: 4, text: 'part' };
    expect(contextOf([{ start: 5, end: 6 }, part, { start: 1, end: 3 }])).toEqual([
      turns(1, 3),
      { kind: 'text', text: 'part' },
      turns(5, 6),
    ]);
  });

  test('a retrieval lists more units than its context takes', () => {
    const spans = [0, 1, 2].map((start) => ({ start, end: start + 1 }));
    const ranked = bestSpans(spans, [0.1, 0.9, 0.5]);
    expect(topUnits(ranked, 2)).toEqual({
      units: [
        { ranges: [[1, 2]], score: 0.9 },
        { ranges: [[2, 3]], score: 0.5 },
        { ranges: [[0, 1]], score: 0.1 },
      ],
      context: [turns(1, 3)],
    });
  });
});

describe('packer', () => {
  const thread = new Thread();
  thread.push(alternating(filler(10), filler(10), filler(10), filler(10)));

  test('counts what overlaps once and refuses what does not fit', () => {
    // 13 tokens a turn.
    const packer = new Packer(thread, 40);
    expect(packer.add({ start: 0, end: 2 })).toBe(true);
    expect(packer.left).toBeCloseTo(14);
    expect(packer.add({ start: 1, end: 4 })).toBe(false);
    expect(packer.add({ start: 1, end: 3 })).toBe(true);
    expect(packer.left).toBeCloseTo(1);
    expect(packer.add({ start: 0, end: 3 })).toBe(true);
    expect(contextOf(packer.spans)).toEqual([turns(0, 3)]);
  });

  test('counts a text by its own words', () => {
    const packer = new Packer(thread, 3);
    expect(packer.add({ start: 0, end: 0, text: 'a b c' })).toBe(false);
    expect(packer.add({ start: 0, end: 0, text: 'a b' })).toBe(true);
  });
});
