import * as Comlink from 'comlink';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Generation } from '../../../src/answer/answer-engine.ts';
import { AnswerClient } from '../../../src/answer/client.ts';
import type { AnswerApi } from '../../../src/answer/contract.ts';
import { EMBEDDED_MODEL } from '../../../src/answer/transformers/models.ts';
import { installTransferHandlers } from '../../../src/core/bridge.ts';
import { SkeinError } from '../../../src/core/errors.ts';
import { generation } from './fake-engine.ts';

// Node 20 has none, the browsers do.
Promise.withResolvers ??= function withResolvers<T>(this: PromiseConstructor): PromiseWithResolvers<T> {
  let settle: Pick<PromiseWithResolvers<T>, 'resolve' | 'reject'>;
  const promise = new Promise<T>((resolve, reject) => {
    settle = { resolve, reject };
  });
  return { promise, ...settle! };
};

beforeEach(() => {
  installTransferHandlers();
  // Node 20 has none; without locks a worker counts as alive until it says otherwise.
  vi.stubGlobal('navigator', {});
});
afterEach(() => {
  vi.unstubAllGlobals();
});

const MESSAGES = [{ role: 'user', content: 'Where is the key?' }] as const;

/** An API that a worker exposes; a test replaces what it is about. */
function api(own: Partial<AnswerApi>): AnswerApi {
  return {
    setKey: async () => {},
    load: async (model) => ({ model, backend: 'wasm', contextWindow: 1000 }),
    generate: async () => generation('Under the pot.'),
    choose: async () => ({ letter: 'A', how: 'probabilities' }),
    countTokens: async () => 7,
    unload: async () => {},
    ...own,
  };
}

/** A client whose n-th worker exposes what `make(n)` gives; the workers are message ports of this thread. */
function clientOf(make: (worker: number) => Partial<AnswerApi>) {
  const workers: { crash(): void }[] = [];
  const client = new AnswerClient(() => {
    const { port1, port2 } = new MessageChannel();
    const listeners = new Map<string, (event: unknown) => void>();
    const worker = {
      postMessage: (message: unknown, transfer: Transferable[] = []) => port1.postMessage(message, transfer),
      addEventListener(kind: string, listener: (event: unknown) => void) {
        if (kind === 'message') port1.addEventListener('message', listener as EventListener);
        else listeners.set(kind, listener);
      },
      removeEventListener: (kind: string, listener: EventListener) =>
        port1.removeEventListener(kind, listener),
      terminate: () => port1.close(),
    };
    port1.start();
    Comlink.expose(api(make(workers.length)), port2);
    workers.push({ crash: () => listeners.get('error')!({ message: 'crashed', preventDefault() {} }) });
    setTimeout(() => port2.postMessage('skein-worker-ready'));
    return worker as unknown as Worker;
  });
  return { client, workers };
}

const lost = new SkeinError('device-lost', 'The GPU device was lost.');

describe('AnswerClient', () => {
  test('loads, answers in pieces, and rejects before anything is loaded', async () => {
    const { client } = clientOf(() => ({
      generate: async (_request, onText) => {
        onText('Under ');
        onText('the pot.');
        return generation('Under the pot.');
      },
    }));
    await expect(client.generate(MESSAGES, { maxTokens: 9 })).rejects.toMatchObject({
      code: 'model-missing',
    });
    await client.load(EMBEDDED_MODEL);
    const pieces: string[] = [];
    const answer = await client.generate(MESSAGES, { maxTokens: 9, onText: (piece) => pieces.push(piece) });
    expect(pieces.join('')).toBe(answer.text);
    await client.dispose();
  });

  test('a dead worker rejects what is pending; the next call loads the model again', async () => {
    const loads: number[] = [];
    const { client, workers } = clientOf((worker) => ({
      load: async (model) => {
        loads.push(worker);
        return { model, backend: 'wasm', contextWindow: 1000 };
      },
      generate: () => (worker === 0 ? new Promise(() => {}) : Promise.resolve(generation('Again.'))),
    }));
    await client.load(EMBEDDED_MODEL);
    const pending = client.generate(MESSAGES, { maxTokens: 9 });
    const failed = expect(pending).rejects.toMatchObject({ code: 'worker-died' });
    setTimeout(() => workers[0]!.crash(), 20);
    await failed;
    expect(client.loaded?.model).toEqual(EMBEDDED_MODEL);
    expect((await client.generate(MESSAGES, { maxTokens: 9 })).text).toBe('Again.');
    expect(loads).toEqual([0, 1]);
    await client.dispose();
  });

  test('a lost device is tried once more in a fresh worker, and the text goes on where it broke off', async () => {
    const { client, workers } = clientOf((worker) => ({
      generate: async (_request, onText) => {
        onText('Under ');
        if (worker === 0) throw lost;
        onText('the pot.');
        return generation('Under the pot.');
      },
    }));
    await client.load(EMBEDDED_MODEL);
    const pieces: string[] = [];
    await client.generate(MESSAGES, { maxTokens: 9, onText: (piece) => pieces.push(piece) });
    expect(pieces.join('')).toBe('Under the pot.');
    expect(workers).toHaveLength(2);
    await client.dispose();
  });

  test('a device that is lost again, and a second try in other words, are told', async () => {
    const always = clientOf(() => ({ generate: () => Promise.reject(lost) }));
    await always.client.load(EMBEDDED_MODEL);
    await expect(always.client.generate(MESSAGES, { maxTokens: 9 })).rejects.toMatchObject({
      code: 'device-lost',
    });
    expect(always.workers).toHaveLength(2);
    await always.client.dispose();

    const other = clientOf((worker) => ({
      generate: async (_request, onText) => {
        onText(worker === 0 ? 'Under ' : 'Behind ');
        await new Promise((resolve) => setTimeout(resolve, 20));
        if (worker === 0) throw lost;
        return generation('Behind the door.');
      },
    }));
    await other.client.load(EMBEDDED_MODEL);
    const pieces: string[] = [];
    const call = other.client.generate(MESSAGES, { maxTokens: 9, onText: (piece) => pieces.push(piece) });
    await expect(call).rejects.toMatchObject({ code: 'device-lost', remedy: 'Ask again.' });
    expect(pieces).toEqual(['Under ']);
    await other.client.dispose();
  });

  test('a stop that the engine obeys is an interrupted answer, from the same worker', async () => {
    const { client, workers } = clientOf(() => ({
      generate: (_request, onText, signal) =>
        new Promise<Generation>((resolve) => {
          onText('Under ');
          signal!.addEventListener('abort', () =>
            resolve({ ...generation('Under '), finish: 'interrupted' }),
          );
        }),
    }));
    await client.load(EMBEDDED_MODEL);
    const stop = new AbortController();
    const answer = await client.generate(MESSAGES, {
      maxTokens: 9,
      signal: stop.signal,
      onText: () => stop.abort(),
    });
    expect(answer).toMatchObject({ text: 'Under ', finish: 'interrupted', promptTokens: 1 });
    expect(workers).toHaveLength(1);
    await client.dispose();
  });

  test('a stop that the engine does not obey ends the worker; the next question is answered', async () => {
    const { client, workers } = clientOf((worker) => ({
      generate: (_request, onText) => {
        onText('Under ');
        return worker === 0 ? new Promise(() => {}) : Promise.resolve(generation('Under the pot.'));
      },
      choose: () => new Promise(() => {}),
    }));
    await client.load(EMBEDDED_MODEL);
    const stop = new AbortController();
    const stopped = await client.generate(MESSAGES, {
      maxTokens: 9,
      signal: stop.signal,
      onText: () => stop.abort(),
    });
    expect(stopped).toMatchObject({ text: 'Under ', finish: 'interrupted' });
    expect((await client.generate(MESSAGES, { maxTokens: 9 })).text).toBe('Under the pot.');
    expect(workers).toHaveLength(2);
    const choose = new AbortController();
    setTimeout(() => choose.abort(), 10);
    await expect(client.choose(MESSAGES, ['A'], { signal: choose.signal })).rejects.toMatchObject({
      code: 'aborted',
    });
    expect(await client.countTokens(MESSAGES)).toBe(7);
    expect(workers).toHaveLength(3);
    await client.dispose();
  });

  test('a stop is heard while tokens are counted, and a model that is there is not loaded again', async () => {
    let loads = 0;
    const { client, workers } = clientOf((worker) => ({
      load: async (model) => {
        loads++;
        return { model, backend: 'wasm', contextWindow: 1000 };
      },
      countTokens: () => (worker === 0 ? new Promise(() => {}) : Promise.resolve(7)),
    }));
    await client.load(EMBEDDED_MODEL);
    await client.load(EMBEDDED_MODEL);
    expect(loads).toBe(1);
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 10);
    await expect(client.countTokens(MESSAGES, { signal: stop.signal })).rejects.toMatchObject({
      code: 'aborted',
    });
    await client.load(EMBEDDED_MODEL);
    expect(loads).toBe(2);
    expect(await client.countTokens(MESSAGES)).toBe(7);
    expect(workers).toHaveLength(2);
    await client.dispose();
  });

  test('unload ends the worker, whose memory is given back in no other way', async () => {
    const { client, workers } = clientOf(() => ({}));
    await client.load(EMBEDDED_MODEL);
    await client.unload();
    expect(client.loaded).toBeUndefined();
    await expect(client.countTokens(MESSAGES)).rejects.toMatchObject({ code: 'model-missing' });
    await client.load(EMBEDDED_MODEL);
    expect(workers).toHaveLength(2);
    await client.dispose();
  });

  test('unload ends a worker that does not answer', async () => {
    const { client } = clientOf(() => ({ unload: () => new Promise(() => {}) }));
    await client.load(EMBEDDED_MODEL);
    await client.unload();
    expect(client.loaded).toBeUndefined();
    await client.dispose();
  });
});
