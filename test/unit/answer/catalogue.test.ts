import { expect, test } from 'vitest';
import { catalogue } from '../../../src/answer/catalogue.ts';
import type { Device } from '../../../src/answer/device.ts';
import type { AnswerModel } from '../../../src/answer/models.ts';
import { aModel } from './models.ts';

const GB = 2 ** 30;
const LAPTOP: Device = {
  gpu: { software: false, shaderF16: false, maxBufferBytes: 2 * GB },
  memoryBytes: 8 * GB,
  cores: 8,
  isolated: true,
  freeBytes: 50e9,
};

const gpu = (id: string, parameters: number, shaderF16 = false, memoryBytes = GB): AnswerModel =>
  aModel({ id, parameters, engine: 'webllm', needs: { webgpu: true, shaderF16, memoryBytes } });

test('The browser’s own model comes first, then what fits, small before large; no id comes twice', () => {
  const tables = {
    browser: [aModel({ id: 'nano', engine: 'prompt-api', source: { kind: 'browser' } })],
    own: [aModel({ id: 'mine', parameters: 9000 })],
    site: [aModel({ id: 'embedded', parameters: 135 })],
    hub: [
      gpu('large', 9000, false, 6 * GB),
      gpu('half', 500, true),
      gpu('b', 1500),
      gpu('a', 500),
      gpu('a', 1),
    ],
  };
  expect(catalogue(tables, LAPTOP).map(({ id }) => id)).toEqual([
    'nano',
    'mine',
    'embedded',
    'a',
    'b',
    'large',
    'half',
  ]);
});

test('Without WebGPU what runs on the processor comes before what can’t run', () => {
  const tables = {
    browser: [],
    own: [gpu('mine', 1)],
    site: [aModel({ id: 'embedded' })],
    hub: [gpu('a', 500)],
  };
  expect(catalogue(tables, { ...LAPTOP, gpu: undefined }).map(({ id }) => id)).toEqual([
    'embedded',
    'mine',
    'a',
  ]);
});
