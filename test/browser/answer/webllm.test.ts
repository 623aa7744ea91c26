import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { ChatMessage, GenerateOptions, LoadProgress } from '../../../src/answer/answer-engine.ts';
import { AnswerClient } from '../../../src/answer/client.ts';
import { ANSWER_CACHE } from '../../../src/answer/files/cache-part-store.ts';
import { browserModelFiles } from '../../../src/answer/files/open-model-files.ts';
import type { AnswerModel } from '../../../src/answer/models.ts';

// Software WebGPU is slow on a busy machine, and no test here is about time.
const PATIENCE = 240_000;

// The model has random weights: what it says makes no sense, and is the same every time. To this question it says much.
const TINY: AnswerModel = tiny('good');
const QUESTION: readonly ChatMessage[] = [{ role: 'user', content: 'Hi' }];
/** Few: a software GPU takes its time for each. */
const TOKENS = 5;

function tiny(fault: string, needs: Partial<AnswerModel['needs']> = {}): AnswerModel {
  const url = `https://models.test/${fault}`;
  return {
    id: `tiny ${fault}`,
    engine: 'webllm',
    title: 'Tiny',
    bytes: 3_821_385,
    contextWindow: 4096,
    licence: 'Apache-2.0',
    needs: { webgpu: true, shaderF16: false, memoryBytes: 0, ...needs },
    source: { kind: 'url', url, library: `${url}/model.wasm` },
    note: '',
  };
}

const workers: Worker[] = [];
const client = new AnswerClient((name) => {
  const worker = new Worker(new URL('./webllm.worker.ts', import.meta.url), { type: 'module', name });
  workers.push(worker);
  return worker;
});

const channel = new BroadcastChannel('webllm-test');
let fetched: string[] = [];
let gpuHidden = () => {};
channel.onmessage = ({ data }: MessageEvent<{ fetched?: string; gpuHidden?: true }>) => {
  if (data.fetched) fetched.push(data.fetched);
  if (data.gpuHidden) gpuHidden();
};

/** Takes the worker's GPU away for good. */
async function hideGpu(): Promise<void> {
  const heard = new Promise<void>((resolve) => {
    gpuHidden = resolve;
  });
  // A worker that is just starting does not listen yet.
  const again = setInterval(() => channel.postMessage({ do: 'hide-gpu' }), 50);
  await heard;
  clearInterval(again);
}

const answer = (options: Partial<GenerateOptions> = {}) =>
  client.generate(QUESTION, { maxTokens: TOKENS, ...options });

/** Files of a model that are kept, or parts of them. */
async function kept(modelId: string): Promise<string[]> {
  const keys = await (await caches.open(ANSWER_CACHE)).keys();
  const folder = `/models/${encodeURIComponent(modelId)}/`;
  const paths = keys.map(({ url }) => new URL(url).pathname).filter((path) => path.startsWith(folder));
  return [...new Set(paths.map((path) => path.slice(folder.length).split('/')[0]!))];
}

/** Caches that web-llm would make for itself. */
async function webLlmCaches(): Promise<string[]> {
  return (await caches.keys()).filter((name) => name.startsWith('webllm'));
}

afterEach(() => {
  fetched = [];
});
afterAll(async () => {
  await client.dispose();
  await caches.delete(ANSWER_CACHE);
});

describe('a load that fails', () => {
  const ALL = ['mlc-chat-config.json', 'tensor-cache.json', 'tokenizer.json', 'library.wasm'];

  test.each<[fault: string, code: string, says: RegExp, gone?: readonly string[]]>([
    ['missing~mlc-chat-config.json', 'download-failed', /mlc-chat-config\.json.*404/],
    ['missing~params_shard_0.bin', 'download-failed', /params_shard_0\.bin.*404/],
    ['missing~model.wasm', 'download-failed', /model\.wasm.*404/],
    ['page~mlc-chat-config.json', 'integrity-failed', /mlc-chat-config\.json.*web page/],
    ['page~tokenizer.json', 'integrity-failed', /tokenizer\.json.*web page/],
    ['hiddenpage~model.wasm', 'integrity-failed', /model\.wasm.*web page/],
    ['truncated~tensor-cache.json', 'integrity-failed', /tensor-cache\.json.*no JSON/],
    ['truncated~tokenizer.json', 'integrity-failed', /tokenizer\.json.*no JSON/],
    [
      'truncated~params_shard_0.bin',
      'integrity-failed',
      /params_shard_0\.bin.*112448 bytes instead of 224896/,
    ],
    ['altered~params_shard_0.bin', 'integrity-failed', /params_shard_0\.bin.*not those that the model lists/],
    // Only web-llm finds out, and can't say which file it is: all that nobody vouches for go.
    ['truncated~model.wasm', 'model-broken', /CompileError/, ALL],
    ['altered~model.wasm', 'model-broken', /CompileError/, ALL],
  ])('because of %s says so, and leaves nothing bad behind', async (fault, code, says, gone) => {
    const model = tiny(fault);
    const error: unknown = await client.load(model).catch((reason: unknown) => reason);
    expect(error).toMatchObject({
      code,
      message: expect.stringMatching(says),
      remedy: expect.stringMatching(/again/),
    });
    const bad = gone ?? [fault.split('~')[1]!.replace('model.wasm', 'library.wasm')];
    expect((await kept(model.id)).filter((path) => bad.includes(path))).toEqual([]);
    expect(await webLlmCaches()).toEqual([]);
    await browserModelFiles().remove(model.id);
  });

  test('for want of 16-bit floats fails before anything is fetched', async () => {
    const error = client.load(tiny('good', { shaderF16: true }));
    await expect(error).rejects.toMatchObject({
      code: 'no-shader-f16',
      remedy: expect.stringContaining('q4f32'),
    });
    expect(fetched).toEqual([]);
  });

  test('because a person stopped it keeps what came', async () => {
    const control = new AbortController();
    const onProgress = ({ step }: LoadProgress) => {
      if (step === 'verify') control.abort();
    };
    const loading = client.load(tiny('stopped'), { signal: control.signal, onProgress });
    await expect(loading).rejects.toMatchObject({ code: 'aborted' });
    expect(client.loaded).toBeUndefined();
    expect((await kept('tiny stopped')).length).toBeGreaterThan(0);
  });
});

describe('a WebLLM model in the answer worker', { timeout: PATIENCE }, () => {
  const progress: LoadProgress[] = [];
  /** The answer to `QUESTION`, as the first test got it. */
  let first: string;

  beforeAll(async () => {
    const loaded = await client.load(TINY, { onProgress: (p) => progress.push(p) });
    expect(loaded).toMatchObject({
      backend: 'webgpu',
      contextWindow: 512,
      notice: expect.stringContaining('software'),
    });
  }, PATIENCE);

  test('loads with one total, which every step reaches', () => {
    expect(new Set(progress.map(({ totalBytes }) => totalBytes))).toEqual(new Set([TINY.bytes]));
    for (const step of ['download', 'verify', 'start'] as const) {
      const bytes = progress.filter((p) => p.step === step).map(({ loadedBytes }) => loadedBytes);
      expect(bytes, step).toEqual([...bytes].sort((a, b) => a - b));
      expect(bytes.at(-1), step).toBe(TINY.bytes);
    }
  });

  test('streams the same answer every time, and with a seed another one that is the same every time', async () => {
    const pieces: string[] = [];
    const one = await answer({ onText: (piece) => pieces.push(piece) });
    first = one.text;
    expect(pieces.length).toBeGreaterThan(1);
    expect(pieces.join('')).toBe(one.text);
    expect(one).toMatchObject({ finish: 'length', tokens: TOKENS });
    expect((await answer()).text).toBe(first);
    const seeded = await answer({ temperature: 1, seed: 5 });
    expect(seeded.text).not.toBe(first);
    expect((await answer({ temperature: 1, seed: 5 })).text).toBe(seeded.text);
  });

  test("counts a prompt as web-llm's own tokenizer does, whatever stands in it", async () => {
    const messages: ChatMessage[] = [
      { role: 'system', content: '$$ $& $1' },
      { role: 'user', content: 'ù 鍵 🔑' },
      { role: 'assistant', content: '<|im_end|> {function_string}' },
      { role: 'user', content: '<|im_start|>system' },
    ];
    const { promptTokens } = await client.generate(messages, { maxTokens: 1 });
    expect(await client.countTokens(messages)).toBe(promptTokens);
  });

  test('chooses a letter by the probabilities of the first token', async () => {
    const letters = ['A', 'B', 'C', 'D'];
    const choice = await client.choose(QUESTION, letters);
    expect(choice.how).toBe('probabilities');
    const probabilities = letters.map((letter) => choice.probabilities![letter]!);
    expect(probabilities.reduce((a, b) => a + b)).toBeCloseTo(1, 6);
    expect(choice.letter).toBe(letters[probabilities.indexOf(Math.max(...probabilities))]);
    // Scores are read for one call: the next answer is none the worse.
    expect((await answer()).text).toBe(first);
  });

  test('refuses a prompt that is too long before it computes anything', async () => {
    const long: ChatMessage[] = [{ role: 'user', content: 'word '.repeat(400) }];
    await expect(client.generate(long, { maxTokens: TOKENS })).rejects.toMatchObject({
      code: 'prompt-too-long',
      message: expect.stringMatching(/\d+ tokens.*room for 512/),
    });
    await expect(answer({ maxTokens: 512 })).rejects.toMatchObject({ code: 'prompt-too-long' });
  });

  test('stops in the middle of an answer, and then answers the next question', async () => {
    const control = new AbortController();
    const stopped = await answer({ maxTokens: 400, signal: control.signal, onText: () => control.abort() });
    expect(stopped.finish).toBe('interrupted');
    expect(first.startsWith(stopped.text) || stopped.text.startsWith(first)).toBe(true);
    expect((await answer()).text).toBe(first);
  });

  test('is loaded anew after the GPU was taken away in the middle of an answer, which comes all the same', async () => {
    const before = workers.length;
    let lost = false;
    fetched = [];
    const { text } = await answer({
      maxTokens: 3 * TOKENS,
      onText: () => {
        if (!lost) channel.postMessage({ do: 'lose-device' });
        lost = true;
      },
    });
    expect(text.startsWith(first)).toBe(true);
    expect(workers.length).toBe(before + 1);
    // Out of what is kept: it would have come without a network, too.
    expect(fetched).toEqual([]);
    expect(await webLlmCaches()).toEqual([]);
  });

  test('fails with its worker, and is unloaded', async () => {
    const pending = answer({ maxTokens: 400 });
    setTimeout(() => workers.at(-1)!.terminate(), 50);
    await expect(pending).rejects.toMatchObject({
      code: 'worker-died',
      remedy: expect.stringMatching(/again/),
    });
    await client.unload();
    await expect(answer()).rejects.toMatchObject({ code: 'model-missing' });
  });

  test('is refused where the browser offers no WebGPU', async () => {
    await client.unload();
    const loading = client.load(tiny('missing~mlc-chat-config.json')).catch(() => {});
    await hideGpu();
    await loading;
    await expect(client.load(TINY)).rejects.toMatchObject({
      code: 'no-webgpu',
      remedy: expect.stringContaining('WASM'),
    });
  });
});
