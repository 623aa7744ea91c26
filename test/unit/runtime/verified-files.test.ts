import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { fetchListed, fetchManifest, type Manifest } from '../../../src/runtime/verified-files.ts';

const BASE = 'https://site.test/models/m/';
const content = new TextEncoder().encode('the weights of a model, all of them');
const manifest: Manifest = {
  files: {
    'model.onnx': { bytes: content.length, sha256: createHash('sha256').update(content).digest('hex') },
  },
};

/** Lists `model.onnx` as the site answers for it. */
function load(answer: () => Response | Promise<Response>, signal?: AbortSignal) {
  const seen: number[] = [];
  const files = fetchListed(
    BASE,
    ['model.onnx'],
    manifest,
    async () => answer(),
    (n) => seen.push(n),
    signal,
  );
  return { files, seen };
}

describe('a listed file', () => {
  test('arrives whole, with its bytes counted', async () => {
    const { files, seen } = load(() => new Response(content));
    expect((await files).get('model.onnx')).toEqual(content);
    expect(seen.reduce((a, b) => a + b)).toBe(content.length);
  });

  test.each([
    ['truncated', content.slice(0, 20), 'it has 20 bytes instead of 35'],
    ['a web page', '<!DOCTYPE html><html></html>', 'it is a web page'],
    ['changed', content.map((b, i) => (i === 9 ? b ^ 1 : b)), 'its contents are not the published ones'],
  ])('that is %s is broken, and the message names it and why', async (_, body, why) => {
    await expect(load(() => new Response(body)).files).rejects.toMatchObject({
      code: 'model-broken',
      message: `The model file ${BASE}model.onnx is broken: ${why}.`,
    });
  });

  test('that is missing, out of reach or not listed is named too', async () => {
    await expect(load(() => new Response('', { status: 404 })).files).rejects.toMatchObject({
      code: 'model-missing',
      message: expect.stringContaining(`${BASE}model.onnx`),
    });
    await expect(load(() => Promise.reject(new TypeError('fetch failed'))).files).rejects.toMatchObject({
      code: 'offline',
    });
    const unlisted = fetchListed(
      BASE,
      ['other'],
      manifest,
      async () => new Response(''),
      () => {},
    );
    await expect(unlisted).rejects.toMatchObject({
      code: 'model-missing',
      message: expect.stringContaining('other'),
    });
  });

  test('that breaks off on the way is broken', async () => {
    const body = new ReadableStream({
      pull(controller) {
        controller.enqueue(content.slice(0, 5));
        controller.error(new TypeError('network error'));
      },
    });
    await expect(load(() => new Response(body)).files).rejects.toMatchObject({
      code: 'model-broken',
      message: expect.stringContaining('broke off'),
    });
  });

  test('stops arriving on an abort', async () => {
    const controller = new AbortController();
    const body = new ReadableStream({
      pull(stream) {
        stream.enqueue(content.slice(0, 5));
        controller.abort();
      },
    });
    await expect(load(() => new Response(body), controller.signal).files).rejects.toMatchObject({
      code: 'aborted',
    });
  });
});

test('a manifest that is a web page says so', async () => {
  await expect(fetchManifest(BASE, async () => new Response('<html></html>'))).rejects.toMatchObject({
    code: 'model-broken',
    message: `The model file ${BASE}manifest.json is broken: it is a web page.`,
  });
});
