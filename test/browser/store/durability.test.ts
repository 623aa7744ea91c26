import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { SkeinDatabase } from '../../../src/store/idb/database.ts';
import type { ThreadStore } from '../../../src/store/thread-store.ts';
import { STAMP, someAsk, someEpisode, someStep, someTurns, vectorOf } from '../../store-contract.ts';
import { TestDatabase } from './fixture.ts';

let database: TestDatabase;
let db: SkeinDatabase;
let store: ThreadStore;
beforeEach(async () => {
  database = new TestDatabase();
  db = await database.open();
  store = db.getThreadStore((await db.createThread('Thread')).id);
  await store.append(someTurns(30));
  await store.commit(someStep(0, 20, { clusters: [{ id: 0, members: [0], vector: vectorOf(1) }] }));
  await store.addAsk(someAsk('which?', 0, 20));
  await store.writeCache('lexical', 1);
});
afterEach(async () => {
  vi.restoreAllMocks();
  await database.end();
});

/** Fails the request number `fatal` of `method`, counted from 0, as a broken disk would: by aborting. */
function failRequest(method: 'put' | 'delete', fatal: number): void {
  const original = IDBObjectStore.prototype[method] as (...args: unknown[]) => IDBRequest;
  let count = 0;
  vi.spyOn(IDBObjectStore.prototype, method).mockImplementation(function (
    this: IDBObjectStore,
    ...args: unknown[]
  ) {
    const request = original.apply(this, args);
    if (count++ === fatal) queueMicrotask(() => this.transaction.abort());
    return request;
  } as never);
}

const steps: [string, 'put' | 'delete', number, () => Promise<unknown>][] = [
  ['append', 'put', 7, () => store.append(someTurns(10))],
  ['commit', 'put', 1, () => store.commit(someStep(20, 30))],
  [
    'rewriteTurn',
    'put',
    2,
    () => store.rewriteTurn(3, 'x', vectorOf(9), { episodes: [someEpisode(0, 0, 20)] }),
  ],
  ['erase', 'put', 5, () => store.erase(0, 9, { episodes: [someEpisode(0, 0, 20)] })],
  ['reset', 'delete', 2, () => store.reset('tsim', false)],
  ['deleteThread', 'delete', 4, () => db.deleteThread(store.id)],
  ['addThread', 'put', 12, async () => db.addThread(await db.readThread(store.id))],
];

test.each(steps)(
  '%s that is aborted in the middle leaves the state before it',
  async (_, method, fatal, step) => {
    const before = await database.dump();
    failRequest(method, fatal);
    await expect(step()).rejects.toMatchObject({ code: 'storage-closed' });
    vi.restoreAllMocks();
    expect(await database.dump()).toBe(before);
    // And the connection still works.
    expect(await store.append(someTurns(1))).toBe(30);
  },
);

test('a value that can not be stored is refused with the rest of its call', async () => {
  const before = await database.dump();
  const bad = someStep(20, 30, {
    episodes: [someEpisode(1, 20, 25), { ...someEpisode(2, 25, 30), x: () => 1 } as never],
  });
  await expect(store.commit(bad)).rejects.toMatchObject({ code: 'bad-argument' });
  await expect(store.writeCache('x', { f: () => 1 })).rejects.toMatchObject({ code: 'bad-argument' });
  expect(await database.dump()).toBe(before);
});

test('closing between append and commit keeps the turns and no half of the step', async () => {
  const first = await store.append(someTurns(5, 'new'));
  db.close();
  await expect(store.commit(someStep(20, 35))).rejects.toMatchObject({ code: 'storage-closed' });
  const again = (await database.open()).getThreadStore(store.id);
  const { thread, episodes } = await again.load();
  expect(thread).toMatchObject({ turns: 35, ingested: 20 });
  expect(episodes).toEqual([someEpisode(0, 0, 20)]);
  expect((await again.readTurns(first, 99)).map((turn) => turn.text)).toEqual(
    someTurns(5, 'new').map((turn) => turn.text),
  );
  await again.commit(someStep(20, 35));
  expect((await again.load()).thread.ingested).toBe(35);
});

test.each([1, 2, 5, 8])(
  'a worker killed after %i messages loses nothing it acknowledged',
  async (messages) => {
    const thread = await db.createThread('Killed');
    const worker = new Worker(new URL('./appending.worker.ts', import.meta.url), { type: 'module' });
    const told: { turns: number; ingested: number }[] = [];
    await new Promise<void>((resolve) => {
      worker.onmessage = ({ data }) => {
        told.push(data);
        if (told.length === messages) resolve();
      };
      worker.postMessage({ name: database.name, threadId: thread.id });
    });
    worker.terminate();
    const { turns, ingested } = told[messages - 1]!;
    const killed = db.getThreadStore(thread.id);
    const found = await killed.load();
    expect(found.thread.turns).toBeGreaterThanOrEqual(turns);
    expect(found.thread.ingested).toBeGreaterThanOrEqual(ingested);
    // Whole steps only: the turns, the vectors and the episodes tell the same story.
    expect(found.thread.turns % 40).toBe(0);
    expect(found.thread.ingested % 40).toBe(0);
    expect(await killed.readTurns(0, 1e6)).toHaveLength(found.thread.turns);
    expect(found.vectors).toHaveLength(found.thread.ingested * STAMP.dimension);
    expect(found.episodes.map((episode) => episode.end)).toEqual(
      Array.from({ length: found.thread.ingested / 40 }, (_, i) => (i + 1) * 40),
    );
  },
);

test('a summary that is a view of a large buffer is stored without that buffer', async () => {
  const large = new Float32Array(100_000);
  await store.putEpisodes([{ ...someEpisode(0, 0, 20), summary: large.subarray(3, 6) }]);
  const { episodes } = await store.load();
  expect(episodes[0]!.summary!.buffer.byteLength).toBe(12);
});
