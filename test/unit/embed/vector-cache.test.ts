import { mkdtemp, readdir, rm, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { CachingEmbedder } from '../../../src/embed/caching-embedder.ts';
import type { Embedder, EmbedderStamp } from '../../../src/embed/embedder.ts';
import { FileVectorCache } from '../../../src/embed/node/file-vector-cache.ts';

const stamp: EmbedderStamp = { model: 'toy', dtype: 'fp32', dimension: 2 };
let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'vectors-'));
});
afterEach(() => rm(root, { recursive: true }));

/** Embeds a text as its length and its first code; keeps what it was asked. */
class ToyEmbedder implements Embedder {
  readonly asked: string[] = [];
  constructor(readonly stamp: EmbedderStamp) {}
  async embed(texts: readonly string[]): Promise<Float32Array[]> {
    this.asked.push(...texts);
    return texts.map((t) => Float32Array.of(t.length, t.codePointAt(0) ?? 0));
  }
}

test('what was put is there after reopening, and other stamps see nothing', async () => {
  const cache = await FileVectorCache.open(stamp, root);
  await cache.put(['a', 'bb'], [Float32Array.of(1, 97), Float32Array.of(2, 98)]);
  const again = await FileVectorCache.open(stamp, root);
  expect(await again.get(['bb', 'none', 'a'])).toEqual([
    Float32Array.of(2, 98),
    undefined,
    Float32Array.of(1, 97),
  ]);
  for (const other of [
    { ...stamp, dtype: 'q8' },
    { ...stamp, longTexts: 'cut' as const },
  ]) {
    expect((await FileVectorCache.open(other, root)).size).toBe(0);
  }
});

test('a record torn by a kill is left out, the others stay, and writing goes on', async () => {
  const cache = await FileVectorCache.open(stamp, root);
  await cache.put(['a', 'bb'], [Float32Array.of(1, 97), Float32Array.of(2, 98)]);
  const [folder] = await readdir(root);
  const [file] = await readdir(join(root, folder!));
  await truncate(join(root, folder!, file!), 24 + 23);
  const again = await FileVectorCache.open(stamp, root);
  expect(await again.get(['a', 'bb'])).toEqual([Float32Array.of(1, 97), undefined]);
  await again.put(['bb'], [Float32Array.of(2, 98)]);
  expect((await FileVectorCache.open(stamp, root)).size).toBe(2);
});

test('refuses a vector of another dimension', async () => {
  const cache = await FileVectorCache.open(stamp, root);
  await expect(cache.put(['a'], [Float32Array.of(1)])).rejects.toMatchObject({ code: 'wrong-dimension' });
});

test('a caching embedder embeds nothing twice and keeps the order', async () => {
  const toy = new ToyEmbedder(stamp);
  const embedder = new CachingEmbedder(toy, await FileVectorCache.open(stamp, root));
  const counts: number[] = [];
  const options = { kind: 'passage', onProgress: (n: number) => counts.push(n) } as const;
  expect(await embedder.embed(['bb', 'a', 'bb'], options)).toEqual([
    Float32Array.of(2, 98),
    Float32Array.of(1, 97),
    Float32Array.of(2, 98),
  ]);
  expect(toy.asked).toEqual(['bb', 'a']);
  expect(counts.at(-1)).toBe(3);
  await embedder.embed(['a', 'ccc', 'bb'], options);
  expect(toy.asked).toEqual(['bb', 'a', 'ccc']);
  const reopened = new CachingEmbedder(toy, await FileVectorCache.open(stamp, root));
  await reopened.embed(['ccc', 'a', 'bb'], options);
  expect(toy.asked).toHaveLength(3);
});

test('a text as query and as passage is one entry only where the model reads the same', async () => {
  const e5 = new ToyEmbedder({ model: 'multilingual-e5-small', dtype: 'fp32', dimension: 2 });
  const minilm = new ToyEmbedder({ model: 'all-MiniLM-L6-v2', dtype: 'int8', dimension: 2 });
  for (const toy of [e5, minilm]) {
    const embedder = new CachingEmbedder(toy, await FileVectorCache.open(toy.stamp, root));
    await embedder.embed(['a'], { kind: 'query' });
    await embedder.embed(['a'], { kind: 'passage' });
  }
  expect(e5.asked).toEqual(['a', 'a']);
  expect(minilm.asked).toEqual(['a']);
});

test('refuses a cache of another embedder', async () => {
  const cache = await FileVectorCache.open({ ...stamp, dtype: 'q8' }, root);
  expect(() => new CachingEmbedder(new ToyEmbedder(stamp), cache)).toThrow(/can't serve/);
});
