import { afterEach, describe, expect, test } from 'vitest';
import { BrowserPlatform } from '../../../src/embed/browser-platform.ts';
import type { EmbedderState, LoadRequest } from '../../../src/embed/contract.ts';
import { HUB_CACHE, listCachedModels } from '../../../src/embed/hub-files.ts';
import { SHIPPED_MODEL } from '../../../src/embed/registry.ts';
import { EmbedService } from '../../../src/embed/service.ts';
import { siteBase } from '../../../src/runtime/site.ts';
import type { Fetch } from '../../../src/runtime/verified-files.ts';

const MODEL_FILE = `models/${SHIPPED_MODEL}/onnx/model_int8.onnx`;
const PAGE = '<!doctype html><title>Skein</title>';

afterEach(() => caches.delete(HUB_CACHE));

/** The site, with other answers for URLs that end so. */
function siteWith(answers: Record<string, () => Promise<Response> | Response>): Fetch {
  return async (url, init) => {
    const ending = Object.keys(answers).find((e) => url.endsWith(e));
    return ending === undefined ? fetch(url, init) : answers[ending]!();
  };
}

async function load(fetcher: Fetch, request: LoadRequest = { model: SHIPPED_MODEL, backend: 'wasm' }) {
  const states: EmbedderState[] = [];
  const service = new EmbedService(new BrowserPlatform(siteBase(), fetcher));
  const outcome: unknown = await service
    .load(request, (s) => states.push(s))
    .catch((error: unknown) => error);
  return { outcome, last: states.at(-1) };
}

/** Addresses of everything in any cache of this site; other tests may have left some. */
async function cached(): Promise<string[]> {
  const caching = (await caches.keys()).map(async (name) => (await caches.open(name)).keys());
  return (await Promise.all(caching)).flat().map(({ url }) => url);
}

describe('a broken shipped model', () => {
  test.each([
    [
      'truncated',
      async () => new Response((await (await fetch(`/${MODEL_FILE}`)).arrayBuffer()).slice(0, 1e6)),
      'bytes instead of 24106859',
    ],
    ['a web page', () => new Response(PAGE), 'it is a web page'],
  ])('that is %s is refused by name, and nothing of it is kept', async (_, answer, why) => {
    const before = await cached();
    const { outcome, last } = await load(siteWith({ [MODEL_FILE]: answer }));
    expect(outcome).toMatchObject({ code: 'model-broken' });
    expect(last).toMatchObject({
      kind: 'failed',
      message: expect.stringMatching(`${MODEL_FILE} is broken: .*${why}`),
      remedy: expect.stringContaining('again'),
    });
    expect(await cached()).toEqual(before);
  });

  test('in a folder that the site does not have is refused, whatever the server answers', async () => {
    const service = new EmbedService(new BrowserPlatform(`${siteBase()}nowhere/`));
    const load = service.load({ model: SHIPPED_MODEL, backend: 'wasm' }, () => {});
    await expect(load).rejects.toMatchObject({
      code: expect.stringMatching(/^model-(missing|broken)$/),
      message: expect.stringContaining('/nowhere/'),
    });
  });

  test('with corrupted references fails its test on WASM and says so', async () => {
    const platform = new BrowserPlatform();
    const fetchModel = platform.fetchModel.bind(platform);
    platform.fetchModel = async (...args) => {
      const { files } = await fetchModel(...args);
      const json = new TextDecoder().decode(files.get('reference-vectors.json'));
      const corrupted = new TextEncoder().encode(json.replaceAll('-0.', '0.'));
      return { files: new Map([...files, ['reference-vectors.json', corrupted]]) };
    };
    const states: EmbedderState[] = [];
    const load = new EmbedService(platform).load({ model: SHIPPED_MODEL, backend: 'wasm' }, (s) =>
      states.push(s),
    );
    await expect(load).rejects.toMatchObject({ code: 'self-test-failed' });
    expect(states.map((s) => s.kind).slice(-2)).toEqual(['testing', 'failed']);
  });
});

describe('a hub model', () => {
  const request: LoadRequest = { model: 'gte-small', backend: 'wasm' };
  const HUB = 'https://huggingface.co/Xenova/gte-small/resolve/main/';
  const configs = {
    [`${HUB}config.json`]: () => new Response('{"model_type":"bert"}'),
    [`${HUB}tokenizer.json`]: () => fetch(`/models/${SHIPPED_MODEL}/tokenizer.json`),
    [`${HUB}tokenizer_config.json`]: () => fetch(`/models/${SHIPPED_MODEL}/tokenizer_config.json`),
  };
  const shippedWeights = () => fetch(`/${MODEL_FILE}`);

  test('is kept on the device once it arrived, and served from there afterwards', async () => {
    // The shipped weights stand in for the hub's: same architecture, pooling and dimension.
    const answers = { ...configs, [`${HUB}onnx/model.onnx`]: shippedWeights };
    expect((await load(siteWith(answers), request)).last).toMatchObject({ kind: 'ready', backend: 'wasm' });
    const [cached] = await listCachedModels();
    expect(cached).toMatchObject({ repository: 'Xenova/gte-small' });
    expect(cached!.bytes).toBeGreaterThan(24_106_859);
    const offline = Object.fromEntries(
      Object.keys(answers).map((url) => [url, () => Promise.reject(new TypeError())]),
    );
    expect((await load(siteWith(offline), request)).last).toMatchObject({ kind: 'ready' });
  });

  test.each([
    ['an HTML page', async () => new Response(PAGE)],
    ['no ONNX file', async () => new Response('version https://git-lfs.github.com/spec/v1')],
    ['cut short', async () => new Response((await (await shippedWeights()).arrayBuffer()).slice(0, 9e6))],
  ])('whose weights are %s is refused, and its weights are not kept', async (_, answer) => {
    const { outcome } = await load(siteWith({ ...configs, [`${HUB}onnx/model.onnx`]: answer }), request);
    expect(outcome).toMatchObject({ code: 'model-broken' });
    const kept = await (await caches.open(HUB_CACHE)).keys();
    expect(kept.map((r) => r.url)).not.toContain(`${HUB}onnx/model.onnx`);
  });

  test('out of reach says that it is offline', async () => {
    const { outcome } = await load(
      siteWith({ [`${HUB}config.json`]: () => Promise.reject(new TypeError()) }),
      request,
    );
    expect(outcome).toMatchObject({ code: 'offline', message: expect.stringContaining('gte-small') });
  });
});
