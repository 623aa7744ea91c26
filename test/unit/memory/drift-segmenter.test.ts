import { describe, expect, test } from 'vitest';
import { estimateTokens } from '../../../src/core/tokens.ts';
import { TSIM } from '../../../src/memory/configurations.ts';
import { type DriftSegmentation, DriftSegmenter } from '../../../src/memory/drift-segmenter.ts';
import type { SegmenterTurn } from '../../../src/memory/segmenter.ts';
import { at, TurnSource, vec, wordsOf } from './support.ts';

const PAPER = TSIM.segmentation as DriftSegmentation;
const EAST = vec(1, 0);
const NORTH = vec(0, 1);

/** The cuts after each push. */
function cuts(turns: readonly SegmenterTurn[], constants: Partial<DriftSegmentation> = {}): number[][] {
  const segmenter = new DriftSegmenter({ ...PAPER, ...constants });
  return turns.map((turn) => segmenter.push(turn));
}

describe('drift segmentation (TSIM, M1)', () => {
  test('the first turn opens the first episode without a cut', () => {
    const source = new TurnSource();
    expect(cuts([source.turn('user', 1000, EAST)])).toEqual([[]]);
  });

  test('cuts before a turn that has drifted, at once', () => {
    const source = new TurnSource();
    // L = 120 >= 120; s = cos(north, east) = 0 < 0.70.
    expect(
      cuts([source.turn('user', 60, EAST), source.turn('model', 60, EAST), source.turn('model', 60, NORTH)]),
    ).toEqual([[], [], [2]]);
  });

  test('does not cut before L_min is reached', () => {
    // 46 words a turn: 2 x 46 x 1.3 = 119.6 < 120. 47 words: 122.2.
    for (const [words, expected] of [
      [46, []],
      [47, [2]],
    ] as const) {
      const source = new TurnSource();
      const tokens = estimateTokens(wordsOf(words));
      const turns = [EAST, EAST, NORTH].map((vector) => source.turn('model', tokens, vector));
      expect(cuts(turns)[2]).toEqual(expected);
    }
  });

  test('needs two buffered messages for a drift cut', () => {
    const source = new TurnSource();
    // One message of 130 tokens is not enough; with the second the centroid is (1, 1) / sqrt 2,
    // and the third, west, has s = -0.707.
    expect(
      cuts([
        source.turn('model', 130, EAST),
        source.turn('model', 10, NORTH),
        source.turn('model', 10, vec(-1, 0)),
      ]),
    ).toEqual([[], [], [2]]);
  });

  test('an episode that has reached L_max is cut whatever comes, even of one message', () => {
    const source = new TurnSource();
    expect(cuts([source.turn('user', 320, EAST), source.turn('model', 1, EAST)])).toEqual([[], [1]]);
    const below = new TurnSource();
    expect(cuts([below.turn('user', 319.8, EAST), below.turn('model', 1, EAST)])).toEqual([[], []]);
  });

  test('L_max looks at the episode before the turn is added, so an episode may end past it', () => {
    const source = new TurnSource();
    // 300 < 320, so the second is taken in (900 tokens now); the third is cut off.
    const turns = [300, 600, 5].map((tokens) => source.turn('model', tokens, EAST));
    expect(cuts(turns)).toEqual([[], [], [2]]);
  });

  test('only the four most recent turns of the episode make the centroid', () => {
    const source = new TurnSource();
    // North, then four times east. With four recent turns the centroid is east and s = 1;
    // with all five it were (4, 1) / sqrt 17 and s = 0.970 < 0.98.
    const turns = [NORTH, EAST, EAST, EAST, EAST, EAST].map((v) => source.turn('model', 30, v));
    const high = { threshold: 0.98, minTokens: 150 };
    expect(cuts(turns, high)[5]).toEqual([]);
    expect(cuts(turns, { ...high, recentWindow: 5 })[5]).toEqual([5]);
  });

  test('the centroid is the normalised mean, not the sum of cosines', () => {
    const source = new TurnSource();
    // Turns at 0 and 90 degrees: centroid at 45. A turn at 45 degrees has s = 1; the mean of its cosines is 0.707.
    const turns = [at(0), at(90), at(45)].map((v) => source.turn('model', 60, v));
    expect(cuts(turns, { threshold: 0.99 })[2]).toEqual([]);
  });

  test('the window does not reach behind the last cut', () => {
    const source = new TurnSource();
    // East east | north north north: the cut at 2 forgets east. Were east still in the window,
    // turn 4 (L = 120) would see (2, 2) / norm and have s = 0.707 < 0.72.
    const turns = [EAST, EAST, NORTH, NORTH, NORTH].map((v) => source.turn('model', 60, v));
    expect(cuts(turns, { threshold: 0.72 })).toEqual([[], [], [2], [], []]);
  });

  test('the speaker bonus counts only when a user turn follows a model turn', () => {
    // cos = 0.68: below 0.70 without the bonus of 0.03, above with it.
    const drifted = vec(0.68, Math.sqrt(1 - 0.68 ** 2));
    for (const [before, now, expected] of [
      ['model', 'user', []],
      ['user', 'user', [2]],
      ['user', 'model', [2]],
      ['model', 'model', [2]],
    ] as const) {
      const source = new TurnSource();
      const turns = [
        source.turn('user', 60, EAST),
        source.turn(before, 60, EAST),
        source.turn(now, 5, drifted),
      ];
      expect(cuts(turns)[2], `${before} then ${now}`).toEqual(expected);
    }
  });

  test('a similarity equal to the threshold is no drift', () => {
    const source = new TurnSource();
    const turns = [EAST, EAST, NORTH].map((v) => source.turn('model', 60, v));
    expect(cuts(turns, { threshold: 0 })[2]).toEqual([]);
  });

  test('a turn without a vector (erased) has similarity 0 and breaks nothing', () => {
    const source = new TurnSource();
    const turns = [EAST, EAST, vec(0, 0)].map((v) => source.turn('model', 60, v));
    expect(cuts(turns)[2]).toEqual([2]);
    const zeros = new TurnSource();
    const none = [0, 0, 0].map(() => zeros.turn('model', 30, vec(0, 0)));
    expect(cuts(none)).toEqual([[], [], []]);
  });
});
