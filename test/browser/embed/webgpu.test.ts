import { expect, test } from 'vitest';
import { BrowserPlatform } from '../../../src/embed/browser-platform.ts';
import type { Platform } from '../../../src/embed/platform.ts';
import { SHIPPED_MODEL } from '../../../src/embed/registry.ts';
import { EmbedService } from '../../../src/embed/service.ts';
import type { Encoder } from '../../../src/embed/transformers/transformers-embedder.ts';
import { detectGpu } from '../../../src/runtime/gpu.ts';

// The real model on software WebGPU is tested end to end (test/e2e/webgpu.test.ts): it takes most of a minute.

test('the adapter of this browser is known to be software', async () => {
  expect((await detectGpu()).kind).toBe('software');
});

test('a GPU that computes long texts wrong is found out, and WASM takes its place', async () => {
  const wrong = new EmbedService(withWrongGpu(new BrowserPlatform()));
  const fallen = await wrong.load({ model: SHIPPED_MODEL, backend: 'webgpu' }, () => {});
  expect(fallen).toMatchObject({
    backend: 'wasm',
    notice: expect.stringMatching(/WebGPU failed, so WASM is used instead.*wrong vectors/),
  });
}, 120_000);

/** `platform` whose WebGPU spoils inputs of more than 60 tokens, computed on WASM to be quick. */
function withWrongGpu(platform: BrowserPlatform): Platform {
  const spoiled = (encoder: Encoder): Encoder => ({
    ...encoder,
    run: async (ids, mask, rows, columns) => {
      const states = await encoder.run(ids, mask, rows, columns);
      return columns > 60 ? states.map((x, i) => (i % 3 === 0 ? -x : x)) : states;
    },
  });
  return {
    detectGpu: () => platform.detectGpu(),
    fetchModel: (...args) => platform.fetchModel(...args),
    prepareRuntime: (...args) => platform.prepareRuntime(...args),
    forgetModel: (model) => platform.forgetModel(model),
    createEncoder: async (model, weights, backend, files) => {
      const encoder = await platform.createEncoder(model, weights, 'wasm', files);
      return backend === 'webgpu' ? spoiled(encoder) : encoder;
    },
  };
}
