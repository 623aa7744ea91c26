import { expect, test } from 'vitest';
import type { EngineTable } from '../../../src/answer/engines.ts';
import { memoryModelFiles } from '../../../src/answer/files/open-model-files.ts';
import { AnswerService } from '../../../src/answer/service.ts';
import { EMBEDDED_MODEL } from '../../../src/answer/transformers/models.ts';
import { FakeEngine } from './fake-engine.ts';

const ground = { files: memoryModelFiles(), site: 'https://example.org/' };

function service() {
  const made: { kind: string; engine: FakeEngine; key: () => string | undefined }[] = [];
  const factory =
    (kind: string) =>
    async ({ key }: { key: () => string | undefined }) => {
      const engine = new FakeEngine();
      made.push({ kind, engine, key });
      return engine;
    };
  const engines: EngineTable = { transformers: factory('transformers'), endpoint: factory('endpoint') };
  return { made, service: new AnswerService(engines, ground) };
}

test('one engine at a time: another kind takes its place and frees it; the same kind stays', async () => {
  const { made, service: own } = service();
  await own.load(EMBEDDED_MODEL, () => {});
  await own.load({ ...EMBEDDED_MODEL, id: 'other' }, () => {});
  expect(made.map(({ kind }) => kind)).toEqual(['transformers']);
  await own.load({ ...EMBEDDED_MODEL, engine: 'endpoint' }, () => {});
  expect(made.map(({ kind }) => kind)).toEqual(['transformers', 'endpoint']);
  expect(made[0]!.engine.loaded).toBeUndefined();
  expect((await own.generate({ messages: [], maxTokens: 1 }, () => {})).text).toBe('Because.');
  await own.unload();
  expect(made[1]!.engine.loaded).toBeUndefined();
  await expect(own.countTokens([])).rejects.toMatchObject({ code: 'model-missing' });
});

test('an engine that is not there is told, and the key reaches the one that asks for it', async () => {
  const { made, service: own } = service();
  await expect(own.load({ ...EMBEDDED_MODEL, engine: 'prompt-api' }, () => {})).rejects.toMatchObject({
    code: 'model-missing',
    message: expect.stringContaining('prompt-api'),
  });
  await own.load({ ...EMBEDDED_MODEL, engine: 'endpoint' }, () => {});
  await own.setKey('secret');
  expect(made[0]!.key()).toBe('secret');
});
