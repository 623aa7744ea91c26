import { expect, test } from 'vitest';
import {
  estimateThreadBytes,
  readStorageState,
  requestPersistence,
  type StorageApi,
} from '../../../src/store/storage-state.ts';
import { newThread } from '../../../src/store/thread-rules.ts';
import { STAMP } from '../../store-contract.ts';

const refuse = async (): Promise<never> => {
  throw new TypeError('not here');
};

test('the state is what the browser tells', async () => {
  const api: StorageApi = { estimate: async () => ({ usage: 5, quota: 9 }), persisted: async () => true };
  expect(await readStorageState(api)).toEqual({ usedBytes: 5, quotaBytes: 9, persisted: true });
});

test.each<[string, StorageApi | undefined]>([
  ['has no StorageManager', undefined],
  ['has an empty one', {}],
  ['refuses', { estimate: refuse, persisted: refuse, persist: refuse }],
])('a browser that %s tells nothing and keeps nothing', async (_, api) => {
  expect(await readStorageState(api)).toEqual({ usedBytes: 0, quotaBytes: 0, persisted: false });
  expect(await requestPersistence(api)).toBe(false);
});

test('persistence is asked for only while it is not granted', async () => {
  let asked = 0;
  const persist = async () => {
    asked++;
    return true;
  };
  expect(await requestPersistence({ persisted: async () => true, persist })).toBe(true);
  expect(asked).toBe(0);
  expect(await requestPersistence({ persisted: async () => false, persist })).toBe(true);
  expect(asked).toBe(1);
});

test('a thread takes its vectors, and text by its tokens', () => {
  const thread = { ...newThread('a', 'A', 'skein', 0), turns: 10, tokens: 100, ingested: 4, stamp: STAMP };
  expect(estimateThreadBytes(thread)).toBe(4 * 3 * 4 + 460 + 1200);
});
