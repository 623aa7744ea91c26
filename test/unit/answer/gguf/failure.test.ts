import { expect, test } from 'vitest';
import { llamaFailure } from '../../../../src/answer/gguf/failure.ts';

// Lines as wllama 3.13.0 logs them.
test.each([
  ["llama_model_load: error loading model: unknown model architecture: 'lxama'", 'model-broken', /lxama/],
  [
    "llama_model_load: error loading model: tensor 'blk.16.ffn_down.weight' data is not within the file bounds, model is corrupted or incomplete",
    'integrity-failed',
    /blk\.16/,
  ],
  ['(ABORT) OOM', 'out-of-memory', /OOM/],
  ['(ABORT) both async and sync fetching of the wasm failed', 'download-failed', /fetched/],
  ['ggml_webgpu: Device lost! Reason: 1', 'device-lost', /lost/],
  ['RuntimeError: unreachable', 'model-broken', /unreachable/],
])('"%s"', (line, code, message) => {
  const error = llamaFailure(
    new Error(`The model was not loaded.\n${line}\nllama_model_load_from_file_impl: failed`),
  );
  expect(error).toMatchObject({ code, message: expect.stringMatching(message) });
  expect(error.message).not.toMatch(/\n/);
  expect(error.remedy).not.toBe('');
});
