import { expect, test } from 'vitest';
import { configuration, SKEIN_A } from '../../../src/memory/configurations.ts';

test("tsim has the paper's constants", () => {
  expect(configuration('tsim', 'any-model')).toEqual({
    name: 'tsim',
    // theta_s 0.70, b 0.03, L_min 120, L_max 320, recent_window 4, two messages.
    segmentation: {
      kind: 'drift',
      threshold: 0.7,
      speakerBonus: 0.03,
      minTokens: 120,
      maxTokens: 320,
      recentWindow: 4,
      minMessages: 2,
    },
    episodeVector: 'summary',
    // Assignment 0.42, soft margin 0.08.
    clustering: { assignThreshold: 0.42, softMargin: 0.08, summaryMembers: expect.any(Number) },
    // k_r 28, k_s 20, k_l 2; w_r 1.15, w_s 1.20, w_l 0.75; lambda_sem 0.55, lambda_l 0.70; expansion 2.
    ranking: {
      kind: 'evidence',
      rawHits: 28,
      summaryHits: 20,
      clusterHits: 2,
      rawWeight: 1.15,
      summaryWeight: 1.2,
      clusterWeight: 0.75,
      spreadWeight: 0.55,
      expansionWeight: 0.7,
      expansion: 2,
      seeds: expect.any(Number),
    },
    // k_final 5, eight messages with an overlap of two.
    recalled: 5,
    promptCap: { messages: 8, overlap: 2 },
  });
});

test('tsim-fitted is tsim but for the threshold, which belongs to the embedder', () => {
  const tsim = configuration('tsim', 'all-MiniLM-L6-v2');
  expect(configuration('tsim-fitted', 'all-MiniLM-L6-v2')).toEqual({
    ...tsim,
    name: 'tsim-fitted',
    segmentation: { ...tsim.segmentation, threshold: 0.2 },
  });
});

test('skein differs from configuration A in its ranking, which needs no vectors of episodes', () => {
  const { ranking, ...rest } = configuration('skein', 'any-model');
  const { ranking: _, ...restOfA } = SKEIN_A;
  expect(rest).toEqual({ ...restOfA, episodeVector: 'none' });
  expect(ranking.kind).toBe('family');
});

test('configuration A has the constants of the shared design', () => {
  expect(SKEIN_A).toEqual({
    name: 'skein',
    segmentation: {
      kind: 'cohesion',
      contextTurns: 4,
      lexicalTurns: 8,
      lexicalWeight: 0.5,
      deviations: 1.4,
      warmUpTurns: 8,
      initialThreshold: 0.15,
      minTokens: 120,
      maxTokens: 320,
    },
    episodeVector: 'mean',
    ranking: { kind: 'fused', denseWeight: 0.6, lexicalWeight: 0.4, closestTurnWeight: 0.5 },
    recalled: 5,
  });
});
