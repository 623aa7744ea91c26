import { describe, expect, test } from 'vitest';
import { extractiveHypothesiser } from '../../../src/systems/hypothesis.ts';
import { LateInteraction } from '../../../src/systems/late-interaction.ts';
import { mmrOrder } from '../../../src/systems/mmr.ts';
import { reciprocalRankFusion } from '../../../src/systems/rank-fusion.ts';
import { ToyEmbedder } from './support.ts';

test('reciprocal rank fusion adds 1 / (60 + rank) over the lists', () => {
  const fused = reciprocalRankFusion([
    [7, 3],
    [3, 9, 7],
  ]);
  // 3: 1/62 + 1/61; 7: 1/61 + 1/63; 9: 1/62
  expect(fused.map(({ item }) => item)).toEqual([3, 7, 9]);
  expect(fused[0]!.score).toBeCloseTo(1 / 62 + 1 / 61, 12);
  expect(fused[1]!.score).toBeCloseTo(1 / 61 + 1 / 63, 12);
  expect(fused[2]!.score).toBeCloseTo(1 / 62, 12);
  expect(reciprocalRankFusion([[5], [2]]).map(({ item }) => item)).toEqual([2, 5]);
});

describe('maximal marginal relevance', () => {
  const x = Float32Array.of(1, 0);
  const y = Float32Array.of(0, 1);
  const candidates = [
    { score: 1, vector: x },
    { score: 0.9, vector: x },
    { score: 0.5, vector: y },
  ];

  test('puts what is new before what is nearly as good but known', () => {
    // After the first: 0.7 x 0.9 - 0.3 x 1 = 0.33 against 0.7 x 0.5 - 0 = 0.35.
    expect(mmrOrder(candidates, 0.7)).toEqual([0, 2, 1]);
  });

  test('is the order of scores where only relevance counts', () => {
    expect(mmrOrder(candidates, 1)).toEqual([0, 1, 2]);
  });
});

describe('late interaction', () => {
  test('is the mean over the question of the best cosine of a token', async () => {
    const reranker = new LateInteraction(new ToyEmbedder());
    // apple is found, boat is not: (1 + 0) / 2. Both: 1. None: 0.
    const scores = await reranker.score('apple boat', ['the apple', 'boat and apple', 'cat']);
    expect(scores).toEqual([0.5, 1, 0]);
    expect(await reranker.score('cat', ['cat', 'cat', 'egg'])).toEqual([1, 1, 0]);
  });

  test('needs an embedder that gives token vectors', () => {
    const { stamp } = new ToyEmbedder();
    const plain = { stamp, embed: async () => [] };
    expect(() => new LateInteraction(plain)).toThrow('no token vectors');
  });
});

test('the extractive hypothesis is the question and the sentences that share its words', async () => {
  const passages = [
    'The boat is red. Nothing here.',
    'A cat sat. The drum and the boat were sold on Monday.',
  ];
  const text = await extractiveHypothesiser.write('Who sold the boat?', passages);
  expect(text.split('\n')[0]).toBe('Who sold the boat?');
  // boat, red: 1 / sqrt 3 = 0.58; drum, boat, sold, monday: 2 / sqrt 5 = 0.89
  expect(text.split('\n').slice(1, 3)).toEqual([
    'The drum and the boat were sold on Monday.',
    'The boat is red.',
  ]);
});
