import { describe, expect, test } from 'vitest';
import { CORE_TOKENS, type CoreEditor, patternEditor } from '../../../src/systems/core-memory.ts';
import { HippoRag } from '../../../src/systems/hipporag.ts';
import { MemGpt } from '../../../src/systems/memgpt.ts';
import { PhraseGraph } from '../../../src/systems/phrase-graph.ts';
import { phraseExtractor } from '../../../src/systems/phrases.ts';
import { Raptor } from '../../../src/systems/raptor.ts';
import { treeSize } from '../../../src/systems/raptor-tree.ts';
import { sentences } from '../../../src/systems/sentences.ts';
import { softClusters } from '../../../src/systems/soft-clusters.ts';
import { extractiveSummariser } from '../../../src/systems/summariser.ts';
import { alternating, filler, rangesOf, ToyEmbedder, toyVector, turns } from './support.ts';

describe('RAPTOR', () => {
  const constants = { size: 2, roughAbove: 100, steps: 10, threshold: 0.1, temperature: 0.05, seed: 1 };

  test('clusters what is alike; what lies between belongs to both', () => {
    const apple = toyVector('apple');
    const boat = toyVector('boat');
    expect(softClusters([apple, boat, apple, boat], constants).sort()).toEqual([
      [0, 2],
      [1, 3],
    ]);
    const between = toyVector('apple boat');
    // The cosines with the two centroids are about 0.83 and 0.71, so the probabilities 0.77 and 0.23; an apple's
    // are 0.98 and 0.
    const clusters = softClusters([apple, apple, apple, boat, boat, boat, between], {
      ...constants,
      size: 4,
      temperature: 0.1,
    });
    expect(clusters.sort()).toEqual([
      [0, 1, 2, 6],
      [3, 4, 5, 6],
    ]);
  });

  test('puts every item somewhere, in rough groups too, and the same for the same seed', () => {
    const words = ['apple', 'boat', 'cat', 'drum', 'egg'];
    const vectors = Array.from({ length: 60 }, (_, i) => toyVector(`${words[i % 5]} ${words[(i * 3) % 5]}`));
    const rough = { ...constants, roughAbove: 10 };
    const clusters = softClusters(vectors, rough);
    expect(new Set(clusters.flat()).size).toBe(60);
    expect(softClusters(vectors, rough)).toEqual(clusters);
    expect(softClusters([], constants)).toEqual([]);
  });

  test('a tree stands on the largest size of a fixed row', () => {
    expect([0, 1, 2, 10, 49].map((leaves) => treeSize(leaves, 1.02))).toEqual([0, 1, 2, 10, 49]);
    // From 50 on, each is 2% larger than the one before, rounded down, and at least one larger.
    expect(treeSize(100, 1.02)).toBe(100);
    expect(treeSize(101, 1.02)).toBe(100);
    expect(treeSize(102, 1.02)).toBe(102);
  });

  test('summarises by the sentences whose words are used most, once each, in their order', async () => {
    const texts = ['The cat sat by the door. It rained.', 'The cat likes the door. The cat sat by the door.'];
    // Sentences: cat sat door; rained; cat likes door. Weights: cat 2/7, door 2/7, sat, likes, rained 1/7.
    // Means: 5/21, 1/7, 5/21: the first wins, cat and door sink to 4/49: rained 1/7, then cat likes door.
    expect(await extractiveSummariser.summarise(texts, 11)).toBe('The cat sat by the door. It rained.');
    expect(await extractiveSummariser.summarise(texts, 100)).toBe(
      'The cat sat by the door. It rained. The cat likes the door.',
    );
    expect(await extractiveSummariser.summarise([], 100)).toBe('');
  });

  test('finds leaves and summaries in one search, and grows with the thread', async () => {
    const system = new Raptor({ embedder: new ToyEmbedder() });
    // 24 leaves, a turn of 90 words each; more than ten, so that summaries stand above them.
    const words = ['apple', 'boat', 'cat', 'drum'];
    const texts = Array.from({ length: 24 }, (_, i) => `the ${words[i % 4]} ${filler(88)}.`);
    await system.append(alternating(...texts));
    const found = await system.retrieve('drum');
    expect(found.units[0]!.score).toBeCloseTo(1, 6);
    const summaries = found.units.filter(({ text }) => text !== undefined);
    expect(summaries.length).toBeGreaterThan(0);
    expect(summaries.every(({ parts }) => parts!.layer! >= 1)).toBe(true);
    const tokens = found.context.filter(({ kind }) => kind === 'turns');
    // The cap of 790 takes six leaves of 117 tokens at most.
    expect(
      tokens.reduce((sum, part) => sum + (part.kind === 'turns' ? part.end - part.start : 0), 0),
    ).toBeLessThan(7);
    await system.append(alternating('egg'));
    expect((await system.retrieve('egg')).units[0]!.ranges).toEqual([[23, 25]]);
  });
});

describe('MemGPT', () => {
  test('core memory keeps what people say of themselves, the newest within its limit', async () => {
    const facts = await patternEditor.edit(
      [],
      [
        { role: 'user', text: 'My name is Ada. The sky is blue.' },
        { role: 'model', text: 'I am a model.' },
        { role: 'user', text: "I'm allergic to nuts" },
        { role: 'user', text: 'My name is Ada.' },
      ],
    );
    expect(facts).toEqual(["I'm allergic to nuts", 'My name is Ada.']);
    const long = `I live ${filler(Math.floor(CORE_TOKENS / 1.3) - 4)}.`;
    expect(await patternEditor.edit(facts, [{ role: 'user', text: long }])).toEqual([long]);
  });

  test('the prompt holds core memory, the latest messages, passages and recalled messages', async () => {
    const system = new MemGpt({ embedder: new ToyEmbedder() });
    // Twenty turns of 90 words (117 tokens): passages of two, a queue of two.
    const texts = Array.from({ length: 20 }, (_, i) => `turn${i} ${filler(89)}`);
    texts[4] = `drum ${filler(89)}`;
    texts[0] = `My name is Ada. So ${filler(85)}`;
    await system.append(alternating(...texts));
    const found = await system.retrieve('drum');
    // First page: the passages by vector, then the messages that hold the word, two around.
    expect(rangesOf(found)[0]).toEqual([[4, 6]]);
    expect(found.units[3]).toMatchObject({ ranges: [[2, 7]], parts: { recall: expect.any(Number) } });
    expect(found.context[0]).toEqual({ kind: 'text', text: 'My name is Ada.' });
    const shown = found.context.flatMap((part) => (part.kind === 'turns' ? [[part.start, part.end]] : []));
    expect(shown.at(-1)).toEqual([18, 20]);
    const total = shown.reduce((sum, [start, end]) => sum + (end! - start!), 0);
    expect(total * 117).toBeLessThanOrEqual(2300);
    expect(total).toBeGreaterThan(15);
  });

  test('takes another editor, which sees the turns in order', async () => {
    const seen: string[] = [];
    const editor: CoreEditor = {
      async edit(_, [turn]) {
        seen.push(turn!.text);
        return [turn!.text];
      },
    };
    const system = new MemGpt({ embedder: new ToyEmbedder() }, editor);
    await system.append(alternating('apple', 'boat'));
    await system.append(alternating('cat'));
    expect(seen).toEqual(['apple', 'boat', 'cat']);
    expect((await system.retrieve('egg')).context).toEqual([{ kind: 'text', text: 'cat' }, turns(0, 3)]);
  });
});

describe('HippoRAG', () => {
  test('extracts entities and noun phrases', async () => {
    const [found] = await phraseExtractor.extract(["Bertil's first-years dipped the lily pools on 6 May."]);
    expect(found).toEqual(
      expect.arrayContaining(
        ['bertil', 'first-year', 'lily', 'pool', 'lily pool', '6', 'may'].filter((w) => w !== 'may'),
      ),
    );
    expect(found).not.toContain('the');
    expect((await phraseExtractor.extract(['']))[0]).toEqual([]);
  });

  test('personalised PageRank, two steps by hand', () => {
    const graph = new PhraseGraph();
    graph.addTurn(['a', 'b']);
    graph.addTurn(['b', 'c']);
    graph.addTurn([]);
    expect(graph.specificity('b')).toBe(0.5);
    // Start: a 1. Step 1: turn 0 takes 1 of a, gives 0.5 x 1 / 2 to each: a 0.75, b 0.25.
    // Step 2: turn 0 takes 0.75 + 0.125, gives 0.21875; turn 1 takes 0.125, gives 0.03125:
    // a 0.71875, b 0.25, c 0.03125. Turns: 0.96875, 0.28125, 0.
    const ranks = graph.rankTurns(['a', 'unknown'], 0.5, 2)!;
    expect([...ranks]).toEqual([0.96875, 0.28125, 0]);
    expect(graph.rankTurns(['unknown'], 0.5, 2)).toBeUndefined();
  });

  test('reaches a passage that shares no name with the question', async () => {
    const system = new HippoRag({ embedder: new ToyEmbedder() });
    // Passages of a turn of 100 words (130 tokens).
    const texts = ['Ullsmere employs Bertil', 'Bertil waters tomatoes', 'Nora waters nothing', 'rain'];
    await system.append(alternating(...texts.map((text) => `${text}. ${filler(97)}`)));
    const found = await system.retrieve('What grows at Ullsmere?');
    expect(rangesOf(found).slice(0, 3)).toEqual([[[0, 1]], [[1, 2]], [[2, 3]]]);
    expect(found.units[1]!.score).toBeGreaterThan(found.units[2]!.score);
    expect(found.units[3]!.score).toBe(0);
  });

  test('falls back on vectors when the graph knows nothing of the question', async () => {
    const system = new HippoRag({ embedder: new ToyEmbedder() });
    await system.append(alternating(`apples ${filler(99)}`, `an egg ${filler(98)}`));
    // "egg" is known; an embedder also knows what no phrase of the graph says.
    const found = await system.retrieve('the so so');
    expect(found.units).toHaveLength(2);
  });
});

test('sentences are cut where they end and kept as written', () => {
  expect(sentences('It rains.  Does it? Yes!\nNo')).toEqual(['It rains.', 'Does it?', 'Yes!', 'No']);
  expect(sentences(' ')).toEqual([]);
});
