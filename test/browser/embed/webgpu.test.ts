import { expect, test } from 'vitest';
import { dot } from '../../../src/core/vectors.ts';
import { BrowserPlatform } from '../../../src/embed/browser-platform.ts';
import type { EmbedderState } from '../../../src/embed/contract.ts';
import { detectGpu } from '../../../src/embed/gpu.ts';
import type { Platform } from '../../../src/embed/platform.ts';
import { SHIPPED_MODEL } from '../../../src/embed/registry.ts';
import { EmbedService } from '../../../src/embed/service.ts';
import type { Encoder } from '../../../src/embed/transformers/transformers-embedder.ts';

// Software WebGPU takes seconds a text: these tests embed as little as they can.

test('the adapter of this browser is known to be software', async () => {
  expect((await detectGpu()).kind).toBe('software');
});

test('on WebGPU the model passes its test and gives the vectors of WASM; wrong ones send it to WASM', async () => {
  const platform = new BrowserPlatform();
  const states: EmbedderState[] = [];
  const service = new EmbedService(platform);
  const ready = await service.load({ model: SHIPPED_MODEL, backend: 'webgpu' }, (s) => states.push(s));
  expect(ready).toMatchObject({ backend: 'webgpu' });
  expect(ready.notice).toBeUndefined();
  const request = { texts: ['Release day?'], kind: 'query', longTexts: 'parts' } as const;
  const onGpu = await service.embed(request, () => {});

  // The same runtime, now with a GPU that computes long texts wrong.
  const wrong = new EmbedService(withWrongGpu(platform));
  const fallen = await wrong.load({ model: SHIPPED_MODEL, backend: 'webgpu' }, () => {});
  expect(fallen).toMatchObject({
    backend: 'wasm',
    notice: expect.stringMatching(/WebGPU failed, so WASM is used instead.*wrong vectors/),
    stamp: ready.stamp,
  });
  expect(dot(onGpu, await wrong.embed(request, () => {}))).toBeGreaterThan(0.99999);
}, 240_000);

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
