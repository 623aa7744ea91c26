import { describe, expect, test } from 'vitest';
import type { EmbedderState } from '../../../src/embed/contract.ts';
import { EmbedService } from '../../../src/embed/service.ts';
import { DIMENSION, FakeEncoder, FakePlatform, fakeReferences, fakeVector } from './fakes.ts';

const MODEL = 'all-MiniLM-L6-v2';
const right = () => new FakeEncoder();
/** Right for short inputs, wrong for long ones, without an error: seen on WebGPU. */
const wrongWhenLong = () =>
  new FakeEncoder((states) => {
    if (states.length > 60 * DIMENSION) states.fill(0.5);
  });
const notANumber = () => new FakeEncoder((states) => void states.fill(Number.NaN));
const failing = () => {
  throw new Error('device lost');
};

async function load(platform: FakePlatform, request = {}) {
  const states: EmbedderState[] = [];
  const service = new EmbedService(platform);
  const outcome = await service
    .load({ model: MODEL, ...request }, (state) => states.push(state))
    .catch((error: unknown) => error);
  return { service, states, outcome };
}

describe('choice of a backend', () => {
  test.each([
    ['hardware', 'webgpu', undefined],
    ['software', 'wasm', 'software'],
    ['none', 'wasm', 'No WebGPU'],
  ] as const)('with %s WebGPU it is %s', async (gpu, backend, notice) => {
    const { states } = await load(new FakePlatform({ gpu, encoders: { webgpu: right, wasm: right } }));
    expect(states.at(-1)).toMatchObject({ kind: 'ready', backend });
    const last = states.at(-1)!;
    const said = last.kind === 'ready' ? last.notice : undefined;
    if (notice) expect(said).toContain(notice);
    else expect(said).toBeUndefined();
  });

  test('a forced one is taken, and refused with a reason where it is missing', async () => {
    const forced = await load(new FakePlatform({ gpu: 'software', encoders: { webgpu: right } }), {
      backend: 'webgpu',
    });
    expect(forced.states.at(-1)).toMatchObject({ kind: 'ready', backend: 'webgpu' });
    const missing = await load(new FakePlatform({ gpu: 'none', encoders: {} }), { backend: 'webgpu' });
    expect(missing.outcome).toMatchObject({ code: 'no-webgpu' });
    expect(missing.states.at(-1)).toMatchObject({ kind: 'failed', model: MODEL });
  });
});

describe('fall-back', () => {
  test.each([
    ['computes wrong long vectors', wrongWhenLong, 'computes wrong vectors'],
    ['computes no numbers', notANumber, 'computes wrong vectors'],
    ['fails to start', failing, 'device lost'],
  ])('from WebGPU to WASM where it %s is made and told', async (_, webgpu, why) => {
    const platform = new FakePlatform({ gpu: 'hardware', encoders: { webgpu, wasm: right } });
    const { states, service } = await load(platform);
    expect(platform.created).toEqual(['webgpu', 'wasm']);
    expect(states.at(-1)).toMatchObject({
      kind: 'ready',
      backend: 'wasm',
      notice: expect.stringMatching(`WebGPU failed, so WASM is used instead.*${why}`),
    });
    expect(states.filter((s) => s.kind === 'testing').at(-1)).toMatchObject({ backend: 'wasm' });
    const flat = await service.embed({ texts: ['abc'], kind: 'query', longTexts: 'parts' }, () => {});
    expect(flat).toEqual(fakeVector('abc'));
  });

  test('there is none from WASM: wrong vectors fail with a remedy and nothing is ready', async () => {
    const platform = new FakePlatform({
      gpu: 'hardware',
      encoders: { webgpu: wrongWhenLong, wasm: wrongWhenLong },
    });
    const { outcome, states, service } = await load(platform);
    expect(outcome).toMatchObject({
      code: 'self-test-failed',
      remedy: expect.stringContaining('another model'),
    });
    expect(states.at(-1)).toMatchObject({ kind: 'failed' });
    const work = service.embed({ texts: ['abc'], kind: 'query', longTexts: 'parts' }, () => {});
    await expect(work).rejects.toMatchObject({ code: 'model-missing' });
  });

  test('a session that can not be made on WASM means a broken model, which is forgotten', async () => {
    const platform = new FakePlatform({ gpu: 'none', encoders: { wasm: failing } });
    const { outcome } = await load(platform, { model: 'gte-small' });
    expect(outcome).toMatchObject({ code: 'model-broken', message: 'device lost' });
    expect(platform.forgotten).toEqual(['gte-small']);
  });

  test('a hub model, which has no stored vectors, is compared with WASM', async () => {
    const steadilyWrong = () =>
      new FakeEncoder((states) => {
        for (let i = 0; i < states.length; i += DIMENSION) states[i + 200] = 0.3;
      });
    const agreeing = new FakePlatform({ gpu: 'hardware', encoders: { webgpu: right, wasm: right } });
    const { states } = await load(agreeing, { model: 'gte-small' });
    expect(states.at(-1)).toMatchObject({ kind: 'ready', backend: 'webgpu' });
    expect(agreeing.created).toEqual(['webgpu', 'wasm']);
    const wrong = new FakePlatform({ gpu: 'hardware', encoders: { webgpu: steadilyWrong, wasm: right } });
    expect((await load(wrong, { model: 'gte-small' })).states.at(-1)).toMatchObject({
      kind: 'ready',
      backend: 'wasm',
      notice: expect.stringContaining('wrong vectors'),
    });
  });

  test('nothing is forgotten where memory or the GPU is at fault, not the files', async () => {
    const full = () => {
      throw new RangeError('Array buffer allocation failed');
    };
    const small = new FakePlatform({ gpu: 'none', encoders: { wasm: full } });
    expect((await load(small, { model: 'gte-small' })).outcome).toMatchObject({ code: 'out-of-memory' });
    const noHalf = new FakePlatform({ gpu: 'hardware', encoders: { webgpu: failing } });
    const request = { model: 'bge-large-en-v1.5', backend: 'webgpu' };
    expect((await load(noHalf, request)).outcome).toMatchObject({
      code: 'no-webgpu',
      message: 'device lost',
    });
    expect([...small.forgotten, ...noHalf.forgotten]).toEqual([]);
  });

  test('corrupted references are noticed', async () => {
    const references = fakeReferences.map((r) => ({
      ...r,
      vector: r.vector.map((x, i) => (i % 2 ? -x : x)),
    }));
    const { outcome } = await load(new FakePlatform({ gpu: 'none', encoders: { wasm: right }, references }));
    expect(outcome).toMatchObject({
      code: 'self-test-failed',
      message: expect.stringContaining('at least 0.999'),
    });
  });
});

describe('loading', () => {
  test('counts runtime and model as one and ends at the total', async () => {
    const { states } = await load(new FakePlatform({ gpu: 'none', encoders: { wasm: right } }));
    const loading = states.filter((s) => s.kind === 'loading');
    expect(loading.at(-1)).toEqual({ kind: 'loading', model: MODEL, loadedBytes: 150, totalBytes: 150 });
  });

  test('the same model twice is loaded once; another one replaces it', async () => {
    const encoders: FakeEncoder[] = [];
    const make = () => encoders[encoders.push(new FakeEncoder()) - 1]!;
    const service = new EmbedService(new FakePlatform({ gpu: 'none', encoders: { wasm: make } }));
    const onState = () => {};
    await Promise.all([service.load({ model: MODEL }, onState), service.load({ model: MODEL }, onState)]);
    // The weights that were chosen, by their name.
    const { stamp } = await service.load({ model: MODEL }, onState);
    await service.load({ model: MODEL, dtype: stamp.dtype }, onState);
    expect(encoders).toHaveLength(1);
    await expect(service.load({ model: 'none' }, onState)).rejects.toMatchObject({ code: 'bad-argument' });
    expect(encoders[0]!.disposed).toBe(true);
    await service.load({ model: MODEL }, onState);
    expect(encoders).toHaveLength(2);
  });

  test('an aborted load leaves nothing loaded and the state idle', async () => {
    const controller = new AbortController();
    const states: EmbedderState[] = [];
    const service = new EmbedService(new FakePlatform({ gpu: 'none', encoders: { wasm: right } }));
    const load = service.load(
      { model: MODEL },
      (state) => {
        states.push(state);
        if (state.kind === 'testing') controller.abort();
      },
      controller.signal,
    );
    await expect(load).rejects.toMatchObject({ code: 'aborted' });
    expect(states.at(-1)).toEqual({ kind: 'idle', model: MODEL });
  });

  test('cut and whole texts are served by one model', async () => {
    const { service } = await load(new FakePlatform({ gpu: 'none', encoders: { wasm: right } }));
    const texts = [`${'a'.repeat(254)}${'b'.repeat(300)}`];
    const cut = await service.embed({ texts, kind: 'passage', longTexts: 'cut' }, () => {});
    const whole = await service.embed({ texts, kind: 'passage', longTexts: 'parts' }, () => {});
    expect(cut).toEqual(fakeVector('a'.repeat(254)));
    expect(whole).not.toEqual(cut);
  });

  test('token vectors are those of the text asked for, and need a loaded model', async () => {
    const platform = new FakePlatform({ gpu: 'none', encoders: { wasm: right } });
    const request = { texts: ['abc', 'a'], kind: 'query', longTexts: 'parts' } as const;
    const empty = new EmbedService(platform).embedTokens(request);
    await expect(empty).rejects.toMatchObject({ code: 'model-missing' });
    const { service } = await load(platform);
    const rows = await service.embedTokens(request);
    expect(rows.map((row) => row.length / DIMENSION)).toEqual([3, 1]);
  });
});

test('bytes that arrive after a file has failed change nothing of what was said', async () => {
  const platform = new FakePlatform({ gpu: 'none', encoders: { wasm: right } });
  let arrive: () => void = () => {};
  let given: AbortSignal | undefined;
  platform.prepareRuntime = async (_, onBytes, signal?: AbortSignal) => {
    arrive = () => onBytes(50, 50);
    given = signal;
    await new Promise(() => {});
  };
  platform.fetchModel = async () => {
    throw new Error('status 404');
  };
  const { states } = await load(platform);
  const before = states.length;
  arrive();
  expect(states).toHaveLength(before);
  expect(states.at(-1)).toMatchObject({ kind: 'failed', message: 'status 404' });
  expect(given?.aborted).toBe(true);
});
