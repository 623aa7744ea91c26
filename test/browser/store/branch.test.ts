import { afterEach, beforeEach, expect, test } from 'vitest';
import { branchOf } from '../../../src/memory/branch.ts';
import { EpisodicMemory } from '../../../src/memory/episodic-memory.ts';
import type { SkeinDatabase } from '../../../src/store/idb/database.ts';
import { someVersion } from '../../store-contract.ts';
import { HashEmbedder, topicThread } from '../../unit/memory/support.ts';
import { TestDatabase } from './fixture.ts';

let database: TestDatabase;
let db: SkeinDatabase;
beforeEach(async () => {
  database = new TestDatabase();
  db = await database.open();
});
afterEach(() => database.end());

test('a branch has the turns, episodes, marks and questions up to its place, and embeds nothing', async () => {
  const embedder = new HashEmbedder();
  const { id } = await db.createThread('The trunk');
  const store = db.getThreadStore(id);
  const memory = await EpisodicMemory.open({ store, embedder });
  await memory.append(topicThread(48));
  await memory.catchUp();
  expect(memory.episodes.length).toBeGreaterThan(3);
  await memory.setPinned(0, true);
  await memory.setForgotten(1, true);
  await memory.erase(3, 4);
  const ask = await store.addAsk({
    text: 'topic0word3?',
    askedAt: 5,
    position: memory.turns,
    ingested: memory.ingested,
    configuration: 'skein',
    episodes: await memory.recall('topic4word3'),
    milliseconds: 1,
  });
  const asked = [
    { role: 'user', text: ask.text },
    { role: 'model', text: 'It was word three.' },
  ] as const;
  const { from } = await memory.append(asked, { askId: ask.id, version: someVersion() });
  await memory.append(topicThread(8));
  await memory.catchUp();
  const trunk = await database.dump();

  const branch = async (turns: number) => {
    const options = { id: crypto.randomUUID(), name: 'A branch', now: 9, marks: [] };
    const { snapshot, caches } = branchOf(await db.readThread(id), turns, options);
    return db.addThread(snapshot, caches);
  };
  const head = await branch(from + 2);
  expect(head).toMatchObject({ name: 'A branch', branchedFrom: { threadId: id, turns: from + 2 } });
  const branchStore = db.getThreadStore(head.id);
  expect(await branchStore.readTurns(0, 999)).toEqual(await store.readTurns(0, from + 2));
  expect(await branchStore.listAsks()).toEqual(await store.listAsks());
  expect(await db.getThreadStore((await branch(from)).id).listAsks()).toEqual([]);

  const embedded = embedder.asked.length;
  const grown = await EpisodicMemory.open({ store: branchStore, embedder });
  await grown.catchUp();
  expect(embedder.asked.length).toBe(embedded);
  const closed = grown.episodes.slice(0, -1);
  expect(closed.length).toBeGreaterThan(2);
  expect(closed).toEqual(memory.episodes.slice(0, closed.length));
  expect([closed[0]!.pinned, closed[1]!.forgottenAt !== undefined]).toEqual([true, true]);

  await db.deleteThread(head.id);
  for (const { id: other } of await db.listThreads()) if (other !== id) await db.deleteThread(other);
  expect(await database.dump()).toBe(trunk);
});
