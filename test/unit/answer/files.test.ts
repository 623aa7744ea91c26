import { beforeEach, describe, expect, test } from 'vitest';
import { memoryModelLock } from '../../../src/answer/files/model-lock.ts';
import { MemoryPartStore } from '../../../src/answer/files/part-store.ts';
import { StoredModelFiles } from '../../../src/answer/files/stored-model-files.ts';
import { FakeServer } from './fake-server.ts';

const PART = 4096;

let server: FakeServer;
let store: MemoryPartStore;
let free: number | undefined;
let files: StoredModelFiles;
let lock: ReturnType<typeof memoryModelLock>;

beforeEach(() => {
  server = new FakeServer();
  store = new MemoryPartStore();
  free = undefined;
  lock = memoryModelLock();
  files = new StoredModelFiles({
    store,
    lock,
    fetch: server.fetch,
    freeBytes: async () => free,
    pause: async () => {},
    partBytes: PART,
  });
});

async function bytesOf(modelId: string, path: string): Promise<Uint8Array> {
  return new Uint8Array(await (await files.read(modelId, path))!.arrayBuffer());
}

function fetched(path: string): string[] {
  return server.log.filter((line) => line.startsWith(`GET ${path}`));
}

/** Fetches until `path` has sent `bytes`, then pauses. */
async function pauseAfter(path: string, bytes: number, list = [server.file(path)]): Promise<void> {
  const control = new AbortController();
  server.onSent = (sent, count) => {
    if (sent === path && count >= bytes) control.abort();
  };
  await expect(files.fetch('m', list, { signal: control.signal })).rejects.toMatchObject({ code: 'aborted' });
  server.onSent = () => {};
}

describe('a download', () => {
  test('counts all files against one total that is known before the first byte', async () => {
    server.serve('a.bin', 3 * PART + 17);
    server.serve('dir/b.json', 900);
    server.serve('c.bin', 2 * PART);
    const list = [
      server.file('a.bin'),
      server.file('dir/b.json', { size: false, hash: false }),
      server.file('c.bin'),
    ];
    const seen: [number, number][] = [];
    await files.fetch('m', list, { onProgress: (loaded, total) => seen.push([loaded, total]) });
    const total = 3 * PART + 17 + 900 + 2 * PART;
    expect(seen[0]).toEqual([0, total]);
    expect(new Set(seen.map(([, all]) => all))).toEqual(new Set([total]));
    expect(seen.map(([loaded]) => loaded)).toEqual(seen.map(([loaded]) => loaded).sort((a, b) => a - b));
    expect(seen.at(-1)).toEqual([total, total]);
    expect(await bytesOf('m', 'dir/b.json')).toEqual(server.files.get('dir/b.json')!.body);
    expect(await bytesOf('m', 'a.bin')).toEqual(server.files.get('a.bin')!.body);
    expect(await files.list()).toEqual([{ modelId: 'm', bytes: total, complete: true }]);
    expect(server.log[0]).toBe('HEAD dir/b.json');
  });

  test('of what is here already asks nobody, so it works offline, and says that all is here', async () => {
    server.serve('a.bin', 5000);
    await files.fetch('m', [server.file('a.bin')]);
    server.online = false;
    const seen: [number, number][] = [];
    const onProgress = (loaded: number, total: number) => void seen.push([loaded, total]);
    await files.fetch('m', [server.file('a.bin')], { onProgress });
    expect(server.log).toEqual(['GET a.bin']);
    expect(seen).toEqual([[5000, 5000]]);
  });

  test('that is paused goes on behind the parts that are here', async () => {
    server.serve('a.bin', 700);
    server.serve('b.bin', 5 * PART + 5);
    const list = [server.file('a.bin'), server.file('b.bin')];
    await pauseAfter('b.bin', 3 * PART, list);
    expect(await files.list()).toEqual([{ modelId: 'm', bytes: 700 + 2 * PART, complete: false }]);
    expect(await files.read('m', 'b.bin')).toBeUndefined();
    const seen: number[] = [];
    await files.fetch('m', list, { onProgress: (loaded) => seen.push(loaded) });
    expect(seen[0]).toBe(700 + 2 * PART);
    expect(fetched('a.bin')).toHaveLength(1);
    expect(fetched('b.bin')).toEqual(['GET b.bin', `GET b.bin ${2 * PART}-`]);
    expect(await bytesOf('m', 'b.bin')).toEqual(server.files.get('b.bin')!.body);
  });

  test('from a server without ranges keeps what it has where the version is the same', async () => {
    server.serve('a.bin', 5 * PART, { noRanges: true, etag: '"1"' });
    await pauseAfter('a.bin', 3 * PART, [server.file('a.bin', { hash: false })]);
    await files.fetch('m', [server.file('a.bin', { hash: false })]);
    expect(await bytesOf('m', 'a.bin')).toEqual(server.files.get('a.bin')!.body);
  });

  test.each([
    ['with ranges', {}],
    ['without ranges', { noRanges: true }],
  ])('never mixes two versions of a file, %s', async (_, extra) => {
    const served = server.serve('a.bin', 4 * PART, { etag: '"1"', ...extra });
    const list = [server.file('a.bin', { hash: false })];
    await pauseAfter('a.bin', 2 * PART + 1000, list);
    server.files.set('a.bin', { ...served, body: served.body.map((byte) => byte ^ 1), etag: '"2"' });
    await files.fetch('m', list);
    expect(await bytesOf('m', 'a.bin')).toEqual(server.files.get('a.bin')!.body);
  });

  test('that nothing identifies begins anew', async () => {
    const served = server.serve('a.bin', 4 * PART, { noRanges: true });
    const list = [server.file('a.bin', { hash: false })];
    await pauseAfter('a.bin', 2 * PART + 1000, list);
    server.files.set('a.bin', { ...served, body: served.body.map((byte) => byte ^ 1) });
    await files.fetch('m', list);
    expect(await bytesOf('m', 'a.bin')).toEqual(server.files.get('a.bin')!.body);
  });

  test('that breaks off goes on by itself, as long as each try brings something', async () => {
    server.serve('a.bin', 9 * PART, { breakAfter: PART + 1000 });
    await files.fetch('m', [server.file('a.bin')]);
    expect(await bytesOf('m', 'a.bin')).toEqual(server.files.get('a.bin')!.body);
    expect(fetched('a.bin').length).toBeGreaterThan(5);
  });

  test('that brings nothing more is given up, and what came stays', async () => {
    const served = server.serve('a.bin', 4 * PART, { breakAfter: PART + 3000 });
    await pauseAfter('a.bin', PART + 2000);
    served.breakAfter = 100;
    await expect(files.fetch('m', [server.file('a.bin')])).rejects.toMatchObject({
      code: 'download-failed',
      message: expect.stringContaining('a.bin'),
      remedy: expect.stringContaining('kept'),
    });
    expect(await files.list()).toEqual([{ modelId: 'm', bytes: PART, complete: false }]);
  });

  test('of a file that the server does not have names it and its status, at once', async () => {
    server.serve('a.bin', 100);
    const missing = { path: 'gone.bin', url: 'https://models.test/gone.bin', bytes: 5 };
    await expect(files.fetch('m', [missing])).rejects.toMatchObject({
      code: 'download-failed',
      message: expect.stringMatching(/gone\.bin.*404/),
    });
    expect(fetched('gone.bin')).toHaveLength(1);
  });

  test('of a gated file says who may have it', async () => {
    server.serve('a.bin', 100, { status: 401 });
    await expect(files.fetch('m', [server.file('a.bin')])).rejects.toMatchObject({
      code: 'download-failed',
      remedy: expect.stringContaining('signed in'),
    });
  });
});

describe('a file that is not what it should be', () => {
  const PAGE = new TextEncoder().encode(' <!DOCTYPE html><title>Skein</title>');

  test.each([
    [
      'longer',
      (body: Uint8Array<ArrayBuffer>) => ({ body: new Uint8Array([...body, 1]) }),
      /5001 bytes instead/,
    ],
    [
      'shorter',
      (body: Uint8Array<ArrayBuffer>) => ({ body: body.slice(0, 4990) }),
      /4990 bytes instead of 5000/,
    ],
    ['altered', (body: Uint8Array<ArrayBuffer>) => ({ body: body.with(4321, 1) }), /SHA-256/],
    ['a page by its type', () => ({ body: PAGE, type: 'text/html; charset=utf-8' }), /web page/],
    ['a page by its first words', () => ({ body: PAGE }), /web page/],
  ])('(%s) is refused by name and removed; the others stay', async (_, change, why) => {
    server.serve('good.bin', 6000);
    const served = server.serve('bad.bin', 5000);
    const list = [server.file('good.bin'), server.file('bad.bin')];
    server.files.set('bad.bin', { ...served, ...change(served.body) });
    await files.fetch('m', [list[0]!]);
    await expect(files.fetch('m', list)).rejects.toMatchObject({
      code: 'integrity-failed',
      message: expect.stringMatching(new RegExp(`bad\\.bin.*${why.source}`)),
    });
    expect(await files.read('m', 'bad.bin')).toBeUndefined();
    expect((await store.keys()).filter((key) => key.includes('bad.bin'))).toEqual([]);
    expect((await files.read('m', 'good.bin'))!.size).toBe(6000);
    expect(await files.list()).toEqual([{ modelId: 'm', bytes: 6000, complete: false }]);
    server.files.set('bad.bin', served);
    await files.fetch('m', list);
    expect(await files.list()).toEqual([{ modelId: 'm', bytes: 11_000, complete: true }]);
  });

  test('because the published one has changed is fetched again', async () => {
    server.serve('a.bin', 5000);
    await files.fetch('m', [server.file('a.bin')]);
    server.serve('a.bin', 5000).body.fill(7);
    await files.fetch('m', [server.file('a.bin')]);
    expect((await bytesOf('m', 'a.bin')).every((byte) => byte === 7)).toBe(true);
  });
});

describe('storage', () => {
  test('that is too small is found out before the first byte, with what to delete', async () => {
    await files.put('old', [{ path: 'w.gguf', blob: new Blob([new Uint8Array(9_000_000)]) }]);
    server.serve('a.bin', 5000);
    free = 4999;
    await expect(files.fetch('m', [server.file('a.bin')])).rejects.toMatchObject({
      code: 'quota',
      remedy: expect.stringContaining('old (9 MB)'),
    });
    expect(server.log).toEqual([]);
    free = 5000;
    await files.fetch('m', [server.file('a.bin')]);
  });

  test('that runs full on the way keeps what came, and goes on when there is room', async () => {
    server.serve('a.bin', 6 * PART);
    const write = store.write.bind(store);
    store.write = async (key, bytes) => {
      if (key.endsWith('/3')) throw Object.assign(new Error('full'), { name: 'QuotaExceededError' });
      await write(key, bytes);
    };
    await expect(files.fetch('m', [server.file('a.bin')])).rejects.toMatchObject({ code: 'quota' });
    expect(await files.list()).toEqual([{ modelId: 'm', bytes: 3 * PART, complete: false }]);
    store.write = write;
    await files.fetch('m', [server.file('a.bin')]);
    expect(fetched('a.bin')).toEqual(['GET a.bin', `GET a.bin ${3 * PART}-`]);
    expect(await bytesOf('m', 'a.bin')).toEqual(server.files.get('a.bin')!.body);
  });

  test('that the browser cleared in part is noticed, and the file is fetched again', async () => {
    server.serve('a.bin', 4 * PART);
    await files.fetch('m', [server.file('a.bin')]);
    await store.remove((await store.keys()).filter((key) => key.endsWith('/2')));
    expect(await files.read('m', 'a.bin')).toBeUndefined();
    await files.fetch('m', [server.file('a.bin')]);
    expect(await bytesOf('m', 'a.bin')).toEqual(server.files.get('a.bin')!.body);
  });

  test('that the browser clears on the way is filled again before the file counts as whole', async () => {
    server.serve('a.bin', 4 * PART);
    server.onSent = (_, bytes) => {
      if (bytes === 3000 + 3 * PART - ((3 * PART) % 1000)) void store.remove(['m/a.bin/1']);
    };
    await files.fetch('m', [server.file('a.bin')]);
    expect(fetched('a.bin')).toEqual(['GET a.bin', `GET a.bin ${PART}-`]);
    expect(await bytesOf('m', 'a.bin')).toEqual(server.files.get('a.bin')!.body);
  });

  test('keeps dropped files beside others, lists them, and removes one model without another', async () => {
    const blob = new Blob([new Uint8Array(2 * PART + 1).fill(5)]);
    await files.put('own 1/é', [{ path: 'my model?.gguf', blob }]);
    await files.put('own 1/é', [{ path: 'note.txt', blob: new Blob(['hello']) }]);
    await files.put('own 10', [{ path: 'x', blob: new Blob(['x']) }]);
    expect(await files.list()).toEqual([
      { modelId: 'own 1/é', bytes: blob.size + 5, complete: true },
      { modelId: 'own 10', bytes: 1, complete: true },
    ]);
    expect((await bytesOf('own 1/é', 'my model?.gguf')).length).toBe(blob.size);
    await files.remove('own 1/é', ['note.txt']);
    expect(await files.read('own 1/é', 'note.txt')).toBeUndefined();
    expect((await files.list())[0]).toEqual({ modelId: 'own 1/é', bytes: blob.size, complete: false });
    await files.put('own 1/é', [{ path: 'other.gguf', blob: new Blob(['new']) }], { whole: true });
    expect(await files.read('own 1/é', 'my model?.gguf')).toBeUndefined();
    expect((await files.list())[0]).toEqual({ modelId: 'own 1/é', bytes: 3, complete: true });
    await files.remove('own 1/é');
    expect(await files.list()).toEqual([{ modelId: 'own 10', bytes: 1, complete: true }]);
  });
});

test('a call that more files follow leaves the model incomplete', async () => {
  server.serve('a.bin', PART);
  server.serve('b.bin', PART);
  for (let twice = 0; twice < 2; twice++) {
    await files.fetch('m', [server.file('a.bin')], { moreToCome: true });
    expect(await files.list()).toEqual([{ modelId: 'm', bytes: PART, complete: false }]);
  }
  await files.fetch('m', [server.file('a.bin'), server.file('b.bin')]);
  expect(await files.list()).toEqual([{ modelId: 'm', bytes: 2 * PART, complete: true }]);
});

describe('two tabs', () => {
  test('that want the same model download it once; the second one is told that it waits', async () => {
    server.serve('a.bin', 5 * PART);
    let waited = 0;
    const first = files.fetch('m', [server.file('a.bin')], { onWaiting: () => waited++ });
    const second = files.fetch('m', [server.file('a.bin')], { onWaiting: () => waited++ });
    await Promise.all([first, second]);
    expect(waited).toBe(1);
    expect(fetched('a.bin')).toEqual(['GET a.bin']);
    await files.remove('m');
    expect(await files.list()).toEqual([]);
  });

  test('hold their model: it is not removed meanwhile, but as soon as one has ended', async () => {
    server.serve('a.bin', PART);
    await files.fetch('m', [server.file('a.bin')]);
    let letGo = () => {};
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    const holding = lock('m', () => held);
    await expect(files.remove('m')).rejects.toMatchObject({ code: 'storage-blocked' });
    expect(await files.list()).toHaveLength(1);
    const removed = files.remove('m');
    letGo();
    await Promise.all([holding, removed]);
    expect(await files.list()).toEqual([]);
  });
});
