import { afterEach, beforeEach, expect, test } from 'vitest';
import { CachePartStore } from '../../../src/answer/files/cache-part-store.ts';
import { PART_BYTES } from '../../../src/answer/files/file-shelf.ts';
import type { ModelFile } from '../../../src/answer/files/model-files.ts';
import { webModelLock } from '../../../src/answer/files/model-lock.ts';
import { browserFreeBytes } from '../../../src/answer/files/room.ts';
import { StoredModelFiles } from '../../../src/answer/files/stored-model-files.ts';
import { siteBase } from '../../../src/runtime/site.ts';
import { fetchManifest } from '../../../src/runtime/verified-files.ts';

/** Three parts of a real model file, from a server that answers ranges. */
const PATH = 'onnx/model_int8.onnx';
const FOLDER = `${siteBase()}models/all-MiniLM-L6-v2/`;
const { files } = await fetchManifest(FOLDER, (url, init) => fetch(url, init));
const FILE: ModelFile = { path: PATH, url: FOLDER + PATH, ...files[PATH] };
const CACHE = 'files-test';

let ranges: (string | null)[];

/** Model files as a page opens them anew; `before` holds up each request. */
function open(before: () => Promise<unknown> = async () => undefined): StoredModelFiles {
  return new StoredModelFiles({
    store: new CachePartStore(CACHE),
    lock: webModelLock,
    fetch: async (url, init) => {
      ranges.push(new Headers(init.headers).get('range'));
      await before();
      return fetch(url, init);
    },
    freeBytes: browserFreeBytes,
  });
}

beforeEach(() => {
  ranges = [];
});
afterEach(() => caches.delete(CACHE));

async function sha256(blob: Blob): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', await blob.arrayBuffer()));
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

test('A download that is paused goes on behind the parts in the real cache, and is the published file', async () => {
  const control = new AbortController();
  const paused = open().fetch('minilm', [FILE], {
    signal: control.signal,
    onProgress: (loaded) => loaded > PART_BYTES * 1.5 && control.abort(),
  });
  await expect(paused).rejects.toMatchObject({ code: 'aborted' });
  expect(await open().list()).toEqual([{ modelId: 'minilm', bytes: PART_BYTES, complete: false }]);
  const seen: number[] = [];
  await open().fetch('minilm', [FILE], { onProgress: (loaded) => seen.push(loaded) });
  expect(seen[0]).toBe(PART_BYTES);
  expect(ranges).toEqual([null, `bytes=${PART_BYTES}-`]);
  expect(await sha256((await open().read('minilm', PATH))!)).toBe(FILE.sha256);
  await open().remove('minilm');
  expect(await open().list()).toEqual([]);
});

test('A worker that wants the model while the page downloads it waits, and requests nothing itself', async () => {
  const worker = new Worker(new URL('./files.worker.ts', import.meta.url), { type: 'module' });
  const messages: unknown[] = [];
  worker.onmessage = ({ data }) => messages.push(data);
  try {
    const page = open(async () => {
      worker.postMessage({ cache: CACHE, file: FILE });
      await expect.poll(() => messages).toEqual(['waiting']);
    });
    await page.fetch('minilm', [FILE]);
    await expect.poll(() => messages).toEqual(['waiting', { requests: 0, bytes: FILE.bytes }]);
  } finally {
    worker.terminate();
  }
});

test('A cache that the browser clears in the middle of a download is filled again', async () => {
  let cleared: Promise<unknown> | undefined;
  await open().fetch('minilm', [FILE], {
    onProgress: (loaded) => {
      if (loaded > PART_BYTES * 2.2) cleared ??= caches.delete(CACHE);
    },
  });
  expect(await cleared).toBe(true);
  expect(ranges).toEqual([null, null]);
  expect((await open().read('minilm', PATH))!.size).toBe(FILE.bytes);
});
