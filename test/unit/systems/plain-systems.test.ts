import { describe, expect, test } from 'vitest';
import { ControlC } from '../../../src/systems/control-c.ts';
import { DenseWindows, LexicalWindows } from '../../../src/systems/fixed-window.ts';
import { FullContext } from '../../../src/systems/full-context.ts';
import { HybridRerank } from '../../../src/systems/hybrid-rerank.ts';
import { HybridRrf } from '../../../src/systems/hybrid-rrf.ts';
import { StandardRag } from '../../../src/systems/standard-rag.ts';
import type { MemorySystem, SystemPorts } from '../../../src/systems/system.ts';
import { alternating, filler, rangesOf, ToyEmbedder, turns } from './support.ts';

async function systemOf(create: (ports: SystemPorts) => MemorySystem, ...texts: string[]) {
  const system = create({ embedder: new ToyEmbedder() });
  await system.append(alternating(...texts));
  return system;
}

test('Standard RAG takes the five turns with the best cosines', async () => {
  const texts = ['apple', 'boat', 'apple boat', 'cat', 'apple apple boat', 'drum', 'egg', 'fox'];
  const system = await systemOf((ports) => new StandardRag(ports), ...texts);
  const found = await system.retrieve('apple');
  // 1, 2 / sqrt 5 = 0.894, 1 / sqrt 2 = 0.707, then zeros by age.
  expect(rangesOf(found).slice(0, 3)).toEqual([[[0, 1]], [[4, 5]], [[2, 3]]]);
  expect(found.units.map(({ score }) => score)[1]).toBeCloseTo(2 / Math.sqrt(5), 6);
  expect(found.units).toHaveLength(8);
  expect(found.context).toEqual([turns(0, 5)]);
});

describe('fixed windows', () => {
  // Windows of 26 tokens: two turns of ten words each.
  const texts = [
    `apple ${filler(9)}`,
    `boat ${filler(9)}`,
    `cat ${filler(9)}`,
    `cat ${filler(9)}`,
    `drum ${filler(9)}`,
    `apple ${filler(9)}`,
  ];

  test('by vectors', async () => {
    const system = await systemOf((ports) => new DenseWindows(ports, 26), ...texts);
    const found = await system.retrieve('cat');
    expect(rangesOf(found)).toEqual([[[2, 4]], [[0, 2]], [[4, 6]]]);
    expect(found.units[0]!.score).toBeCloseTo(1, 6);
    expect(system.index!().map(({ ranges }) => ranges)).toEqual([[[0, 2]], [[2, 4]], [[4, 6]]]);
  });

  test('by BM25, where the rarer word decides', async () => {
    const system = await systemOf((ports) => new LexicalWindows(ports, 26), ...texts);
    const found = await system.retrieve('apple drum');
    expect(rangesOf(found)).toEqual([[[4, 6]], [[0, 2]], [[2, 4]]]);
    // Three windows of 20 words: a rare word's idf is ln(1 + 2.5 / 1.5), a word in two windows' ln(1 + 1.5 / 2.5).
    expect(found.units[0]!.score).toBeCloseTo(Math.log(1 + 2.5 / 1.5) + Math.log(1 + 1.5 / 2.5), 6);
    expect(found.units[1]!.score).toBeCloseTo(Math.log(1 + 1.5 / 2.5), 6);
    expect(found.units[2]!.score).toBe(0);
  });

  test('a part of a giant turn is given as its text', async () => {
    const giant = `${filler(20)} ${filler(19)} drum`;
    const system = await systemOf((ports) => new LexicalWindows(ports, 26), 'apple', giant, 'boat');
    const found = await system.retrieve('drum');
    expect(found.units[0]).toMatchObject({ ranges: [], text: `${filler(19)} drum` });
    expect(found.context).toContainEqual({ kind: 'text', text: `${filler(19)} drum` });
  });
});

describe('Full Context', () => {
  test('is the whole thread where it fits', async () => {
    const system = await systemOf((ports) => new FullContext(ports, 100), filler(10), filler(10));
    const found = await system.retrieve('so?');
    expect(found).toEqual({
      units: [{ ranges: [[0, 2]], score: 1, parts: { share: 1 } }],
      context: [turns(0, 2)],
    });
  });

  test('keeps the most recent turns where it does not, and tells their share', async () => {
    const system = await systemOf((ports) => new FullContext(ports, 30), filler(20), filler(10), filler(10));
    const found = await system.retrieve('so?');
    expect(found.context).toEqual([turns(1, 3)]);
    expect(found.units[0]!.parts!.share).toBeCloseTo(0.5);
  });
});

describe('Hybrid-RRF', () => {
  // Seven windows, a turn of 190 words (247 tokens) each; the cap of 1,200 takes four, and leaves 212.
  const texts = ['apple', 'boat', 'cat', 'drum', 'egg', 'fox', 'goat'].map(
    (word) => `${word} ${filler(189)}`,
  );

  test('fuses both rankings: what both know comes first', async () => {
    const system = await systemOf((ports) => new HybridRrf(ports), ...texts);
    const found = await system.retrieve('drum');
    expect(rangesOf(found)[0]).toEqual([[3, 4]]);
    expect(found.units[0]!.score).toBeCloseTo(2 / 61, 12);
    expect(found.units[1]!.score).toBeCloseTo(1 / 62, 12);
  });

  test('packs windows under the cap, then neighbouring turns', async () => {
    const short = [...texts.slice(0, 4), 'egg yes', ...texts.slice(5)];
    const system = await systemOf((ports) => new HybridRrf(ports), ...short);
    const found = await system.retrieve('drum');
    // Window [3, 5) of 249.6 tokens; the others tie and come by age: 0, 1, 2. Nothing else fits.
    expect(rangesOf(found)[0]).toEqual([[3, 5]]);
    expect(found.context).toEqual([turns(0, 5)]);
    const near = await systemOf(
      (ports) => new HybridRrf(ports),
      ...texts.slice(0, 3),
      `drum ${filler(189)}`,
      `cat ${filler(10)}`,
      ...texts.slice(5),
    );
    // The turn behind window [3, 4) has 14.3 tokens and is a window with nothing else: a neighbour that fits.
    expect((await near.retrieve('drum')).context).toEqual([turns(0, 5)]);
  });
});

test('Hybrid-Rerank widens the best windows and packs them', async () => {
  // Windows of one turn of 90 words (117 tokens); a parent is three of them, 351 tokens; the cap takes eight or so.
  const words = ['apple', 'boat', 'cat', 'drum', 'egg', 'fox', 'goat'];
  const texts = [...words, ...words, ...words, ...words, ...words].map((word) => `${word} ${filler(89)}`);
  texts[17] = `drum fox ${filler(88)}`;
  const system = await systemOf((ports) => new HybridRerank(ports), ...texts);
  const found = await system.retrieve('drum fox');
  expect(rangesOf(found)[0]).toEqual([[16, 19]]);
  expect(found.units[0]!.score).toBeCloseTo(1, 6);
  const held = found.context.reduce(
    (sum, part) => sum + (part.kind === 'turns' ? part.end - part.start : 0),
    0,
  );
  // 3,000 / 117 = 25.6
  expect(held).toBeGreaterThan(20);
  expect(held).toBeLessThanOrEqual(25);
});

test('control C ranks overlapping windows as Skein ranks episodes', async () => {
  // Turns of 50 words (65 tokens): a window opens at every second turn and holds three.
  const texts = ['apple', 'boat', 'cat', 'drum', 'egg', 'fox'].map((word) => `${word} ${filler(49)}`);
  const system = await systemOf((ports) => new ControlC(ports), ...texts);
  expect(system.index!().map(({ ranges }) => ranges)).toEqual([[[0, 3]], [[2, 5]], [[4, 6]]]);
  const found = await system.retrieve('drum');
  expect(rangesOf(found)[0]).toEqual([[2, 5]]);
  // One of three windows has the word: z is 2 / sqrt 2 in every signal, so the score is that too.
  expect(found.units[0]!.score).toBeCloseTo(Math.SQRT2, 6);
  expect(Object.keys(found.units[0]!.parts!)).toEqual(['episode', 'closest turn', 'words', 'grams']);
  expect(found.context).toEqual([turns(0, 6)]);
});
