import { afterEach, beforeEach, expect, test } from 'vitest';
import type { SkeinDatabase } from '../../../src/store/idb/database.ts';
import type { ThreadStore } from '../../../src/store/thread-store.ts';
import { someAsk, someEpisode, someStep, someTurns, someVersion } from '../../store-contract.ts';
import { TestDatabase } from './fixture.ts';

let database: TestDatabase;
let db: SkeinDatabase;
beforeEach(async () => {
  database = new TestDatabase();
  db = await database.open();
});
afterEach(() => database.end());

// Numbers that occur nowhere else, so that a trace of an erased vector shows in the dump.
const SECRET_VECTOR = new Float32Array([0.1234567, 0.7654321, -0.5555555]);
const SECRET_TRACES = ['tangerine', 'fruit-basket', ...[...SECRET_VECTOR].map(String)];

/** A thread with a secret in turns 4 to 5, its vectors, two summaries, two questions, an answer and a cache. */
async function threadWithSecret(name: string): Promise<string> {
  const { id } = await db.createThread(name);
  const store = db.getThreadStore(id);
  await store.append([
    ...someTurns(4),
    { role: 'user', text: 'the password is tangerine', source: 'fruit-basket.json' },
    { role: 'model', text: 'tangerine it is' },
    ...someTurns(4, 'later'),
  ]);
  const vectors = someStep(0, 10).vectors.map((vector, i) => (i === 4 || i === 5 ? SECRET_VECTOR : vector));
  await store.commit({
    ...someStep(0, 10, { vectors, segmenter: { sum: [...SECRET_VECTOR] } }),
    episodes: [someEpisode(0, 0, 3), { ...someEpisode(1, 3, 10), summary: SECRET_VECTOR }],
    clusters: [{ id: 0, members: [0, 1], vector: SECRET_VECTOR }],
  });
  await store.addAsk({ ...someAsk('what was the tangerine for?', 3, 10) });
  await store.addAsk(someAsk('what came first?', 0, 3));
  await answered(store);
  await store.writeCache('lexical', { terms: 'tangerine', vectors: [SECRET_VECTOR] });
  return id;
}

/** A question that recalled the secret; the answer shown does not tell it, an earlier version does. */
async function answered(store: ThreadStore): Promise<void> {
  const { id } = await store.addAsk(someAsk('may I know?', 3, 10));
  const version = someVersion({ passages: [{ episode: 1, start: 3, end: 10 }] });
  const turns = [
    { role: 'user', text: 'may I know?' },
    { role: 'model', text: 'it is tangerine' },
  ] as const;
  const question = await store.append(turns, { askId: id, version });
  const versions = [{ ...version, text: 'it is tangerine' }, version];
  const answer = { question, turn: question + 1, versions, shown: 1 };
  const asks = [{ ...(await store.readAsk(id))!, answer }];
  await store.rewriteTurn(question + 1, 'better not', undefined, { asks });
}

test('erasing turns leaves their words and vectors in no record of any store', async () => {
  const id = await threadWithSecret('With a secret');
  const before = await database.dump();
  for (const trace of SECRET_TRACES) expect(before).toContain(trace);

  await db.getThreadStore(id).erase(4, 6, {
    episodes: [{ ...someEpisode(1, 3, 10), summary: new Float32Array([1, 0, 0]) }],
    clusters: [{ id: 0, members: [0, 1], vector: new Float32Array([0, 1, 0]) }],
    segmenter: { sum: [0, 0, 0] },
  });

  const after = await database.dump();
  for (const trace of SECRET_TRACES) expect(after).not.toContain(trace);
  expect(after).toContain('later 3');
  expect(after).toContain('what came first?');
  // Twelve turns less two: an erased turn keeps no hash that its words could be guessed from.
  expect(JSON.parse(after)['turns/hash']).toHaveLength(10);
});

test('deleting a thread leaves nothing of it and all of the others', async () => {
  const kept = await threadWithSecret('Kept');
  const without = await database.dump();
  const doomed = await threadWithSecret('Doomed');
  expect(await database.dump()).toContain(doomed);

  await db.deleteThread(doomed);
  expect(await database.dump()).toBe(without);
  expect((await db.listThreads()).map((thread) => thread.id)).toEqual([kept]);
  await db.deleteThread(doomed);

  const store = db.getThreadStore(doomed);
  for (const call of [
    () => store.load(),
    () => store.append(someTurns(1)),
    () => store.readTurns(0, 1),
    () => store.commit(someStep(0, 0)),
    () => store.erase(0, 1, {}),
    () => store.writeCache('lexical', 'tangerine'),
    () => store.addAsk(someAsk('tangerine', 0, 1)),
  ]) {
    await expect(call()).rejects.toMatchObject({ code: 'not-found' });
  }
  expect(await database.dump()).toBe(without);
});

test('threads whose ids begin alike are not taken for one another', async () => {
  const { thread, ...rest } = await db.readThread(await threadWithSecret('One'));
  await db.addThread({ ...rest, thread: { ...thread, id: 'a' } });
  await db.addThread({ ...rest, thread: { ...thread, id: 'aa' } });
  await db.deleteThread('a');
  expect(await db.readThread('aa')).toEqual({ ...rest, thread: { ...thread, id: 'aa' } });
});

test('eraseEverything empties every store', async () => {
  await threadWithSecret('Doomed');
  await db.writeSetting('embedder', 'tangerine');
  await db.eraseEverything();
  const stores = Object.values(JSON.parse(await database.dump()) as Record<string, unknown[][]>);
  expect(stores.flat(2)).toEqual([]);
  expect(await db.listThreads()).toEqual([]);
});

test('threads are listed by their last change, renamed, and keep their options', async () => {
  const first = await db.createThread('First', { configuration: 'tsim', questions: ['Who?'] });
  const second = await db.createThread('Second');
  expect(first).toMatchObject({ configuration: 'tsim', questions: ['Who?'], turns: 0 });
  await new Promise((resolve) => setTimeout(resolve, 5));
  await db.renameThread(first.id, 'First \udc00 again');
  expect((await db.listThreads()).map((thread) => thread.name)).toEqual(['First \ufffd again', 'Second']);
  expect(await db.getThread(second.id)).toEqual(second);
  await expect(db.renameThread('nobody', 'x')).rejects.toMatchObject({ code: 'not-found' });
  await expect(db.getThread('nobody')).rejects.toMatchObject({ code: 'not-found' });
});

test('settings are kept by name', async () => {
  expect(await db.readSetting('embedder')).toBeUndefined();
  await db.writeSetting('embedder', 'bge-small');
  await db.writeSetting('configuration', 'tsim');
  db.close();
  db = await database.open();
  expect(await db.readSetting('embedder')).toBe('bge-small');
  expect(await db.readSetting('configuration')).toBe('tsim');
});
