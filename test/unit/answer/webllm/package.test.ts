import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { memoryModelFiles } from '../../../../src/answer/files/open-model-files.ts';
import type { AnswerModel, ModelSource } from '../../../../src/answer/models.ts';
import { CHECKSUMS } from '../../../../src/answer/webllm/checked-files.ts';
import { openPackage } from '../../../../src/answer/webllm/package.ts';
import { aModel } from '../models.ts';

const FIXTURE = new URL('../../../fixtures/webllm-tiny/resolve/main/', import.meta.url);
const SHARD = 'params_shard_0.bin';
const TREE = 'https://huggingface.co/api/models/mlc-ai/tiny/tree/main';

type Bytes = Uint8Array<ArrayBuffer>;

/** Answers by the last part of a URL; undefined: status 404. */
let answers: Record<string, Bytes | undefined>;
let asked: string[];
let files: ReturnType<typeof memoryModelFiles>;

beforeEach(() => {
  const names = ['mlc-chat-config.json', 'tensor-cache.json', 'tokenizer.json', 'model.wasm', SHARD];
  answers = Object.fromEntries(
    names.map((name) => [name, new Uint8Array(readFileSync(new URL(name, FIXTURE)))]),
  );
  asked = [];
  const serve = async (input: RequestInfo | URL) => {
    const url = String(input);
    asked.push(url);
    const bytes = answers[url] ?? answers[url.slice(url.lastIndexOf('/') + 1)];
    return new Response(bytes ?? 'no such file', { status: bytes ? 200 : 404 });
  };
  vi.stubGlobal('fetch', serve);
  files = memoryModelFiles(serve);
});
afterEach(() => void vi.unstubAllGlobals());

function tiny(source: ModelSource): AnswerModel {
  return aModel({ engine: 'webllm', source });
}

const HUB = tiny({ kind: 'hub', repository: 'mlc-ai/tiny', library: 'https://libraries.test/model.wasm' });
const OWN = tiny({ kind: 'url', url: 'models/mine', library: 'lib/model.wasm' });
const open = (model: AnswerModel) => openPackage(files, model, 'https://site.test/skein/', {});

/** Megabytes, which `toEqual` compares number by number. */
function sameBytes(a: Bytes, b: Bytes): boolean {
  return Buffer.compare(a, b) === 0;
}

function listed(changes: Record<string, object> = {}): Bytes {
  const entries = Object.entries(answers).map(([path, bytes]) => ({
    type: 'file',
    path,
    size: bytes!.length,
    oid: 'git',
    lfs: path === SHARD ? { oid: createHash('sha256').update(bytes!).digest('hex') } : undefined,
    ...changes[path],
  }));
  return new TextEncoder().encode(JSON.stringify([{ type: 'directory', path: 'x' }, ...entries]));
}

test('files of the hub are held against sizes and hashes that it lists', async () => {
  answers[TREE] = listed();
  const { files: checked, config, controlTokens } = await open(HUB);
  expect(config.context_window_size).toBe(512);
  expect(controlTokens).toEqual(['<|endoftext|>', '<|im_start|>', '<|im_end|>']);
  expect(sameBytes(await checked.read(SHARD), answers[SHARD]!)).toBe(true);
  expect(asked).toContain(`https://huggingface.co/mlc-ai/tiny/resolve/main/${SHARD}`);

  await files.remove(HUB.id);
  answers[TREE] = listed({ [SHARD]: { lfs: { oid: '0'.repeat(64) } } });
  await expect(open(HUB)).rejects.toMatchObject({
    code: 'integrity-failed',
    message: expect.stringMatching(/params_shard_0\.bin.*SHA-256/),
  });
});

test('a hub that gives no listing is done without', async () => {
  await open(HUB);
  expect(asked[0]).toBe(TREE);
});

test('a model is complete only when all of its files are there', async () => {
  answers[SHARD] = undefined;
  await expect(open(OWN)).rejects.toMatchObject({ code: 'download-failed' });
  expect(await files.list()).toMatchObject([{ modelId: OWN.id, complete: false }]);
});

test('what was checked once is opened again without asking anybody', async () => {
  await open(OWN);
  expect(new Set(asked)).toContain('https://site.test/skein/models/mine/resolve/main/mlc-chat-config.json');
  expect(new Set(asked)).toContain('https://site.test/skein/lib/model.wasm');
  asked = [];
  const again = await open(OWN);
  expect(asked).toEqual([]);
  expect(sameBytes(await again.files.read('library.wasm'), answers['model.wasm']!)).toBe(true);
});

test('a file that has changed on the device is refused and removed, and comes anew', async () => {
  await open(OWN);
  const altered = answers[SHARD]!.slice();
  altered[9]! ^= 1;
  await files.put(OWN.id, [{ path: SHARD, blob: new Blob([altered]) }]);
  const { files: checked } = await open(OWN);
  await expect(checked.read(SHARD)).rejects.toMatchObject({
    code: 'integrity-failed',
    message: expect.stringContaining(SHARD),
  });
  expect(await files.read(OWN.id, SHARD)).toBeUndefined();
  expect(await files.read(OWN.id, 'tokenizer.json')).toBeDefined();
  asked = [];
  await (await open(OWN)).files.read(SHARD);
  expect(asked.every((url) => url.endsWith(SHARD))).toBe(true);
});

test('where the model can not be started, what nobody vouches for is removed, and the weights stay', async () => {
  const { files: checked } = await open(OWN);
  await checked.removeUnproven();
  const left = ['mlc-chat-config.json', 'library.wasm', SHARD, CHECKSUMS];
  const there = await Promise.all(left.map(async (path) => (await files.read(OWN.id, path)) !== undefined));
  expect(there).toEqual([false, false, true, false]);
});

test('a list of weights can not name a file outside of the model', async () => {
  const list = JSON.stringify({ records: [{ dataPath: '../../other/secret', nbytes: 1 }] });
  answers['tensor-cache.json'] = new TextEncoder().encode(list);
  await expect(open(OWN)).rejects.toMatchObject({ code: 'integrity-failed' });
  expect(asked.filter((url) => url.includes('secret'))).toEqual([]);
});

test.each([
  [tiny({ kind: 'url', url: 'https://a.test/m' }), /names no compiled library/],
  [tiny({ kind: 'url', url: 'https://', library: 'x.wasm' }), /no address/],
  [tiny({ kind: 'site', path: 'models/x/' }), /no address/],
])('a model without its places is refused: %#', async (model, message) => {
  await expect(open(model)).rejects.toMatchObject({
    code: 'bad-argument',
    message: expect.stringMatching(message),
  });
});
