import { describe, expect, test } from 'vitest';
import { SKEIN_A } from '../../../src/memory/configurations.ts';
import { FusedRanker, type FusedRanking } from '../../../src/memory/fused-ranker.ts';
import { type TinyViews, tinyViews, vec } from './support.ts';

const SKEIN_RANKING = SKEIN_A.ranking as FusedRanking;
const QUERY = { text: 'any', vector: vec(1, 0) };

// dense(e) = cos(q, e) + 0.5 x its closest turn:
//   e0: 0.8 + 0.5 x max(1, 0.6) = 1.3;  e1: 0.6 + 0.5 x 0.6 = 0.9;  e2: 0 + 0.5 x -0.2 = -0.1
//   mean 0.7, deviation sqrt((0.36 + 0.04 + 0.64) / 3) = 0.588784
//   z: 1.019049, 0.339683, -1.358732
// words 0, 3, 0: mean 1, deviation sqrt 2;   z: -0.707107, 1.414214, -0.707107
// grams 1, 2, 3: mean 2, deviation sqrt 2/3; z: -1.224745, 0, 1.224745
const EXAMPLE: TinyViews = {
  turns: [vec(1, 0), vec(0.6, 0.8), vec(0.6, 0.8), vec(-0.2, Math.sqrt(0.96))],
  starts: [0, 2, 3],
  episodes: [vec(0.8, 0.6), vec(0.6, 0.8), vec(0, 1)],
  words: [0, 3, 0],
  grams: [1, 2, 3],
};

function rank(views: TinyViews, k = 5) {
  return new FusedRanker(SKEIN_RANKING).rank(QUERY, tinyViews(views), k);
}

describe('fused ranking (skein)', () => {
  test('score = 0.6 z(dense) + 0.4 x mean of z(words) and z(grams)', () => {
    // e0: 0.6 x 1.019049 + 0.4 x -0.965926 = 0.225059
    // e1: 0.6 x 0.339683 + 0.4 x 0.707107 = 0.486653
    // e2: 0.6 x -1.358732 + 0.4 x 0.258819 = -0.711712
    const ranked = rank(EXAMPLE);
    expect(ranked.map(({ episode }) => episode)).toEqual([1, 0, 2]);
    expect(ranked[0]!.score).toBeCloseTo(0.486653, 5);
    expect(ranked[1]!.score).toBeCloseTo(0.225059, 5);
    expect(ranked[2]!.score).toBeCloseTo(-0.711712, 5);
  });

  test('parts add up to the score', () => {
    for (const { score, parts } of rank(EXAMPLE)) {
      expect(Object.values(parts).reduce((sum, part) => sum + part, 0)).toBeCloseTo(score, 10);
    }
  });

  test('a signal that is the same for every episode says nothing', () => {
    // Equal words and grams: 0.6 z(dense) remains.
    const ranked = rank({ ...EXAMPLE, words: [2, 2, 2], grams: [0, 0, 0] });
    expect(ranked.map(({ episode }) => episode)).toEqual([0, 1, 2]);
    expect(ranked[0]!.score).toBeCloseTo(0.6 * 1.019049, 5);
    const flat: TinyViews = {
      turns: [vec(1, 0), vec(1, 0)],
      starts: [0, 1],
      episodes: [vec(1, 0), vec(1, 0)],
      words: [1, 1],
      grams: [1, 1],
    };
    expect(rank(flat).map(({ episode, score }) => [episode, score])).toEqual([
      [0, 0],
      [1, 0],
    ]);
  });

  test('one episode alone scores 0 and is found', () => {
    const ranked = rank({ turns: [vec(0, 1)], starts: [0], episodes: [vec(0, 1)], words: [4], grams: [1] });
    expect(ranked.map(({ episode, score }) => [episode, score])).toEqual([[0, 0]]);
  });

  test('gives the best k', () => {
    expect(rank(EXAMPLE, 1).map(({ episode }) => episode)).toEqual([1]);
  });

  test('an ineligible episode is not ranked', () => {
    const ranked = rank({ ...EXAMPLE, ineligible: [1] });
    expect(ranked.map(({ episode }) => episode)).toEqual([0, 2]);
  });

  test('an episode whose only turn has no vector is ranked by what is left', () => {
    const views = tinyViews(EXAMPLE);
    views.turns.remove(3);
    views.episodes.add(2, vec(0, 0));
    const ranked = new FusedRanker(SKEIN_RANKING).rank(QUERY, views, 5);
    expect(ranked).toHaveLength(3);
    for (const { score } of ranked) expect(Number.isFinite(score)).toBe(true);
  });

  test('an empty memory gives nothing', () => {
    expect(rank({ turns: [], starts: [], episodes: [] })).toEqual([]);
  });
});
