import { expect, test } from 'vitest';
import { ageInWords } from '../../../src/answer/age.ts';
import { citations } from '../../../src/answer/citations.ts';
import type { CitedPassage } from '../../../src/answer/passage.ts';

const passages = [1, 2, 3].map(
  (number): CitedPassage => ({ number, passage: { turns: [], score: 0 }, turns: [] }),
);
const found = (text: string) =>
  citations(text, passages).map(({ start, end, passages: cited }) => [
    text.slice(start, end),
    ...cited.map(({ number }) => number),
  ]);

test.each([
  ['Under the pot [1].', [['[1]', 1]]],
  [
    'So [1][3] and [2, 3].',
    [
      ['[1]', 1],
      ['[3]', 3],
      ['[2, 3]', 2, 3],
    ],
  ],
  [
    'See [episode 2] and [Episodes 1; 2].',
    [
      ['[episode 2]', 2],
      ['[Episodes 1; 2]', 1, 2],
    ],
  ],
  ['No such [4], but [3, 9].', [['[3, 9]', 3]]],
  ['A link [1](https://x), an index `a[1]`.\n```js\na[2]\n``` and [2]', [['[2]', 2]]],
  ['Still open:\n```\na[1]', []],
  ['[one] [] [1000] [0]', []],
])('%j', (text, expected) => {
  expect(found(text)).toEqual(expected);
});

test.each([
  [0, 'just now'],
  [59_000, 'just now'],
  [61_000, '1 minute ago'],
  [3 * 86_400_000, '3 days ago'],
  [40 * 86_400_000, '1 month ago'],
  [800 * 86_400_000, '2 years ago'],
  [-5000, 'just now'],
])('%i ms are %s', (milliseconds, expected) => {
  expect(ageInWords(1e12 - milliseconds, 1e12)).toBe(expected);
});
