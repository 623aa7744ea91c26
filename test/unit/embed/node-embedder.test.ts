import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { dot, norm } from '../../../src/core/vectors.ts';
import { createNodeEmbedder, SHIPPED_MODEL_DIR } from '../../../src/embed/node/node-embedder.ts';
import type { TransformersEmbedder } from '../../../src/embed/transformers/transformers-embedder.ts';

interface Reference {
  readonly text: string;
  readonly wordPieces: number;
  readonly vector: number[];
}

const references: Reference[] = JSON.parse(
  readFileSync(join(SHIPPED_MODEL_DIR, 'reference-vectors.json'), 'utf8'),
).texts;
const texts = references.map((r) => r.text);
const passage = { kind: 'passage' } as const;

let parts: TransformersEmbedder;
let cut: TransformersEmbedder;
beforeAll(async () => {
  parts = await createNodeEmbedder();
  cut = await createNodeEmbedder(undefined, { longTexts: 'cut', threads: 1 });
}, 60_000);

describe('the shipped model in Node', { timeout: 60_000 }, () => {
  test('gives the twelve reference vectors', async () => {
    const vectors = await cut.embed(texts, passage);
    expect(vectors).toHaveLength(12);
    vectors.forEach((vector, i) => {
      expect(dot(vector, Float32Array.from(references[i]!.vector)), texts[i]).toBeGreaterThan(0.999);
    });
  });

  test('gives the same bits alone, in a batch and in another order', async () => {
    const together = await parts.embed(texts, passage);
    const reversed = (await parts.embed([...texts, ...texts].reverse(), passage)).reverse();
    for (const [i, text] of texts.entries()) {
      const [alone] = await parts.embed([text], passage);
      expect(together[i], text).toEqual(alone);
      expect(reversed[i], text).toEqual(alone);
      expect(reversed[i + texts.length], text).toEqual(alone);
    }
  });

  test('embeds the end of a long text too, unless told to cut it', async () => {
    const filler = 'The quarterly report lists costs by month. '.repeat(60);
    const plain = await parts.embed([`${filler}`], passage);
    const ended = await parts.embed([`${filler} The spare key is under the blue flowerpot.`], passage);
    const question = (await parts.embed(['Where is the spare key?'], { kind: 'query' }))[0]!;
    expect(dot(ended[0]!, question)).toBeGreaterThan(dot(plain[0]!, question) + 0.01);
    expect(norm(ended[0]!)).toBeCloseTo(1, 5);

    const cutPlain = await cut.embed([filler], passage);
    const cutEnded = await cut.embed([`${filler} The spare key is under the blue flowerpot.`], passage);
    expect(cutEnded).toEqual(cutPlain);
  });

  test('stamps cut vectors so that they never mix with the others', () => {
    expect(parts.stamp).toEqual({ model: 'all-MiniLM-L6-v2', dtype: 'int8', dimension: 384 });
    expect(cut.stamp).toEqual({ ...parts.stamp, longTexts: 'cut' });
  });

  test('gives unit vectors for an empty text, white space and a lone surrogate', async () => {
    const [empty, space, lone, replaced] = await parts.embed(
      ['', ' \n\t', '\ud83d key', '\ufffd key'],
      passage,
    );
    expect(norm(empty!)).toBeCloseTo(1, 5);
    expect(space).toEqual(empty);
    expect(lone).toEqual(replaced);
  });

  test('counts finished texts and stops between batches', async () => {
    const counts: number[] = [];
    await parts.embed(['one', 'two words', 'three words here', ''], {
      ...passage,
      onProgress: (n) => counts.push(n),
    });
    expect(counts.at(-1)).toBe(4);
    expect(counts).toEqual([...counts].sort((a, b) => a - b));

    const controller = new AbortController();
    let seen = 0;
    const work = parts.embed(texts, {
      ...passage,
      signal: controller.signal,
      onProgress: (n) => {
        seen = n;
        controller.abort();
      },
    });
    await expect(work).rejects.toMatchObject({ code: 'aborted' });
    expect(seen).toBeLessThan(texts.length);
  });

  test('names the file that is missing and the models that there are', async () => {
    const missing = createNodeEmbedder('/nowhere/all-MiniLM-L6-v2');
    await expect(missing).rejects.toMatchObject({
      code: 'model-missing',
      message: expect.stringContaining('config.json'),
    });
    await expect(createNodeEmbedder('/nowhere/other')).rejects.toMatchObject({
      code: 'bad-argument',
      remedy: expect.stringContaining('all-MiniLM-L6-v2'),
    });
  });
});
