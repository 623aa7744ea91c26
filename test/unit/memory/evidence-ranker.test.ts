import { describe, expect, test } from 'vitest';
import { TSIM } from '../../../src/memory/configurations.ts';
import { EvidenceRanker, type EvidenceRanking } from '../../../src/memory/evidence-ranker.ts';
import { type TinyViews, tinyViews, vec } from './support.ts';

const PAPER = TSIM.ranking as EvidenceRanking;
const QUERY = { text: '', vector: vec(1, 0) };

// Similarities to the query are the first coordinates.
const EXAMPLE: TinyViews = {
  turns: [vec(1, 0), vec(0.8, 0.6), vec(0.6, 0.8), vec(0, 1)],
  starts: [0, 2, 3],
  episodes: [vec(0.8, 0.6), vec(0.6, 0.8), vec(0, 1)],
  clusters: [
    { members: [0, 1], vector: vec(0.8, 0.6) },
    { members: [0, 1, 2], vector: vec(0.28, 0.96) },
    { members: [2], vector: vec(-1, 0) },
  ],
};

function scores(views: TinyViews, constants: Partial<EvidenceRanking> = {}, k = 5): [number, number][] {
  const ranked = new EvidenceRanker({ ...PAPER, ...constants }).rank(QUERY, tinyViews(views), k);
  return ranked.map(({ episode, score }) => [episode, Number(score.toFixed(4))]);
}

/** All parts of the score but those of `kept` switched off. */
function only(kept: Partial<EvidenceRanking>): Partial<EvidenceRanking> {
  return { rawWeight: 0, summaryWeight: 0, clusterWeight: 0, spreadWeight: 0, ...kept };
}

describe('evidence-first ranking (TSIM, M3)', () => {
  test('R_r sums the similarities of the raw hits of an episode', () => {
    // e0: 1 + 0.8; e1: 0.6; e2: 0. Times 1.15.
    expect(scores(EXAMPLE, only({ rawWeight: 1.15 }))).toEqual([
      [0, 2.07],
      [1, 0.69],
      [2, 0],
    ]);
  });

  test('only the best k_r turns are raw hits', () => {
    expect(scores(EXAMPLE, only({ rawWeight: 1, rawHits: 1 }))[0]).toEqual([0, 1]);
    expect(scores(EXAMPLE, only({ rawWeight: 1, rawHits: 3 })).slice(0, 2)).toEqual([
      [0, 1.8],
      [1, 0.6],
    ]);
  });

  test('R_s is the similarity of the summary hit of an episode', () => {
    // 0.8, 0.6, 0. Times 1.20.
    expect(scores(EXAMPLE, only({ summaryWeight: 1.2 }))).toEqual([
      [0, 0.96],
      [1, 0.72],
      [2, 0],
    ]);
    expect(scores(EXAMPLE, only({ summaryWeight: 1, summaryHits: 1 }))[0]).toEqual([0, 0.8]);
  });

  test('R_l counts the retrieved clusters that expand to an episode, scaled by lambda_l', () => {
    // The best two clusters are 0 (0.8) and 1 (0.28). Each expands to the two members closest to the query,
    // which are 0 and 1 for both. 0.75 x 0.70 x 2 = 1.05 for e0 and e1, nothing for e2.
    const clusterOnly = scores(EXAMPLE, only({ clusterWeight: 0.75 }));
    expect(clusterOnly.slice(0, 2)).toEqual([
      [0, 1.05],
      [1, 1.05],
    ]);
    expect(clusterOnly.find(([episode]) => episode === 2)?.[1] ?? 0).toBe(0);
    // One cluster only: half of it.
    expect(scores(EXAMPLE, only({ clusterWeight: 0.75, clusterHits: 1 }))[0]).toEqual([0, 0.525]);
  });

  test('R_sem spreads from the seeds to their two nearest other episodes', () => {
    // sim(e0, e1) = 0.48 + 0.48 = 0.96; sim(e0, e2) = 0.6; sim(e1, e2) = 0.8. Seeds: all three.
    // to e0: from e1 0.55 x 0.6 x 0.96 = 0.3168; from e2 0 (sim(q, e2) = 0)
    // to e1: from e0 0.55 x 0.8 x 0.96 = 0.4224
    // to e2: from e0 0.55 x 0.8 x 0.6 = 0.264; from e1 0.55 x 0.6 x 0.8 = 0.264
    // The other parts (see above): e0 2.07 + 0.96 + 1.05 = 4.08; e1 0.69 + 0.72 + 1.05 = 2.46; e2 0.
    expect(scores(EXAMPLE)).toEqual([
      [0, 4.3968],
      [1, 2.8824],
      [2, 0.528],
    ]);
  });

  test('with one seed only the best local candidate spreads', () => {
    // e0 is the seed: e1 gains 0.4224 and e2 0.264.
    expect(scores(EXAMPLE, { seeds: 1 })).toEqual([
      [0, 4.08],
      [1, 2.8824],
      [2, 0.264],
    ]);
  });

  test('a seed spreads to its `expansion` nearest only', () => {
    // Nearest of e0 is e1, of e1 is e0, of e2 is e1. Clusters expand to one episode each then: e0 twice (1.05).
    // e0: 2.07 + 0.96 + 1.05 + 0.3168; e1: 0.69 + 0.72 + 0.4224; e2: 0.
    expect(scores(EXAMPLE, { expansion: 1 })).toEqual([
      [0, 4.3968],
      [1, 1.8324],
      [2, 0],
    ]);
  });

  test('two good turns outweigh the single best one', () => {
    // e0: 0.9 x 1.15 + 0.9 x 1.2 = 2.115; e1: (0.8 + 0.6) x 1.15 + 0.8 x 1.2 = 2.57.
    const views: TinyViews = {
      turns: [vec(0.9, Math.sqrt(0.19)), vec(0.8, 0.6), vec(0.6, 0.8)],
      starts: [0, 1],
      episodes: [vec(0.9, Math.sqrt(0.19)), vec(0.8, 0.6)],
    };
    expect(scores(views, { spreadWeight: 0 })).toEqual([
      [1, 2.57],
      [0, 2.115],
    ]);
  });

  test('gives k episodes, best first, and equal scores by age', () => {
    expect(scores(EXAMPLE, {}, 2).map(([episode]) => episode)).toEqual([0, 1]);
    const equal: TinyViews = {
      turns: [vec(1, 0), vec(1, 0), vec(1, 0)],
      starts: [0, 1, 2],
      episodes: [vec(1, 0), vec(1, 0), vec(1, 0)],
    };
    expect(scores(equal).map(([episode]) => episode)).toEqual([0, 1, 2]);
  });

  test('parts add up to the score', () => {
    const ranked = new EvidenceRanker(PAPER).rank(QUERY, tinyViews(EXAMPLE), 5);
    for (const { score, parts } of ranked) {
      expect(Object.values(parts).reduce((sum, part) => sum + part, 0)).toBeCloseTo(score, 10);
    }
  });

  test('an ineligible episode is not ranked, takes no place among the hits and spreads nothing', () => {
    const views = { ...EXAMPLE, ineligible: [0] };
    // The best eligible turn is t2 (0.6, e1), the best eligible summary e1.
    expect(scores(views, only({ rawWeight: 1, rawHits: 1 }))[0]).toEqual([1, 0.6]);
    expect(scores(views, only({ summaryWeight: 1, summaryHits: 1 }))[0]).toEqual([1, 0.6]);
    // Everything: e1 0.69 + 0.72 + clusters 0 and 1 both expand to it (1.05) = 2.46, and e2 spreads 0 to it;
    // e2 gets cluster 1 (0.525) and 0.55 x 0.6 x 0.8 = 0.264 from e1.
    expect(scores(views)).toEqual([
      [1, 2.46],
      [2, 0.789],
    ]);
  });

  test('a cluster without an eligible member takes no place among the clusters', () => {
    // Cluster 0 is the best hit, but e0 alone is in it and not eligible; cluster 1 follows.
    const views: TinyViews = {
      ...EXAMPLE,
      clusters: [
        { members: [0], vector: vec(1, 0) },
        { members: [1, 2], vector: vec(0, 1) },
      ],
      ineligible: [0],
    };
    expect(scores(views, only({ clusterWeight: 0.75, clusterHits: 1 }))).toEqual([
      [1, 0.525],
      [2, 0.525],
    ]);
  });

  test('an empty memory gives nothing', () => {
    expect(scores({ turns: [], starts: [], episodes: [] })).toEqual([]);
  });
});
