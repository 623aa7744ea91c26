import fc from 'fast-check';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { FlatIndex } from '../../../src/index/flat/flat-index.ts';
import { VoyIndex } from '../../../src/index/voy/voy-index.ts';
import { VoyPanic, type VoyRuntime } from '../../../src/index/voy/voy-runtime.ts';
import { unitRows, unitVector } from './vectors.ts';
import { loadVoy } from './voy-wasm.ts';

let runtime: VoyRuntime;
beforeAll(async () => {
  runtime = await loadVoy();
});

/** Kills voy's instance as its own limit does: forty vectors that agree on every axis. */
function panic(): unknown {
  const same = Array.from({ length: 40 }, (_, id) => ({
    id: `${id}`,
    title: '',
    url: '',
    embeddings: [1, 0, 0],
  }));
  try {
    runtime.run(() => runtime.createTree().add({ embeddings: same }));
  } catch (error) {
    return error;
  }
  return undefined;
}

describe('VoyIndex', () => {
  it('scores by cosine (worked by hand)', () => {
    const index = new VoyIndex(3, runtime);
    index.add(4, Float32Array.of(1, 0, 0));
    index.add(7, Float32Array.of(0.6, 0.8, 0));
    index.add(9, new Float32Array(3));
    index.add(11, Float32Array.of(-1, 0, 0));
    const hits = index.search(Float32Array.of(0.8, 0.6, 0), 4);
    // 0.96, 0.8, then the zero vector at 0, which is nearer than one of length 1 at -0.8
    expect(hits.map((hit) => hit.id)).toEqual([7, 4, 9, 11]);
    expect(hits.map((hit) => hit.score.toFixed(6))).toEqual([
      '0.960000',
      '0.800000',
      '0.000000',
      '-0.800000',
    ]);
    expect(index.search(Float32Array.of(1, 0, 0), 0)).toEqual([]);
    expect(new VoyIndex(3, runtime).search(Float32Array.of(1, 0, 0), 2)).toEqual([]);
    expect(index.degraded).toBeUndefined();
  });

  it('keeps 1,000 equal vectors apart and orders them by id', () => {
    const index = new VoyIndex(5, runtime);
    const same = unitVector(5, 1);
    for (let id = 999; id >= 0; id--) index.add(id, same);
    index.add(1000, unitVector(5, 2));
    expect(index.search(same, 3).map((hit) => hit.id)).toEqual([0, 1, 2]);
    expect(index.search(same, 2000)).toHaveLength(1001);
    expect(index.remove(1)).toBe(true);
    expect(index.search(same, 3).map((hit) => hit.id)).toEqual([0, 2, 3]);
    expect(index.degraded).toBeUndefined();
  });

  it('takes many vectors that agree on most axes, and many zero vectors', () => {
    const index = new VoyIndex(384, runtime);
    const flat = new FlatIndex(384);
    for (let id = 0; id < 1000; id++) {
      const vector = new Float32Array(384);
      if (id % 10 !== 0) {
        vector[380] = Math.cos(id);
        vector[381] = Math.sin(id);
      }
      index.add(id, vector);
      flat.add(id, vector);
    }
    const query = new Float32Array(384);
    query[380] = 1;
    expect(index.search(query, 20)).toEqual(flat.search(query, 20));
    expect(index.search(new Float32Array(384), 20)).toEqual(flat.search(new Float32Array(384), 20));
    expect(index.degraded).toBeUndefined();
  });

  it('refuses more than 768 dimensions, a wrong dimension and a vector of another length', () => {
    expect(() => new VoyIndex(1024, runtime)).toThrow(/768.*1024/);
    const index = new VoyIndex(4, runtime);
    index.add(0, unitVector(4, 1));
    const wide = unitVector(5, 1);
    for (const attempt of [
      () => index.add(1, wide),
      () => index.addMany(1, unitRows(2, 5, 1), 2),
      () => index.search(wide, 1),
      () => index.scoreAll(wide),
    ]) {
      expect(attempt).toThrow(expect.objectContaining({ code: 'wrong-dimension' }));
      expect(attempt).toThrow(/5.*4/);
    }
    expect(() => index.add(1, Float32Array.of(3, 4, 0, 0))).toThrow(/Vector 1 has length 5/);
    expect(() => index.add(1, Float32Array.of(Number.NaN, 0, 0, 0))).toThrow(/NaN/);
    expect(() => index.search(Float32Array.of(Number.NaN, 0, 0, 0), 1)).toThrow(/NaN/);
    expect(index.size).toBe(1);
  });

  it('finds what exact search finds among 3,000 vectors, after removals too', () => {
    const rows = unitRows(3000, 384, 3);
    const index = new VoyIndex(384, runtime);
    const flat = new FlatIndex(384);
    index.addMany(0, rows);
    flat.addMany(0, rows);
    index.plant();
    for (let id = 0; id < 3000; id += 3) expect(index.remove(id)).toBe(flat.remove(id));
    for (let seed = 0; seed < 20; seed++) {
      const query = unitVector(384, 1000 + seed);
      expect(index.search(query, 10)).toEqual(flat.search(query, 10));
    }
    expect(index.scoreAll(unitVector(384, 5))).toEqual(flat.scoreAll(unitVector(384, 5)));
    expect(index.size).toBe(2000);
  });

  it('agrees with the flat index after any sequence of changes', () => {
    const pool = [...Array.from({ length: 8 }, (_, i) => unitVector(6, i)), new Float32Array(6)];
    const change = fc.oneof(
      {
        weight: 5,
        arbitrary: fc.record({ kind: fc.constant('add' as const), id: fc.nat(20), which: fc.nat(8) }),
      },
      { weight: 3, arbitrary: fc.record({ kind: fc.constant('remove' as const), id: fc.nat(20) }) },
      {
        weight: 2,
        arbitrary: fc.record({ kind: fc.constant('query' as const), which: fc.nat(8), k: fc.nat(25) }),
      },
      { weight: 1, arbitrary: fc.record({ kind: fc.constant('panic' as const) }) },
    );
    fc.assert(
      fc.property(fc.array(change, { maxLength: 40 }), (changes) => {
        const index = new VoyIndex(6, runtime);
        const flat = new FlatIndex(6);
        for (const step of changes) {
          if (step.kind === 'add') {
            index.add(step.id, pool[step.which]!);
            flat.add(step.id, pool[step.which]!);
          } else if (step.kind === 'remove') {
            expect(index.remove(step.id)).toBe(flat.remove(step.id));
          } else if (step.kind === 'panic') {
            panic();
          } else {
            expect(index.search(pool[step.which]!, step.k)).toEqual(flat.search(pool[step.which]!, step.k));
          }
        }
        expect(index.search(pool[0]!, 5)).toEqual(flat.search(pool[0]!, 5));
        expect(index.degraded).toBeUndefined();
      }),
      { numRuns: 100 },
    );
  });
});

describe('a panic inside voy', () => {
  it('is reported with its reason and costs no index its vectors', () => {
    const index = new VoyIndex(20, runtime);
    const other = new VoyIndex(20, runtime);
    index.addMany(0, unitRows(200, 20, 4));
    const flat = new FlatIndex(20);
    other.addMany(0, unitRows(50, 20, 5));
    flat.addMany(0, unitRows(50, 20, 5));
    flat.remove(0);
    const query = unitVector(20, 6);
    const before = index.search(query, 10);
    other.plant();
    const generation = runtime.generation;
    expect(panic()).toBeInstanceOf(VoyPanic);
    expect(String(panic())).toMatch(/Too many items with the same position on one axis/);
    expect(runtime.generation).toBe(generation + 2);
    expect(index.search(query, 10)).toEqual(before);
    expect(other.remove(0)).toBe(true);
    expect(other.search(query, 49)).toEqual(flat.search(query, 49));
    expect(index.degraded).toBeUndefined();
  });

  it('leaves exact search, with the reason, when it comes again at once', () => {
    const index = new VoyIndex(20, runtime);
    const rows = unitRows(50, 20, 7);
    index.addMany(0, rows);
    const spy = vi.spyOn(runtime, 'createTree').mockImplementation(() => {
      throw new Error('unreachable');
    });
    const query = unitVector(20, 8);
    const flat = new FlatIndex(20);
    flat.addMany(0, rows);
    expect(index.search(query, 5)).toEqual(flat.search(query, 5));
    expect(index.degraded).toMatch(/twice in a row: unreachable/);
    spy.mockRestore();
    index.add(50, query);
    expect(index.search(query, 1)[0]!.id).toBe(50);
  });
});

it('an index can be used on after its tree was given back', () => {
  const index = new VoyIndex(20, runtime);
  index.addMany(0, unitRows(100, 20, 9));
  const query = unitVector(20, 10);
  const before = index.search(query, 5);
  index.dispose();
  expect(index.search(query, 5)).toEqual(before);
});

describe('VoyRuntime.load', () => {
  it('gives the one runtime of the thread', async () => {
    expect(await loadVoy()).toBe(runtime);
  });

  it('refuses a file that is not voy by name, and tries again the next time', async () => {
    vi.resetModules();
    const fresh = await import('../../../src/index/voy/voy-runtime.ts');
    const html = () => Promise.resolve(new TextEncoder().encode('<!doctype html>'));
    const failure = { code: 'bad-file', message: expect.stringContaining('voy_search_bg.wasm') };
    await expect(fresh.VoyRuntime.load(html)).rejects.toMatchObject(failure);
    const other = () => Promise.reject(new Error('tried again'));
    await expect(fresh.VoyRuntime.load(other)).rejects.toThrow('tried again');
  });
});
