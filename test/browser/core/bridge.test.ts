import * as Comlink from 'comlink';
import { afterEach, describe, expect, test } from 'vitest';
import { WorkerClient } from '../../../src/core/bridge.ts';
import type { SkeinError } from '../../../src/core/errors.ts';
import type { FixtureApi } from './bridge-fixture.ts';

const deaths: SkeinError[] = [];
const workers: Worker[] = [];
const client = new WorkerClient<FixtureApi>(
  'fixture',
  (lifeLock) => {
    const worker = new Worker(new URL('./bridge.worker.ts', import.meta.url), {
      type: 'module',
      name: lifeLock,
    });
    workers.push(worker);
    return worker;
  },
  (error) => deaths.push(error),
);
afterEach(() => {
  client.restart();
  deaths.length = 0;
  workers.length = 0;
});

const add = () => client.call((remote) => remote.add(1, 2));

describe('a worker client', () => {
  test('starts its worker once, on the first call', async () => {
    expect(workers).toHaveLength(0);
    expect(await Promise.all([add(), add()])).toEqual([3, 3]);
    expect(await add()).toBe(3);
    expect(workers).toHaveLength(1);
  });

  test('keeps code and remedy of a typed error, and the message of any other', async () => {
    await expect(client.call((remote) => remote.fail())).rejects.toMatchObject({
      name: 'SkeinError',
      code: 'model-broken',
      message: 'The file x is broken.',
      remedy: 'Fetch x again.',
    });
    await expect(client.call((remote) => remote.failPlainly())).rejects.toMatchObject({
      code: 'internal',
      message: 'no such thing',
    });
    expect(workers).toHaveLength(1);
  });

  test('passes callbacks in order', async () => {
    const seen: number[] = [];
    await client.call((remote) =>
      remote.count(
        50,
        Comlink.proxy((n) => void seen.push(n)),
      ),
    );
    await add();
    expect(seen).toEqual(Array.from({ length: 50 }, (_, i) => i + 1));
  });
});

describe('a worker that dies', () => {
  test.each([
    ['closes itself', (remote: Comlink.Remote<FixtureApi>) => remote.close()],
    ['throws where no promise sees it', (remote: Comlink.Remote<FixtureApi>) => remote.throwOutside()],
  ])('because it %s rejects every pending call, and the next call works again', async (_, die) => {
    await add();
    const pending = client.call((remote) => remote.hang());
    const deadly = client.call(die);
    await expect(deadly).rejects.toMatchObject({
      code: 'worker-died',
      remedy: expect.stringContaining('again'),
    });
    await expect(pending).rejects.toMatchObject({ code: 'worker-died' });
    expect(deaths).toHaveLength(1);
    expect(await add()).toBe(3);
    expect(workers).toHaveLength(2);
  });

  test('because it is terminated from outside is noticed too', async () => {
    await add();
    const pending = client.call((remote) => remote.hang());
    workers[0]!.terminate();
    await expect(pending).rejects.toMatchObject({ code: 'worker-died' });
    expect(await add()).toBe(3);
  });

  test('in its very first call is noticed too', async () => {
    await expect(client.call((remote) => remote.close())).rejects.toMatchObject({ code: 'worker-died' });
    expect(await add()).toBe(3);
  });

  test('because its script fails rejects the call', async () => {
    const broken = new WorkerClient<FixtureApi>(
      'broken',
      (name) =>
        new Worker(new URL('data:text/javascript,throw new Error("broken script")'), {
          type: 'module',
          name,
        }),
    );
    await expect(broken.call((remote) => remote.add(1, 2))).rejects.toMatchObject({
      code: 'worker-died',
      message: expect.stringContaining('broken script'),
    });
  });

  test('by restart rejects what is pending', async () => {
    const pending = client.call((remote) => remote.hang());
    client.restart('Enough.');
    await expect(pending).rejects.toMatchObject({ code: 'worker-died', message: 'Enough.' });
    expect(await add()).toBe(3);
  });
});

describe('an abort', () => {
  test('rejects the call, reaches the worker and leaves it alive', async () => {
    const controller = new AbortController();
    let reached = () => {};
    const inWorker = new Promise<void>((resolve) => {
      reached = resolve;
    });
    const call = client.call((remote, signal) => {
      const waiting = Comlink.proxy(() => controller.abort());
      return remote.waitForAbort(
        waiting,
        Comlink.proxy(() => reached()),
        signal,
      );
    }, controller.signal);
    await expect(call).rejects.toMatchObject({ code: 'aborted' });
    await inWorker;
    expect(await add()).toBe(3);
    expect(workers).toHaveLength(1);
  });

  test('before the call starts nothing', async () => {
    const call = client.call((remote) => remote.add(1, 2), AbortSignal.abort());
    await expect(call).rejects.toMatchObject({ code: 'aborted' });
    expect(workers).toHaveLength(0);
  });

  test('rejects at once even where the worker does not listen', async () => {
    const controller = new AbortController();
    const call = client.call((remote) => remote.hang(), controller.signal);
    controller.abort();
    await expect(call).rejects.toMatchObject({ code: 'aborted' });
    expect(await add()).toBe(3);
  });
});
