import { beforeEach, expect, test } from 'vitest';
import type { AnswerEngine, LoadedModel, LoadOptions } from '../../../src/answer/answer-engine.ts';
import { type Device, fits } from '../../../src/answer/device.ts';
import { memoryModelFiles } from '../../../src/answer/files/open-model-files.ts';
import type { AnswerModel } from '../../../src/answer/models.ts';
import { abortedError, SkeinError } from '../../../src/core/errors.ts';
import { ModelSettings } from '../../../src/ui/models/model-settings.ts';
import { ModelsSession } from '../../../src/ui/models/models-session.ts';
import { aModel } from '../answer/models.ts';

const DEVICE: Device = {
  gpu: undefined,
  memoryBytes: undefined,
  cores: 2,
  isolated: false,
  freeBytes: undefined,
};
const A = aModel({ id: 'a', title: 'A' });
const B = aModel({ id: 'b', title: 'B' });
const SERVER = aModel({
  id: 'server',
  engine: 'endpoint',
  bytes: 0,
  source: { kind: 'endpoint', url: 'http://localhost:1/v1', model: 'm' },
});

/** An engine whose loads end when the test says so. */
class SlowEngine {
  loaded: LoadedModel | undefined;
  readonly log: string[] = [];
  finish: (error?: Error) => void = () => {};

  load(model: AnswerModel, { signal, onProgress }: LoadOptions = {}): Promise<LoadedModel> {
    if (this.loaded?.model.id === model.id) return Promise.resolve(this.loaded);
    this.log.push(`load ${model.id}`);
    onProgress?.({ loadedBytes: 0, totalBytes: 1, step: 'start' });
    return new Promise((resolve, reject) => {
      signal?.addEventListener('abort', () => reject(abortedError()));
      this.finish = (error) => {
        if (error) return reject(error);
        this.loaded = { model, backend: 'wasm', contextWindow: 100 };
        resolve(this.loaded);
      };
    });
  }

  async unload(): Promise<void> {
    this.log.push('unload');
    this.loaded = undefined;
  }
}

let engine: SlowEngine;
let settings: ModelSettings;
let keys: (string | undefined)[];

function session(): ModelsSession {
  return new ModelsSession({
    files: memoryModelFiles(),
    settings,
    fits,
    detectDevice: async () => DEVICE,
    catalogue: async (own) => [A, B, SERVER, ...own],
    download: async () => {},
    persist: async () => true,
    connect: async (_, key) => {
      keys.push(key);
      return engine as unknown as AnswerEngine;
    },
  });
}

beforeEach(() => {
  engine = new SlowEngine();
  settings = new ModelSettings(undefined);
  keys = [];
});

const loading = (id: string) => expect.poll(() => engine.log.at(-1)).toBe(`load ${id}`);

test('Recall only is the default, and asking for an engine says what to do', async () => {
  const models = session();
  await models.ready;
  expect(models.chosen).toBeUndefined();
  await expect(models.engine()).rejects.toMatchObject({
    code: 'not-found',
    remedy: expect.stringContaining('Models'),
  });
  expect(() => models.choose('nobody')).toThrow(/nobody/);
});

test('A chosen model is loaded once for all who ask, and again only after it was let go', async () => {
  const models = session();
  await models.ready;
  models.choose('a');
  const both = Promise.all([models.engine(), models.engine()]);
  await loading('a');
  expect(models.load).toMatchObject({ kind: 'loading', model: { id: 'a' } });
  engine.finish();
  const [one, two] = await both;
  expect(one).toBe(two);
  await models.engine();
  expect(engine.log).toEqual(['load a']);
  expect(models.load).toMatchObject({ kind: 'ready', loaded: { backend: 'wasm' } });
  models.choose(undefined);
  expect(engine.log).toEqual(['load a', 'unload']);
  expect(models.load).toEqual({ kind: 'idle' });
});

test('Another choice while a model loads ends that load; what it says later changes nothing', async () => {
  const models = session();
  await models.ready;
  models.choose('a');
  const first = models.engine();
  first.catch(() => {});
  await loading('a');
  models.choose('b');
  await expect(first).rejects.toMatchObject({ code: 'aborted' });
  const second = models.engine();
  await loading('b');
  engine.finish();
  await second;
  expect(models.load).toMatchObject({ kind: 'ready', loaded: { model: { id: 'b' } } });
});

test('A load that fails is told with its remedy, and the next question tries again', async () => {
  const models = session();
  await models.ready;
  models.choose('a');
  const failed = models.engine();
  failed.catch(() => {});
  await loading('a');
  engine.finish(new SkeinError('out-of-memory', 'No memory.', 'Close tabs.'));
  await expect(failed).rejects.toMatchObject({ code: 'out-of-memory' });
  expect(models.load).toMatchObject({ kind: 'failed', message: 'No memory.', remedy: 'Close tabs.' });
  const again = models.engine();
  await expect.poll(() => engine.log.filter((line) => line === 'load a').length).toBe(2);
  engine.finish();
  await again;
});

test('The choice is there after a reload; a stop by the person is no failure', async () => {
  settings.chosen = 'b';
  const models = session();
  await models.ready;
  expect(models.chosen?.id).toBe('b');
  const control = new AbortController();
  const stopped = models.engine(control.signal);
  stopped.catch(() => {});
  await loading('b');
  control.abort();
  await expect(stopped).rejects.toMatchObject({ code: 'aborted' });
  expect(models.load).toEqual({ kind: 'idle' });
});

test('A key goes to its own server only', async () => {
  const models = session();
  await models.ready;
  models.setEndpointKey('server', 'secret', false);
  for (const id of ['server', 'a']) {
    models.choose(id);
    const loaded = models.engine();
    await loading(id);
    engine.finish();
    await loaded;
  }
  expect(keys).toEqual(['secret', undefined]);
  expect(settings.endpointKey('server')).toBeUndefined();
});

test('A model whose worker died is loaded again with its progress shown, and a stop ends that load', async () => {
  settings.chosen = 'a';
  const models = session();
  const first = models.engine();
  await loading('a');
  engine.finish();
  await first;
  engine.loaded = undefined;
  const control = new AbortController();
  const again = models.engine(control.signal);
  again.catch(() => {});
  await expect.poll(() => models.load.kind).toBe('loading');
  control.abort();
  await expect(again).rejects.toMatchObject({ code: 'aborted' });
  expect(engine.log).toEqual(['load a', 'load a']);
});

test('An own model that is added again takes the place of the old one, which is let go', async () => {
  const models = session();
  const own = aModel({ id: 'own', source: { kind: 'files', name: 'own' } });
  await models.add(own, [
    { path: 'model.gguf', blob: new Blob(['old']) },
    { path: 'skein-checksums.json', blob: new Blob(['{}']) },
  ]);
  models.choose('own');
  const loaded = models.engine();
  await loading('own');
  engine.finish();
  await loaded;
  await models.add(own, [{ path: 'model.gguf', blob: new Blob(['newer']) }]);
  expect(engine.loaded).toBeUndefined();
  expect(models.load).toEqual({ kind: 'idle' });
  expect(models.models.find(({ model }) => model.id === 'own')?.files).toEqual({ kind: 'kept', bytes: 5 });
});

test('A choice made in another tab lets go of the engine', async () => {
  settings.chosen = 'a';
  const models = session();
  const loaded = models.engine();
  await loading('a');
  engine.finish();
  await loaded;
  await models.refresh();
  expect(models.load.kind).toBe('ready');
  settings.chosen = 'b';
  await models.refresh();
  expect(engine.log).toEqual(['load a', 'unload']);
  expect(models.load).toEqual({ kind: 'idle' });
  expect(models.chosen?.id).toBe('b');
});
