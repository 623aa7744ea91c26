import { openDB } from 'idb';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { SkeinDatabase } from '../../../src/store/idb/database.ts';
import { textHash } from '../../../src/store/text-hash.ts';
import type { ThreadStore } from '../../../src/store/thread-store.ts';
import { STAMP, someStep, someTurns, vectorOf } from '../../store-contract.ts';
import { TestDatabase } from './fixture.ts';

let database: TestDatabase;
let db: SkeinDatabase;
let store: ThreadStore;
beforeEach(async () => {
  database = new TestDatabase();
  db = await database.open();
  store = db.getThreadStore((await db.createThread('Thread')).id);
});
afterEach(async () => {
  vi.restoreAllMocks();
  await database.end();
});

test('two texts with one hash never swap vectors', async () => {
  await store.append([
    { role: 'user', text: 'left' },
    { role: 'user', text: 'right' },
  ]);
  await store.commit(someStep(0, 2));
  // No two texts with one hash are known, so the index is made to say that these are.
  const raw = await openDB(database.name);
  const row = await raw.get('turns', [store.id, 0]);
  await raw.put('turns', { ...row, hash: textHash('right') });
  raw.close();
  expect(await store.findVectors(['right', 'left'], STAMP)).toEqual([vectorOf(1), undefined]);
});

test('a text said many times reads no more than the block that has its vector', async () => {
  const same = Array.from({ length: 2000 }, () => ({ role: 'user' as const, text: 'ok' }));
  await store.append([...someTurns(10), ...same]);
  await store.commit(someStep(0, 12));
  const get = vi.spyOn(IDBObjectStore.prototype, 'get');
  expect(await store.findVectors(['ok', 'ok', 'turn 3'], STAMP)).toEqual([
    vectorOf(10),
    vectorOf(10),
    vectorOf(3),
  ]);
  const stores = get.mock.contexts.map((context) => (context as IDBObjectStore).name);
  expect(stores.filter((name) => name === 'vectors')).toHaveLength(1);
  expect(stores.filter((name) => name === 'turns')).toHaveLength(2);
});
