import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { embeddingModel } from '../../../src/embed/registry.ts';
import { planBatches, type Unit } from '../../../src/embed/transformers/batches.ts';
import { poolParts, poolRow } from '../../../src/embed/transformers/pooling.ts';
import { slices, splitIds } from '../../../src/embed/transformers/tokens.ts';
import { TransformersEmbedder } from '../../../src/embed/transformers/transformers-embedder.ts';
import { DIMENSION, FakeEncoder, fakeVector } from './fakes.ts';

const model = embeddingModel('all-MiniLM-L6-v2');
const passage = { kind: 'passage' } as const;

function adapter(encoder: FakeEncoder, lengthStep: number, name = model.name) {
  return new TransformersEmbedder(embeddingModel(name), encoder, {
    dtype: 'fp32',
    longTexts: 'parts',
    batching: { lengthStep, tokenBudget: 64, maxUnits: 4 },
  });
}

describe('splitting', () => {
  test('ends a run where a word ends, if one ends in its last quarter', () => {
    const startsWord = (id: number) => id === 1;
    expect(splitIds([1, 0, 0, 0, 0, 0, 0, 1, 0, 0], 8, startsWord)).toEqual([
      [1, 0, 0, 0, 0, 0, 0],
      [1, 0, 0],
    ]);
    expect(splitIds([1, 0, 0, 1, 0, 0, 0, 0, 0, 0], 8, startsWord)).toEqual([
      [1, 0, 0, 1, 0, 0, 0, 0],
      [0, 0],
    ]);
    expect(splitIds([], 8, startsWord)).toEqual([[]]);
  });

  test('loses nothing and keeps to the capacity', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(5)), fc.integer({ min: 1, max: 20 }), (ids, capacity) => {
        const runs = splitIds(ids, capacity, (id) => id === 1);
        expect(runs.flat()).toEqual(ids);
        for (const run of runs) expect(run.length).toBeLessThanOrEqual(capacity);
      }),
    );
  });

  test('slices of a text are the text, bounded, and split no surrogate pair', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', ' ', '\n', '🙂', 'é') }), (text) => {
        const all = [...slices(text, 8, 3)];
        expect(all.join('')).toBe(text);
        for (const slice of all) {
          expect(slice.length).toBeLessThanOrEqual(8);
          expect(slice.isWellFormed()).toBe(true);
        }
      }),
    );
  });
});

describe('batches', () => {
  const units = (lengths: number[]): Unit[] =>
    lengths.map((length, text) => ({ text, part: 0, ids: new Array(length).fill(7) }));

  test('hold equal lengths only, within the budget', () => {
    const rules = { lengthStep: 1, tokenBudget: 10, maxUnits: 3, window: 256 };
    const plan = planBatches(units([5, 2, 5, 2, 2, 2, 40, 5]), rules);
    expect(plan.map((b) => [b.columns, b.units.map((u) => u.text)])).toEqual([
      [2, [1, 3, 4]],
      [2, [5]],
      [5, [0, 2]],
      [5, [7]],
      [40, [6]],
    ]);
  });

  test('pad by own length alone, never past the window', () => {
    const rules = { lengthStep: 16, tokenBudget: 1000, maxUnits: 9, window: 250 };
    const plan = planBatches(units([3, 16, 17, 249]), rules);
    expect(plan.map((b) => [b.columns, b.units.length])).toEqual([
      [16, 2],
      [32, 1],
      [250, 1],
    ]);
  });
});

describe('pooling', () => {
  test('takes the mean of the tokens that are no padding, or the first token', () => {
    const states = Float32Array.of(9, 9, 9, 9, 9, 9, /* row 1 */ 3, 0, 0, 4, 50, 50);
    expect(poolRow(states, 1, 3, 2, 2, 'mean')).toEqual(Float32Array.of(0.6, 0.8));
    expect(poolRow(states, 1, 3, 2, 2, 'cls')).toEqual(Float32Array.of(1, 0));
  });

  test('weighs parts by their tokens', () => {
    const parts = [Float32Array.of(1, 0), Float32Array.of(0, 1)];
    expect(poolParts(parts, [3, 4])).toEqual(Float32Array.of(0.6, 0.8));
    expect(poolParts(parts.slice(0, 1), [3])).toBe(parts[0]);
  });
});

describe('the adapter', () => {
  test.each([1, 16])('gives results in input order whatever the batches (length step %i)', async (step) => {
    const texts = ['abc', '', 'a', 'abcdefgh'.repeat(9), 'cba', 'zz zz'];
    const vectors = await adapter(new FakeEncoder(), step).embed(texts, passage);
    expect(vectors).toEqual(texts.map(fakeVector));
  });

  test('embeds a long text in parts whose tokens are all of it', async () => {
    const encoder = new FakeEncoder();
    // 254 tokens fit beside the two special ones; `b` (id 18) begins words, `a` (id 17) does not.
    await adapter(encoder, 1).embed(['b'.repeat(254 * 2 + 10)], passage);
    expect(encoder.shapes).toEqual([
      [1, 12],
      [1, 256],
      [1, 256],
    ]);
  });

  test('counts a long text by its finished parts', async () => {
    const counts: number[] = [];
    await adapter(new FakeEncoder(), 1).embed(['b'.repeat(254 * 3 + 10), 'c'], {
      ...passage,
      onProgress: (n) => counts.push(n),
    });
    expect(counts).toEqual([1, 1.25, 1.5, 1.75, 2]);
  });

  test('puts the prefix of the kind before every part', async () => {
    const encoder = new FakeEncoder();
    const e5 = adapter(encoder, 1, 'multilingual-e5-small');
    const [query] = await e5.embed(['abc'], { kind: 'query' });
    const [asPassage] = await e5.embed(['abc'], { kind: 'passage' });
    expect(query).toEqual(fakeVector('query: abc'));
    expect(asPassage).toEqual(fakeVector('passage: abc'));
    encoder.shapes.length = 0;
    // "passage:" is 8 tokens here: 512 - 2 - 8 = 502 tokens of text a part.
    await e5.embed(['b'.repeat(502 + 1)], { kind: 'passage' });
    expect(encoder.shapes).toEqual([
      [1, 11],
      [1, 512],
    ]);
  });

  test('says so when a model gives another dimension', async () => {
    const wrong = new FakeEncoder();
    wrong.run = async (_ids, _mask, rows, columns) => new Float32Array(rows * columns * (DIMENSION - 1));
    await expect(adapter(wrong, 1).embed(['a'], passage)).rejects.toMatchObject({ code: 'model-broken' });
  });
});

describe('token vectors', () => {
  test('are those of the text alone, in order, each of length 1', async () => {
    const embedder = adapter(new FakeEncoder(), 8);
    const [ab, none] = await embedder.embedTokens(['ab', ''], passage);
    // FakeEncoder's letter is 10 + its code mod 90: a 17, b 18.
    const rows = new Float32Array(2 * DIMENSION);
    rows[17] = 1;
    rows[DIMENSION + 18] = 1;
    expect(ab).toEqual(rows);
    expect(none).toHaveLength(0);
  });

  test('of a text longer than the window come from all its parts', async () => {
    const embedder = adapter(new FakeEncoder(), 1);
    const [rows] = await embedder.embedTokens(['ab'.repeat(200)], passage);
    expect(rows).toHaveLength(400 * DIMENSION);
    const places = Array.from({ length: 400 }, (_, i) => rows!.indexOf(1, i * DIMENSION) - i * DIMENSION);
    expect(places).toEqual(Array.from({ length: 400 }, (_, i) => (i % 2 === 0 ? 17 : 18)));
  });

  test('leave the prefix out', async () => {
    const embedder = adapter(new FakeEncoder(), 1, 'multilingual-e5-small');
    const [rows] = await embedder.embedTokens(['ab'], passage);
    expect(rows).toHaveLength(2 * DIMENSION);
    expect(rows![17]).toBe(1);
  });
});
