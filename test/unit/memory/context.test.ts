import { expect, test } from 'vitest';
import { contextRanges } from '../../../src/memory/context.ts';
import type { RecalledEpisode } from '../../../src/store/records.ts';

const CAP = { messages: 8, overlap: 2 };

function recalled(episode: number, start: number, end: number, decisive: number[]): RecalledEpisode {
  return { episode, start, end, score: 1, parts: {}, terms: [], decisive };
}

test('episodes stand in thread order, whole without a cap', () => {
  const ranges = contextRanges([recalled(4, 40, 60, [41]), recalled(1, 10, 13, [11])]);
  expect(ranges).toEqual([
    { episode: 1, start: 10, end: 13 },
    { episode: 4, start: 40, end: 60 },
  ]);
});

test('eight messages fit a cap of eight', () => {
  expect(contextRanges([recalled(0, 0, 8, [7])], CAP)).toEqual([{ episode: 0, start: 0, end: 8 }]);
});

test('a longer episode gives the piece of eight that holds the decisive turns', () => {
  // Pieces of 20 messages: 0-7, 6-13, 12-19.
  expect(contextRanges([recalled(0, 0, 20, [13, 14])], CAP)).toEqual([{ episode: 0, start: 12, end: 20 }]);
  expect(contextRanges([recalled(0, 0, 20, [9, 2])], CAP)).toEqual([{ episode: 0, start: 0, end: 8 }]);
  expect(contextRanges([recalled(0, 0, 20, [7, 9])], CAP)).toEqual([{ episode: 0, start: 6, end: 14 }]);
});

test('the last piece ends with the episode', () => {
  // Pieces of 10 messages: 5-12, 11-14.
  expect(contextRanges([recalled(2, 5, 15, [14])], CAP)).toEqual([{ episode: 2, start: 11, end: 15 }]);
});
