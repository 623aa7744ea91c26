import { describe, expect, test } from 'vitest';
import type { Role } from '../../../src/core/turn.ts';
import { charGrams } from '../../../src/index/analyzers.ts';
import { Bm25Index } from '../../../src/index/bm25.ts';
import { type CohesionSegmentation, CohesionSegmenter } from '../../../src/memory/cohesion-segmenter.ts';
import { SKEIN } from '../../../src/memory/configurations.ts';
import type { SegmenterTurn } from '../../../src/memory/segmenter.ts';
import { vec } from './support.ts';

const OWN = SKEIN.segmentation as CohesionSegmentation;
const EAST = vec(1, 0);
const NORTH = vec(0, 1);

/** A turn as a test writes it: who, tokens, vector, words. */
type Row = readonly [who: 'u' | 'm', tokens: number, vector: Float32Array, text?: string];

/** The cuts after each push; grams are counted as the memory counts them, after the push. */
function cuts(rows: readonly Row[], constants: Partial<CohesionSegmentation> = {}): number[][] {
  const grams = new Bm25Index((text) => charGrams(text));
  const segmenter = new CohesionSegmenter({ ...OWN, ...constants }, grams);
  return rows.map(([who, tokens, vector, text = ''], index) => {
    const role: Role = who === 'u' ? 'user' : 'model';
    const turn: SegmenterTurn = { index, role, text, tokens, vector };
    const found = segmenter.push(turn);
    grams.set(index, text);
    return found;
  });
}

/** Exchanges of which each has cosine s with the turn before it. */
function exchanges(similarities: readonly number[], tokens: number): Row[] {
  let angle = 0;
  return [1, ...similarities].flatMap((s): Row[] => {
    angle += Math.acos(s);
    const vector = vec(Math.cos(angle), Math.sin(angle));
    return [
      ['u', tokens, vector],
      ['m', tokens, vector],
    ];
  });
}

/** Compares with the one turn before, by meaning alone. */
const PLAIN = { contextTurns: 1, lexicalWeight: 0 };
const NO_LIMIT = Number.POSITIVE_INFINITY;

describe('cohesion segmentation (skein): what is judged', () => {
  test('an exchange unlike the turns before opens an episode, one turn late', () => {
    // s = cos(north, east) = 0 < 0.15 and 120 tokens stand before it.
    expect(
      cuts([
        ['u', 60, EAST],
        ['m', 60, EAST],
        ['u', 60, NORTH],
        ['m', 60, NORTH],
      ]),
    ).toEqual([[], [], [], [2]]);
  });

  test('needs 120 tokens before the cut', () => {
    const rows = (tokens: number): Row[] => [
      ['u', tokens, EAST],
      ['m', 60, EAST],
      ['u', 60, NORTH],
      ['m', 60, NORTH],
    ];
    expect(cuts(rows(59.9))[3]).toEqual([]);
    expect(cuts(rows(60))[3]).toEqual([2]);
  });

  test('a model turn opens no episode', () => {
    // The reply of turn 1 is north; then the exchange of 3 and 4 has s = cos(north, (2, 1)) = 0.447 > 0.15.
    expect(
      cuts([
        ['u', 60, EAST],
        ['m', 60, EAST],
        ['m', 60, NORTH],
        ['u', 10, NORTH],
        ['m', 10, NORTH],
      ]).flat(),
    ).toEqual([]);
  });

  test('the reply speaks for its question', () => {
    // Question north, reply east: the exchange is (1, 1) / sqrt 2 and s = 0.707.
    expect(
      cuts([
        ['u', 60, EAST],
        ['m', 60, EAST],
        ['u', 60, NORTH],
        ['m', 60, EAST],
      ]).flat(),
    ).toEqual([]);
  });

  test('a user turn without a reply is judged alone when the next user turn comes', () => {
    expect(
      cuts([
        ['u', 60, EAST],
        ['m', 60, EAST],
        ['u', 10, NORTH],
        ['u', 10, EAST],
      ]),
    ).toEqual([[], [], [], [2]]);
  });

  test('the four turns before count, also those of the episode before', () => {
    // After the cut at 2, the exchange of 4 and 5 is compared with two turns east and two north: s = 0.707.
    const rows: Row[] = [
      ['u', 60, EAST],
      ['m', 60, EAST],
      ['u', 60, NORTH],
      ['m', 60, NORTH],
      ['u', 10, EAST],
      ['m', 10, EAST],
    ];
    expect(cuts(rows).flat()).toEqual([2]);
    // Two more turns north, and the four before are all north: s = 0.
    expect(cuts([...rows.slice(0, 4), ['u', 10, NORTH], ['m', 10, NORTH], ...rows.slice(4)]).flat()).toEqual([
      2, 6,
    ]);
  });
});

describe('cohesion segmentation (skein): shared words', () => {
  test('half the shared share of the idf mass is added, idf from the turns before the exchange', () => {
    // Two turns before, both with "alfa": idf(alfa) = ln(1 + 0.5 / 2.5) = 0.18232,
    // idf(gama) = ln(1 + 2.5 / 0.5) = 1.79176. overlap = 0.18232 / 1.97408 = 0.09236; s = 0 + 0.04618.
    const rows: Row[] = [
      ['u', 60, EAST, 'alfa beta'],
      ['m', 60, EAST, 'alfa'],
      ['u', 60, NORTH, 'alfa'],
      ['m', 60, NORTH, 'gama'],
    ];
    expect(cuts(rows, { initialThreshold: 0.046 })[3]).toEqual([]);
    expect(cuts(rows, { initialThreshold: 0.0465 })[3]).toEqual([2]);
  });

  test('a gram counts once, however often it stands there', () => {
    const rows: Row[] = [
      ['u', 60, EAST, 'alfa beta'],
      ['m', 60, EAST, 'alfa'],
      ['u', 60, NORTH, 'alfa alfa alfa'],
      ['m', 60, NORTH, 'gama gama'],
    ];
    expect(cuts(rows, { initialThreshold: 0.046 })[3]).toEqual([]);
    expect(cuts(rows, { initialThreshold: 0.0465 })[3]).toEqual([2]);
  });

  test('grams are four characters inside words', () => {
    // "tables" gives tabl, able, bles; "cable" gives cabl, able. Of the exchange's grams able is shared.
    // One turn of two holds each known gram: idf(able) = ln(1 + 1.5 / 1.5) = 0.69315, idf(cabl) = ln 6 = 1.79176.
    // overlap = 0.27894, s = 0.13947.
    const rows: Row[] = [
      ['u', 60, EAST, 'tables'],
      ['m', 60, EAST],
      ['u', 60, NORTH, 'cable'],
      ['m', 60, NORTH],
    ];
    expect(cuts(rows, { initialThreshold: 0.139 })[3]).toEqual([]);
    expect(cuts(rows, { initialThreshold: 0.14 })[3]).toEqual([2]);
  });

  test('only the eight turns before are looked at', () => {
    const rows = (between: number): Row[] => [
      ['u', 60, EAST, 'alfa'],
      ...Array.from({ length: between }, (_, i): Row => [i % 2 === 0 ? 'm' : 'u', 10, EAST]),
      ['u', 10, NORTH, 'alfa'],
      ['m', 10, NORTH],
    ];
    const long = { minTokens: 60 };
    // Turn 8 sees turns 0 to 7: s = 0 + 0.5. Turn 10 sees turns 2 to 9: s = 0.
    expect(cuts(rows(7), long).flat()).toEqual([]);
    expect(cuts(rows(9), long).flat()).toEqual([10]);
  });
});

describe('cohesion segmentation (skein): the running threshold', () => {
  // Eight exchanges with s = 0.9 and 0.7 in turn: mean 0.8, deviation 0.1, theta = 0.8 - 1.4 x 0.1 = 0.66.
  const EIGHT = [0.9, 0.7, 0.9, 0.7, 0.9, 0.7, 0.9, 0.7];
  const constants = { ...PLAIN, maxTokens: NO_LIMIT };

  test('is mean - 1.4 deviations of the exchanges before, once eight were judged', () => {
    expect(cuts(exchanges([...EIGHT, 0.665], 60), constants).flat()).toEqual([]);
    expect(cuts(exchanges([...EIGHT, 0.655], 60), constants).flat()).toEqual([18]);
  });

  test('is 0.15 until then', () => {
    const seven = EIGHT.slice(0, 7);
    expect(cuts(exchanges([...seven, 0.16], 60), constants).flat()).toEqual([]);
    expect(cuts(exchanges([...seven, 0.14], 60), constants).flat()).toEqual([16]);
  });

  test('learns from every exchange, whether it was a boundary or not', () => {
    // After 0.2 (a boundary) the nine have mean 0.733333, deviation 0.210819: theta = 0.438187.
    expect(cuts(exchanges([...EIGHT, 0.2, 0.445], 60), constants).flat()).toEqual([18]);
    expect(cuts(exchanges([...EIGHT, 0.2, 0.43], 60), constants).flat()).toEqual([18, 20]);
  });
});

describe('cohesion segmentation (skein): long episodes', () => {
  const never = { ...PLAIN, initialThreshold: -2, warmUpTurns: NO_LIMIT };

  test('an episode that would pass 320 tokens is cut at its weakest inner boundary', () => {
    // Exchanges of 60 tokens (the first two turns: 120). Boundaries at 2, 4, 6, 8 with s = 0.8, 0.5, 0.7, 0.9 and
    // 120, 180, 240, 300 tokens before them; turn 9 would make it 360.
    const rows = exchanges([0.8, 0.5, 0.7, 0.9], 30);
    rows[0] = ['u', 60, rows[0]![2]];
    rows[1] = ['m', 60, rows[1]![2]];
    const first = cuts(rows, never);
    expect(first.flat()).toEqual([4]);
    expect(first[9]).toEqual([4]);
  });

  test('a boundary with less than 120 tokens before it is passed over', () => {
    // As above, and on: the episode from 4 holds boundaries at 6 (s = 0.7, only 60 tokens before), 8 (0.9, 120),
    // 10 (0.95), 12 (0.96) and 14 (0.97), and would pass 320 with turn 15 (360).
    const rows = exchanges([0.8, 0.5, 0.7, 0.9, 0.95, 0.96, 0.97], 30);
    rows[0] = ['u', 60, rows[0]![2]];
    rows[1] = ['m', 60, rows[1]![2]];
    const found = cuts(rows, never);
    expect(found[9]).toEqual([4]);
    expect(found[15]).toEqual([8]);
    expect(found.flat()).toEqual([4, 8]);
  });

  test('320 tokens exactly do not pass', () => {
    const rows = (last: number): Row[] => [
      ['u', 60, EAST],
      ['m', 60, EAST],
      ['u', 100, EAST],
      ['m', last, EAST],
    ];
    expect(cuts(rows(100), never).flat()).toEqual([]);
    expect(cuts(rows(101), never).flat()).toEqual([2]);
  });

  test('several model turns in a row do not put the cut off', () => {
    // 270 tokens before turn 5, 330 with it.
    const rows: Row[] = [
      ['u', 60, EAST],
      ['m', 60, EAST],
      ['u', 30, EAST],
      ['m', 60, EAST],
      ['m', 60, EAST],
      ['m', 60, EAST],
    ];
    expect(cuts(rows, never)).toEqual([[], [], [], [], [], [2]]);
  });

  test('a giant reply is one cut, and a boundary behind it another', () => {
    const rows: Row[] = [
      ['u', 60, EAST],
      ['m', 60, EAST],
      ['u', 10, EAST],
      ['m', 5000, EAST],
      ['u', 10, EAST],
      ['m', 10, EAST],
    ];
    expect(cuts(rows, never)).toEqual([[], [], [], [2], [], [4]]);
  });

  test('users alone are cut at their weakest turn', () => {
    // Turn 3 is settled when turn 4 comes: 400 tokens. Boundaries at 2 (s = 0.6, 200 before) and 3 (s = 0.9).
    const angles = [0, 0, Math.acos(0.6), Math.acos(0.6) + Math.acos(0.9), 0];
    const rows = angles.map((a): Row => ['u', 100, vec(Math.cos(a), Math.sin(a))]);
    expect(cuts(rows, never)).toEqual([[], [], [], [], [2]]);
  });

  test('a model alone, without any boundary, is cut when the episode is full', () => {
    const rows = Array.from({ length: 9 }, (): Row => ['m', 100, EAST]);
    // 400 >= 320 before turns 4 and 8.
    expect(cuts(rows, never).flat()).toEqual([4, 8]);
  });
});

test('a segmenter that was stored and brought back cuts as if it had gone on', () => {
  const similarities = [0.9, 0.7, 0.3, 0.9, 0.6, 0.9, 0.7, 0.9, 0.2, 0.9, 0.8, 0.4, 0.9];
  const turns = exchanges(similarities, 40).map(
    ([who, tokens, vector], index): SegmenterTurn => ({
      index,
      role: who === 'u' ? 'user' : 'model',
      text: `word${index % 5} other${index}`,
      tokens,
      vector,
    }),
  );
  const grams = new Bm25Index((text) => charGrams(text));
  let segmenter = new CohesionSegmenter(OWN, grams);
  let openStart = 0;
  const whole: number[] = [];
  const restored: number[] = [];
  for (const turn of turns) {
    const cut = segmenter.push(turn);
    whole.push(...cut);
    grams.set(turn.index, turn.text);
  }
  const again = new Bm25Index((text) => charGrams(text));
  segmenter = new CohesionSegmenter(OWN, again);
  for (const turn of turns) {
    const cut = segmenter.push(turn);
    restored.push(...cut);
    again.set(turn.index, turn.text);
    openStart = cut.at(-1) ?? openStart;
    const state = JSON.parse(JSON.stringify(segmenter.state()));
    const first = Math.max(0, Math.min(openStart, turn.index + 1 - 16));
    segmenter = new CohesionSegmenter(OWN, again, {
      state,
      openStart,
      turns: turns.slice(first, turn.index + 1),
    });
  }
  expect(whole.length).toBeGreaterThan(2);
  expect(restored).toEqual(whole);
});
