import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { SHIPPED_MODEL_DIR } from '../../../src/embed/node/node-embedder.ts';
import {
  chooseWeights,
  EMBEDDING_MODELS,
  embeddingModel,
  SHIPPED_MODEL,
} from '../../../src/embed/registry.ts';

test('exactly one model is shipped, and its files are what the registry says', () => {
  expect(EMBEDDING_MODELS.filter((m) => m.shipped).map((m) => m.name)).toEqual([SHIPPED_MODEL]);
  for (const { file, bytes } of embeddingModel(SHIPPED_MODEL).weights) {
    expect(statSync(join(SHIPPED_MODEL_DIR, file)).size).toBe(bytes);
  }
});

test('every model can run without a GPU, and never q8 on one', () => {
  for (const model of EMBEDDING_MODELS) {
    expect(chooseWeights(model, 'wasm').backends).toContain('wasm');
    for (const w of model.weights) if (w.dtype === 'q8') expect(w.backends).toEqual(['wasm']);
  }
});

test('weights are chosen by backend and dtype, or refused by name', () => {
  const base = embeddingModel('bge-base-en-v1.5');
  expect(chooseWeights(base, 'webgpu')).toMatchObject({ dtype: 'fp32', file: 'onnx/model.onnx' });
  expect(chooseWeights(base, 'webgpu', 'fp16')).toMatchObject({ file: 'onnx/model_fp16.onnx' });
  expect(() => chooseWeights(base, 'wasm', 'fp16')).toThrow('BGE base has no fp16 weights for wasm.');
  expect(() => embeddingModel('nope')).toThrow('There is no embedding model "nope".');
});
