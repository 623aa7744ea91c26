import { afterAll, beforeAll, expect, test } from 'vitest';
import { cdp } from 'vitest/browser';
import { someTurns } from '../../store-contract.ts';
import { TestDatabase } from './fixture.ts';

const { origin } = location;
const database = new TestDatabase();
beforeAll(async () => {
  // So long after the last database is closed, that of another test, the browser forgets how much room there was.
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  const { usage = 0 } = await navigator.storage.estimate();
  await cdp().send('Storage.overrideQuotaForOrigin', { origin, quotaSize: usage + 1_000_000 });
});
afterAll(async () => {
  await cdp().send('Storage.overrideQuotaForOrigin', { origin });
  await database.end();
});

test('a full disk is told as such and leaves what was stored', async () => {
  const db = await database.open();
  const store = db.getThreadStore((await db.createThread('Full')).id);
  await store.append(someTurns(3));
  // The browser compresses what it stores, so only random text fills the space.
  const text = Array.from({ length: 200_000 }, () => Math.random().toString(36)).join('');
  let acknowledged = 3;
  const append = async () => {
    await store.append([{ role: 'user', text }]);
    acknowledged++;
  };
  // A browser that has not forgotten it remembers for half a minute how much room there was before.
  await expect
    .poll(() => append().catch((error) => error), { timeout: 50_000, interval: 1_000 })
    .toMatchObject({ code: 'quota', remedy: expect.stringContaining('Delete threads') });
  expect((await store.load()).thread.turns).toBe(acknowledged);
  expect(await store.readTurns(0, 99)).toHaveLength(acknowledged);
});
