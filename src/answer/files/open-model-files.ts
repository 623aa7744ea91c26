import { CachePartStore } from './cache-part-store.ts';
import type { Fetch } from './download-file.ts';
import type { ModelFiles } from './model-files.ts';
import { memoryModelLock, webModelLock } from './model-lock.ts';
import { MemoryPartStore } from './part-store.ts';
import { browserFreeBytes } from './room.ts';
import { StoredModelFiles } from './stored-model-files.ts';

/** The model files of this browser, for a page or a worker. */
export function browserModelFiles(): ModelFiles {
  return new StoredModelFiles({
    store: new CachePartStore(),
    lock: webModelLock,
    fetch: (url, init) => globalThis.fetch(url, init),
    freeBytes: browserFreeBytes,
  });
}

/** Model files in memory, for tests and for Node. */
export function memoryModelFiles(fetch: Fetch = (url, init) => globalThis.fetch(url, init)): ModelFiles {
  return new StoredModelFiles({
    store: new MemoryPartStore(),
    lock: memoryModelLock(),
    fetch,
    freeBytes: async () => undefined,
    pause: async () => {},
  });
}
