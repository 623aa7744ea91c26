import { openAsBlob, readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { memoryModelFiles } from '../../../src/answer/files/open-model-files.ts';
import { openPackage } from '../../../src/answer/webllm/package.ts';
import { readOwnModel } from '../../../src/ui/models/own-files.ts';
import type { DroppedFile } from '../../../src/ui/shell/dropped-files.ts';

const ROOT = resolve(import.meta.dirname, '../../..');

let webllm: DroppedFile[];
let onnx: DroppedFile[];

async function folder(path: string, name: string): Promise<DroppedFile[]> {
  const files = readdirSync(resolve(ROOT, path), { recursive: true, withFileTypes: true });
  return Promise.all(
    files
      .filter((entry) => entry.isFile())
      .map(async (entry) => {
        const full = resolve(entry.parentPath, entry.name);
        const inside = full.slice(resolve(ROOT, path).length + 1);
        return { path: `${name}/${inside}`, file: new File([await openAsBlob(full)], entry.name) };
      }),
  );
}

beforeAll(async () => {
  webllm = await folder('test/fixtures/webllm-tiny/resolve/main', 'tiny-q0f32');
  onnx = await folder('public/models/SmolLM2-135M-Instruct', 'SmolLM2');
});

test('A WebLLM folder is read, kept, and opened by its engine without a request', async () => {
  const { model, files } = await readOwnModel(webllm);
  expect(model).toMatchObject({
    id: 'webllm-folder-tiny-q0f32',
    engine: 'webllm',
    contextWindow: 512,
    needs: { webgpu: true, shaderF16: false },
    source: { kind: 'files' },
  });
  const store = memoryModelFiles(() => Promise.reject(new Error('No request is allowed here.')));
  await store.put(model.id, files);
  const opened = await openPackage(store, model, 'https://site.test/', {});
  expect(opened.config.tokenizer_files).toContain('tokenizer.json');
  await store.remove(model.id, ['params_shard_0.bin']);
  await expect(openPackage(store, model, 'https://site.test/', {})).rejects.toMatchObject({
    code: 'model-missing',
    message: expect.stringContaining('params_shard_0.bin'),
  });
});

test('A transformers.js folder is read with its 4-bit weights in all their parts', async () => {
  const { model, files } = await readOwnModel(onnx);
  expect(model).toMatchObject({ engine: 'transformers', title: 'SmolLM2', contextWindow: 8192 });
  expect(files.map(({ path }) => path)).toEqual(
    expect.arrayContaining([
      'config.json',
      'tokenizer.json',
      'onnx/model_q4.onnx',
      'onnx/model_q4.onnx_data_4',
    ]),
  );
  expect(files.map(({ path }) => path)).not.toContain('LICENSE');
});

test.each([
  ['a weight shard', () => webllm, /params_shard_0/, /lacks params_shard_0\.bin/],
  ['the library', () => webllm, /\.wasm$/, /0 compiled libraries/],
  ['the tokenizer', () => onnx, /tokenizer\.json$/, /lacks tokenizer\.json/],
  ['the 4-bit graph', () => onnx, /model_q4\.onnx$/, /Nothing here is a language model/],
])('A folder that lacks %s is refused by name', async (_, files, left, why) => {
  const rest = files().filter(({ path }) => !left.test(path));
  await expect(readOwnModel(rest)).rejects.toMatchObject({
    code: 'bad-file',
    message: expect.stringMatching(why),
  });
});

test('Several GGUF models at once, and a split one with a part missing, are refused', async () => {
  const gguf = (path: string) => ({ path, file: new File(['GGUF'], path) });
  await expect(readOwnModel([gguf('a.gguf'), gguf('b.gguf')])).rejects.toThrow(/several models/);
  await expect(readOwnModel([gguf('m-00001-of-00002.gguf')])).rejects.toThrow(/m-00002-of-00002\.gguf/);
});
