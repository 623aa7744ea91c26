import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { prebuiltModule, TARGET } from '../../../../scripts/webllm-models.ts';
import { WEBLLM_MODELS } from '../../../../src/answer/webllm/models.ts';

test('the table is what the installed package says', () => {
  expect(readFileSync(TARGET, 'utf8'), 'run npx tsx scripts/webllm-models.ts').toBe(prebuiltModule());
});

test('every model has its needs, its place and a licence', () => {
  for (const model of WEBLLM_MODELS) {
    const halfFloats = /q\df16/.test(model.id);
    expect(model, model.id).toMatchObject({
      engine: 'webllm',
      needs: { webgpu: true, shaderF16: halfFloats },
      source: {
        kind: 'hub',
        repository: `mlc-ai/${model.id}`,
        library: expect.stringMatching(/^https:.*\.wasm$/),
      },
    });
    expect(model.title).toContain(halfFloats ? '16-bit' : '32-bit');
    expect(model.licence).not.toBe('');
    expect(model.contextWindow).toBeGreaterThanOrEqual(4096);
    // The weights are in the graphics memory, and it holds more than them.
    expect(model.needs.memoryBytes, model.id).toBeGreaterThan(model.bytes * 0.9);
  }
  const ids = WEBLLM_MODELS.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
});

test("the paper's models are there, with and without 16-bit floats", () => {
  const ids = WEBLLM_MODELS.map(({ id }) => id);
  for (const name of ['gemma-2-9b-it', 'gemma-2-2b-it']) {
    expect(ids).toContain(`${name}-q4f16_1-MLC`);
    expect(ids).toContain(`${name}-q4f32_1-MLC`);
  }
});
