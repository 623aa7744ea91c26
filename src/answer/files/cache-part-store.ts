import type { PartStore } from './part-store.ts';

/** Cache API cache that holds the files of language models. */
export const ANSWER_CACHE = 'skein-answer-models';

/** A name that no request is ever sent to: the cache wants URLs as keys. */
const BASE = 'https://skein.invalid/models/';

/**
 * Pieces in the Cache API: it is there in pages and workers of every browser that can run a model, writes an entry
 * whole or not at all, and gives its bytes as a Blob that stays on the disk. The cache is opened for each call, so that
 * one the browser has cleared in the meantime is noticed.
 */
export class CachePartStore implements PartStore {
  constructor(private readonly name: string = ANSWER_CACHE) {}

  async read(key: string): Promise<Blob | undefined> {
    const hit = await (await caches.open(this.name)).match(BASE + key);
    return hit?.blob();
  }

  async write(key: string, bytes: Blob): Promise<void> {
    await (await caches.open(this.name)).put(BASE + key, new Response(bytes));
  }

  async remove(keys: readonly string[]): Promise<void> {
    const cache = await caches.open(this.name);
    await Promise.all(keys.map((key) => cache.delete(BASE + key)));
  }

  async keys(): Promise<string[]> {
    const requests = await (await caches.open(this.name)).keys();
    return requests.map(({ url }) => url.slice(BASE.length));
  }
}
