import { CachePartStore } from '../../../src/answer/files/cache-part-store.ts';
import type { ModelFile } from '../../../src/answer/files/model-files.ts';
import { webModelLock } from '../../../src/answer/files/model-lock.ts';
import { StoredModelFiles } from '../../../src/answer/files/stored-model-files.ts';

/** Another tab, for the store: fetches a model and tells what it waited for, requested and read. */
self.onmessage = async ({ data }: MessageEvent<{ cache: string; file: ModelFile }>) => {
  let requests = 0;
  const files = new StoredModelFiles({
    store: new CachePartStore(data.cache),
    lock: webModelLock,
    fetch: (url, init) => {
      requests++;
      return fetch(url, init);
    },
    freeBytes: async () => undefined,
  });
  await files.fetch('minilm', [data.file], { onWaiting: () => self.postMessage('waiting') });
  const blob = await files.read('minilm', data.file.path);
  self.postMessage({ requests, bytes: blob?.size });
};
