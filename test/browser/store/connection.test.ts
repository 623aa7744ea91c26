import { openDB, unwrap } from 'idb';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { cdp } from 'vitest/browser';
import type { SkeinError } from '../../../src/core/errors.ts';
import { Connection } from '../../../src/store/idb/connection.ts';
import { MIGRATIONS, type Migration } from '../../../src/store/idb/migrations.ts';
import { someAsk, someEpisode, someStep, someTurns } from '../../store-contract.ts';
import { TestDatabase } from './fixture.ts';

/** A version that does not exist yet: it counts each thread's questions, and reads old records to do so. */
const nextVersion: Migration = async (_db, tx) => {
  const threads = tx.objectStore('threads');
  for (const thread of await threads.getAll()) {
    const asks = await tx.objectStore('asks').count(IDBKeyRange.bound([thread.id], [thread.id, []]));
    await threads.put({ ...thread, asks });
  }
};
const NEWER = [...MIGRATIONS, nextVersion];

let database: TestDatabase;
beforeEach(() => {
  database = new TestDatabase();
});
afterEach(async () => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  await database.end();
});

describe('migrations', () => {
  test('an old database is upgraded with everything in it', async () => {
    const old = await database.open();
    const { id } = await old.createThread('Old');
    await old.getThreadStore(id).append(someTurns(3));
    await old.getThreadStore(id).commit(someStep(0, 3));
    await old.getThreadStore(id).addAsk(someAsk('one', 0, 1));
    const before = await old.readThread(id);
    old.close();

    const upgraded = await database.open({ migrations: NEWER });
    const after = await upgraded.readThread(id);
    expect(after).toEqual({ ...before, thread: { ...before.thread, asks: 1 } });
  });

  test('a new database runs every migration, an old one only those it lacks', async () => {
    const ran: number[] = [];
    const counted = NEWER.map<Migration>((migration, n) => (db, tx) => {
      ran.push(n + 1);
      return migration(db, tx);
    });
    (await database.open({ migrations: counted.slice(0, 1) })).close();
    (await database.open({ migrations: counted })).close();
    (await database.open({ migrations: counted })).close();
    expect(ran).toEqual([1, 2]);
  });

  test('a migration that fails leaves the old version as it was', async () => {
    const old = await database.open();
    await old.createThread('Old');
    old.close();
    const before = await database.dump();
    const failing: Migration = async (db, tx) => {
      db.createObjectStore('half');
      await tx.objectStore('threads').clear();
      throw new Error('out of luck');
    };
    await expect(database.open({ migrations: [...MIGRATIONS, failing] })).rejects.toMatchObject({
      code: 'storage-unavailable',
      message: expect.stringContaining('out of luck'),
    });
    expect(await database.dump()).toBe(before);
  });

  test('a page older than the database refuses it and says to reload', async () => {
    (await database.open({ migrations: NEWER })).close();
    await expect(database.open()).rejects.toMatchObject({
      code: 'storage-newer',
      remedy: expect.stringContaining('Reload'),
    });
  });
});

describe('two tabs', () => {
  test('of one version see what the other wrote', async () => {
    const [one, two] = [await database.open(), await database.open()];
    const { id } = await one.createThread('Shared');
    const firsts = await Promise.all([
      one.getThreadStore(id).append(someTurns(2)),
      two.getThreadStore(id).append(someTurns(3)),
    ]);
    expect(firsts.sort()).not.toEqual([0, 0]);
    expect((await one.getThread(id)).turns).toBe(5);
    expect(await two.getThreadStore(id).readTurns(0, 9)).toHaveLength(5);
  });

  test('the older one gives way to a newer one, after what it is writing', async () => {
    const reported: SkeinError[] = [];
    const old = await database.open({ onSuperseded: (error) => reported.push(error) });
    const { id } = await old.createThread('Old');
    const writing = old.getThreadStore(id).append(someTurns(2000));
    const newer = await database.open({ migrations: NEWER });
    expect(await writing).toBe(0);
    expect((await newer.getThread(id)).turns).toBe(2000);
    expect(reported).toHaveLength(1);
    expect(reported[0]).toMatchObject({ code: 'storage-closed', remedy: expect.stringContaining('Reload') });
    await expect(old.listThreads()).rejects.toBe(reported[0]);
    await expect(old.getThreadStore(id).append(someTurns(1))).rejects.toBe(reported[0]);
  });

  test('one that does not give way is named, and opening works once it is closed', async () => {
    (await database.open()).close();
    const stubborn = await openDB(database.name);
    await expect(database.open({ migrations: NEWER, patience: 50 })).rejects.toMatchObject({
      code: 'storage-blocked',
      remedy: expect.stringContaining('Close the other tabs'),
    });
    stubborn.close();
    const opened = await database.open({ migrations: NEWER });
    expect(await opened.listThreads()).toEqual([]);
  });

  test('a connection that was blocked goes on by itself when it is asked again', async () => {
    (await database.open()).close();
    const stubborn = await openDB(database.name);
    const connection = new Connection({ name: database.name, migrations: NEWER, patience: 50 });
    await expect(connection.open()).rejects.toMatchObject({ code: 'storage-blocked' });
    await expect(connection.open()).rejects.toMatchObject({ code: 'storage-blocked' });
    stubborn.close();
    await expect.poll(() => connection.open().then(() => 'open')).toBe('open');
    connection.close();
  });

  test('the second one may only read', async () => {
    const leader = await database.open();
    const { id } = await leader.createThread('Led');
    await leader.getThreadStore(id).append(someTurns(2));
    await leader.getThreadStore(id).commit(someStep(0, 2));
    const before = await database.dump();

    const reader = await database.open();
    reader.readOnly = true;
    const store = reader.getThreadStore(id);
    expect((await store.load()).thread.turns).toBe(2);
    const snapshot = await reader.readThread(id);
    const writes: (() => Promise<unknown>)[] = [
      () => reader.createThread('x'),
      () => reader.renameThread(id, 'x'),
      () => reader.deleteThread(id),
      () => reader.addThread(snapshot),
      () => reader.writeSetting('embedder', 'x'),
      () => reader.eraseEverything(),
      () => store.append(someTurns(1)),
      () => store.commit(someStep(2, 2)),
      () => store.putEpisodes([someEpisode(0, 0, 2)]),
      () => store.rewriteTurn(0, 'x', new Float32Array(3)),
      () => store.erase(0, 1, {}),
      () => store.reset('skein', true),
      () => store.addAsk(someAsk('x', 0, 1)),
      () => store.removeAsk(0),
      () => store.writeCache('x', 1),
    ];
    for (const write of writes) await expect(write()).rejects.toMatchObject({ code: 'read-only' });
    expect(await database.dump()).toBe(before);
  });
});

describe('a connection that ends', () => {
  test('close lets running writes finish and refuses later calls', async () => {
    const db = await database.open();
    const { id } = await db.createThread('Kept');
    const writing = db.getThreadStore(id).append(someTurns(500));
    await new Promise((resolve) => setTimeout(resolve));
    db.close();
    expect(await writing).toBe(0);
    await expect(db.listThreads()).rejects.toMatchObject({ code: 'storage-closed' });
    expect((await (await database.open()).getThread(id)).turns).toBe(500);
  });

  test('a browser that clears the data closes it: the next call finds an empty database', async () => {
    const db = await database.open();
    const { id } = await db.createThread('Cleared');
    const { origin } = location;
    await cdp().send('Storage.clearDataForOrigin', { origin, storageTypes: 'indexeddb' });
    expect(await db.listThreads()).toEqual([]);
    await expect(db.getThreadStore(id).append(someTurns(1))).rejects.toMatchObject({ code: 'not-found' });
    await db.createThread('After');
    expect(await db.listThreads()).toHaveLength(1);
  });

  // Closing without clearing can't be asked for, so this closes underneath and sends the browser's event.
  test.each([true, false])('the browser closes it (event sent: %s): the next call reopens', async (event) => {
    const connection = new Connection({ name: database.name });
    const raw = unwrap(await connection.open());
    raw.close();
    if (event) raw.dispatchEvent(new Event('close'));
    await connection.write(['settings'], (tx) => tx.objectStore('settings').put('m', 'embedder'));
    expect(await connection.read(['settings'], (tx) => tx.objectStore('settings').get('embedder'))).toBe('m');
    expect(unwrap(await connection.open())).not.toBe(raw);
    connection.close();
  });

  test('a connection that closes at once each time ends in an error, not in a loop', async () => {
    const connection = new Connection({ name: database.name });
    await connection.open();
    let begun = 0;
    vi.spyOn(IDBDatabase.prototype, 'transaction').mockImplementation(() => {
      begun++;
      throw new DOMException('The database connection is closing.', 'InvalidStateError');
    });
    await expect(
      connection.write(['settings'], (tx) => tx.objectStore('settings').put('m', 'embedder')),
    ).rejects.toMatchObject({ code: 'storage-closed', remedy: expect.stringContaining('reload') });
    expect(begun).toBe(2);
    connection.close();
  });
});

describe('a browser that stores nothing', () => {
  test.each([
    ['has no IndexedDB', undefined],
    [
      'forbids it',
      {
        open() {
          throw new DOMException('The operation is insecure.', 'SecurityError');
        },
      },
    ],
  ])('%s: says what to allow', async (_, factory) => {
    vi.stubGlobal('indexedDB', factory);
    await expect(database.open()).rejects.toMatchObject({
      code: 'storage-unavailable',
      remedy: expect.stringContaining('private browsing'),
    });
    vi.unstubAllGlobals();
  });
});
