import { afterEach, expect, test, vi } from 'vitest';
import { memoryModelFiles } from '../../../src/answer/files/open-model-files.ts';
import { removeUnproven } from '../../../src/answer/transformers/browser-start.ts';
import { fetchModel, modelList } from '../../../src/answer/transformers/model-list.ts';
import { HUB_MODELS } from '../../../src/answer/transformers/models.ts';
import { aModel } from './models.ts';

const SHA = 'ab'.repeat(32);
const ROOT = [
  { type: 'file', path: 'README.md', size: 10 },
  { type: 'file', path: 'config.json', size: 20 },
  { type: 'file', path: 'tokenizer.json', size: 30, lfs: { oid: SHA } },
  { type: 'directory', path: 'onnx' },
];
const ONNX = [
  { type: 'file', path: 'onnx/model.onnx', size: 1000, lfs: { oid: SHA } },
  { type: 'file', path: 'onnx/model_q4.onnx', size: 300, lfs: { oid: SHA } },
  { type: 'file', path: 'onnx/model_q4f16.onnx', size: 200, lfs: { oid: SHA } },
];

afterEach(() => vi.unstubAllGlobals());

const answer = (listings: Record<string, unknown>) =>
  vi.stubGlobal('fetch', async (url: string) => {
    const ending = Object.keys(listings).find((end) => url.endsWith(end));
    return ending ? Response.json(listings[ending]) : new Response('', { status: 404 });
  });

test('A hub model is listed with configuration and 4-bit weights only, sizes and hashes as the hub states', async () => {
  answer({ 'tree/main': ROOT, 'tree/main/onnx': ONNX });
  const [model] = HUB_MODELS;
  const base = 'https://huggingface.co/onnx-community/Qwen2.5-0.5B-Instruct/resolve/main/';
  expect(await modelList(model!, 'https://site.test/')).toEqual([
    { path: 'config.json', url: `${base}config.json`, bytes: 20 },
    { path: 'tokenizer.json', url: `${base}tokenizer.json`, bytes: 30, sha256: SHA },
    { path: 'onnx/model_q4.onnx', url: `${base}onnx/model_q4.onnx`, bytes: 300, sha256: SHA },
  ]);
});

test('A hub that does not answer is named', async () => {
  answer({});
  await expect(modelList(HUB_MODELS[0]!, 'https://site.test/')).rejects.toMatchObject({
    code: 'download-failed',
    message: expect.stringContaining('onnx-community/Qwen2.5-0.5B-Instruct'),
  });
});

test('A hub model that is whole is not asked for again, so that it loads offline', async () => {
  answer({});
  const [model] = HUB_MODELS;
  const files = memoryModelFiles();
  await files.put(model!.id, [{ path: 'config.json', blob: new Blob(['{}']) }]);
  await fetchModel(model!, files, 'https://site.test/', {});
  await files.remove(model!.id, []);
  await expect(fetchModel(model!, files, 'https://site.test/', {})).rejects.toMatchObject({
    code: 'download-failed',
  });
});

test('A start that failed costs no file that was proven, and none of the person', async () => {
  answer({ 'tree/main': ROOT, 'tree/main/onnx': ONNX });
  const [model] = HUB_MODELS;
  const files = memoryModelFiles();
  const ground = { files, site: 'https://site.test/' };
  const blob = new Blob(['x']);
  const put = (id: string) =>
    files.put(id, [
      { path: 'config.json', blob },
      { path: 'onnx/model_q4.onnx', blob },
    ]);
  await put(model!.id);
  await removeUnproven(model!, ground);
  expect(await files.list()).toMatchObject([{ bytes: 1, complete: false }]);
  expect(await files.read(model!.id, 'config.json')).toBeUndefined();
  const own = aModel({ id: 'own', source: { kind: 'files', name: 'own' } });
  await put('own');
  await removeUnproven(own, ground);
  expect(await files.list()).toContainEqual({ modelId: 'own', bytes: 2, complete: true });
});
