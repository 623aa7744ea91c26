import { afterEach, describe, expect, test, vi } from 'vitest';
import { type Device, detectDevice, fits } from '../../../src/answer/device.ts';
import type { AnswerModel } from '../../../src/answer/models.ts';
import { aModel } from './models.ts';

const GB = 2 ** 30;

const DEVICE: Device = {
  gpu: { software: false, shaderF16: true, maxBufferBytes: 2 * GB },
  memoryBytes: 8 * GB,
  cores: 8,
  isolated: true,
  freeBytes: 50e9,
};
const GPU = { software: false, shaderF16: true, maxBufferBytes: 2 * GB };

const onGpu = (memoryGb: number, shaderF16 = false): AnswerModel =>
  aModel({ engine: 'webllm', needs: { webgpu: true, shaderF16, memoryBytes: memoryGb * GB } });

describe('a model', () => {
  test.each<[string, AnswerModel, Partial<Device>, string, RegExp]>([
    ['with what it needs', onGpu(1, true), {}, 'fits', /graphics processor/],
    ['for the processor', aModel(), { gpu: undefined }, 'fits', /8 cores/],
    ['for the processor, alone', aModel(), { gpu: undefined, isolated: false }, 'fits', /one thread/],
    ['without WebGPU', onGpu(1), { gpu: undefined }, 'cannot-run', /WebGPU/],
    [
      'without half floats',
      onGpu(1, true),
      { gpu: { ...GPU, shaderF16: false } },
      'cannot-run',
      /shader-f16/,
    ],
    ['with code of its own', onGpu(1), { foreignCode: false }, 'cannot-run', /no code from elsewhere/],
    ['for the processor, without code of its own', aModel(), { foreignCode: false }, 'fits', /processor/],
    ['on software WebGPU', onGpu(1), { gpu: { ...GPU, software: true } }, 'may-not-fit', /very long/],
    ['larger than the memory', onGpu(5), { memoryBytes: 4 * GB }, 'cannot-run', /5\.0 GB.*4\.0 GB/],
    ['nearly as large', onGpu(3.5), { memoryBytes: 4 * GB }, 'may-not-fit', /3\.5 GB of the 4\.0 GB/],
    ['large, and memory told as "8 or more"', onGpu(7), {}, 'may-not-fit', /does not tell/],
    ['large, and memory not told', onGpu(7), { memoryBytes: undefined }, 'may-not-fit', /does not tell/],
    [
      'of large buffers',
      onGpu(2),
      { gpu: { ...GPU, maxBufferBytes: GB / 4 } },
      'may-not-fit',
      /buffers of 0\.3 GB/,
    ],
    ['without room to store it', aModel(), { freeBytes: 50e6 }, 'may-not-fit', /98 MB of storage.*50 MB/],
  ])('%s', (_, model, facts, verdict, reason) => {
    const fit = fits(model, { ...DEVICE, ...facts });
    expect(fit).toEqual({ verdict, reason: expect.stringMatching(reason) });
  });

  test('that is kept already needs no more room', () => {
    expect(fits(aModel(), { ...DEVICE, freeBytes: 0 }, true).verdict).toBe('fits');
  });

  test('of a server or of the browser needs nothing of this device', () => {
    const bare: Device = { ...DEVICE, gpu: undefined, memoryBytes: undefined, freeBytes: 0 };
    const needs = { webgpu: false, shaderF16: false, memoryBytes: 0 };
    const server = aModel({
      needs,
      bytes: 0,
      source: { kind: 'endpoint', url: 'http://localhost:1/v1', model: 'm' },
    });
    expect(fits(server, bare)).toEqual({ verdict: 'fits', reason: 'It runs outside this tab.' });
    expect(fits(aModel({ needs, bytes: 0, source: { kind: 'browser' } }), bare).verdict).toBe('fits');
  });
});

describe('detection', () => {
  afterEach(() => vi.unstubAllGlobals());

  test('reads adapter, memory, cores and room', async () => {
    const info = {
      vendor: 'google',
      architecture: 'swiftshader',
      device: '',
      description: '',
      isFallbackAdapter: false,
    };
    const adapter = { info, features: new Set(['shader-f16']), limits: { maxBufferSize: 7 } };
    vi.stubGlobal('navigator', {
      gpu: { requestAdapter: async () => adapter },
      deviceMemory: 4,
      hardwareConcurrency: 2,
      storage: { estimate: async () => ({ usage: 30, quota: 100 }) },
    });
    expect(await detectDevice()).toEqual({
      gpu: { software: true, shaderF16: true, maxBufferBytes: 7 },
      memoryBytes: 4 * GB,
      cores: 2,
      isolated: false,
      freeBytes: 70,
      foreignCode: true,
    });
  });

  test('of a browser and a page that refuse everything gives nothing and does not fail', async () => {
    const refuse = () => Promise.reject(new Error('denied'));
    vi.stubGlobal('navigator', { gpu: { requestAdapter: refuse }, storage: { estimate: refuse } });
    vi.stubGlobal('document', { querySelector: () => ({ content: "connect-src 'self'" }) });
    expect(await detectDevice()).toEqual({
      gpu: undefined,
      memoryBytes: undefined,
      cores: undefined,
      isolated: false,
      freeBytes: undefined,
      foreignCode: false,
    });
  });
});
