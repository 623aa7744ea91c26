import { expect, it } from 'vitest';
import { words } from '../../../src/index/analyzers.ts';
import { FlatIndex } from '../../../src/index/flat/flat-index.ts';
import { fetchVoyWasm } from '../../../src/index/voy/browser-wasm.ts';
import { VoyIndex } from '../../../src/index/voy/voy-index.ts';
import { VoyRuntime } from '../../../src/index/voy/voy-runtime.ts';
import { unitRows, unitVector } from '../../unit/index/vectors.ts';

const rows = unitRows(2000, 384, 1);
const query = unitVector(384, 2);

it('the flat index runs in SIMD and gives the bits of the plain kernel', () => {
  const simd = new FlatIndex(384);
  const plain = new FlatIndex(384, 'plain');
  expect(simd.kernel).toBe('simd');
  for (const index of [simd, plain]) index.addMany(0, rows);
  const bits = (index: FlatIndex) => new Uint32Array(index.scoreAll(query).scores.slice().buffer);
  expect(bits(simd)).toEqual(bits(plain));
  expect(simd.search(rows.subarray(384, 768), 1)[0]!.id).toBe(1);
});

it('voy loads from the site itself and finds what the flat index finds, after a panic too', async () => {
  const runtime = await VoyRuntime.load(fetchVoyWasm);
  const index = new VoyIndex(384, runtime);
  const flat = new FlatIndex(384);
  index.addMany(0, rows);
  flat.addMany(0, rows);
  expect(index.search(query, 10)).toEqual(flat.search(query, 10));
  const same = Array.from({ length: 40 }, (_, id) => ({ id: `${id}`, title: '', url: '', embeddings: [1] }));
  expect(() => runtime.run(() => runtime.createTree().add({ embeddings: same }))).toThrow(/Too many items/);
  expect(index.search(query, 10)).toEqual(flat.search(query, 10));
  expect(index.degraded).toBeUndefined();
});

it('scripts without spaces are divided', () => {
  expect(words('我在东京吃拉面 🎉')).toEqual(expect.arrayContaining(['东京', '京', '拉面', '🎉']));
});
