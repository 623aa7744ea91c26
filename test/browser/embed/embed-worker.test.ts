import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dot } from '../../../src/core/vectors.ts';
import { EmbedClient } from '../../../src/embed/client.ts';
import type { EmbedderState } from '../../../src/embed/contract.ts';
import type { Embedder } from '../../../src/embed/embedder.ts';
import { SHIPPED_MODEL } from '../../../src/embed/registry.ts';
import type { Reference } from '../../../src/embed/self-test.ts';

const passage = { kind: 'passage' } as const;
const states: EmbedderState[] = [];
const workers: Worker[] = [];
const client = new EmbedClient(
  SHIPPED_MODEL,
  (state) => states.push(state),
  (name) => {
    const worker = new Worker(new URL('../../../workers/embed.worker.ts', import.meta.url), {
      type: 'module',
      name,
    });
    workers.push(worker);
    return worker;
  },
);

let references: Reference[];
let embedder: Embedder;
beforeAll(async () => {
  const file = await fetch(`/models/${SHIPPED_MODEL}/reference-vectors.json`);
  references = (await file.json()).texts;
  embedder = await client.open({ model: SHIPPED_MODEL });
}, 120_000);
afterAll(() => client.close());

describe('the shipped model in a worker on WASM', () => {
  test('loads with true progress, passes its test and tells why it is not on WebGPU', () => {
    const loading = states.filter((s) => s.kind === 'loading');
    const last = loading.at(-1)!;
    expect(last.loadedBytes).toBe(last.totalBytes);
    expect(last.totalBytes).toBeGreaterThan(38_000_000);
    for (let i = 1; i < loading.length; i++) {
      expect(loading[i]!.loadedBytes).toBeGreaterThanOrEqual(loading[i - 1]!.loadedBytes);
    }
    expect(states.map((s) => s.kind)).toContain('testing');
    expect(client.state).toEqual({
      kind: 'ready',
      stamp: { model: SHIPPED_MODEL, dtype: 'int8', dimension: 384 },
      backend: 'wasm',
      notice: expect.stringContaining('software'),
    });
  });

  test('gives the twelve reference vectors', async () => {
    const cut = await client.open({ model: SHIPPED_MODEL }, { longTexts: 'cut' });
    expect(cut.stamp.longTexts).toBe('cut');
    const vectors = await cut.embed(
      references.map((r) => r.text),
      passage,
    );
    vectors.forEach((vector, i) => {
      expect(dot(vector, Float32Array.from(references[i]!.vector)), references[i]!.text).toBeGreaterThan(
        0.999,
      );
    });
  });

  test('gives the same bits alone and in a batch', async () => {
    const texts = references.slice(0, 8).map((r) => r.text);
    const together = await embedder.embed([...texts, ...texts], passage);
    for (const [i, text] of texts.entries()) {
      const [alone] = await embedder.embed([text], passage);
      expect(together[i]).toEqual(alone);
      expect(together[i + texts.length]).toEqual(alone);
    }
  });

  test('stops in the middle of a very long text, with progress before', async () => {
    const controller = new AbortController();
    const counts: number[] = [];
    const work = embedder.embed(['A turn of two megabytes. '.repeat(80_000)], {
      ...passage,
      signal: controller.signal,
      onProgress: (done) => {
        counts.push(done);
        controller.abort();
      },
    });
    await expect(work).rejects.toMatchObject({ code: 'aborted' });
    expect(counts[0]).toBeGreaterThan(0);
    expect(counts[0]).toBeLessThan(0.1);
    expect(await embedder.embed(['after'], passage)).toHaveLength(1);
  });

  test('answers a question while a long batch is under way', async () => {
    const order: string[] = [];
    const controller = new AbortController();
    const long = embedder
      .embed(['many words make a batch '.repeat(4000)], { ...passage, signal: controller.signal })
      .catch(() => order.push('long'));
    await embedder.embed(['Where is the key?'], { kind: 'query' });
    order.push('question');
    controller.abort();
    await long;
    expect(order).toEqual(['question', 'long']);
  });

  test('is loaded again by the next call after its worker died', async () => {
    const before = await embedder.embed(['the same text'], passage);
    const pending = embedder.embed(['never finished '.repeat(10_000)], passage);
    workers.at(-1)!.terminate();
    await expect(pending).rejects.toMatchObject({ code: 'worker-died' });
    expect(client.state).toEqual({ kind: 'idle', model: SHIPPED_MODEL });
    expect(await embedder.embed(['the same text'], passage)).toEqual(before);
    expect(workers).toHaveLength(2);
  });
});
