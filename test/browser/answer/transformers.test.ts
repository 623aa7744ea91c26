import { afterAll, describe, expect, test } from 'vitest';
import type { ChatMessage, LoadProgress } from '../../../src/answer/answer-engine.ts';
import { AnswerClient } from '../../../src/answer/client.ts';
import { browserModelFiles } from '../../../src/answer/files/open-model-files.ts';
import { buildPrompt } from '../../../src/answer/prompt.ts';
import { EMBEDDED_MODEL } from '../../../src/answer/transformers/models.ts';

const client = new AnswerClient();
afterAll(() => client.dispose());

const files = browserModelFiles();
const question = 'Where is the spare key?';

async function prompt(budget: number) {
  const turn = (index: number, role: 'user' | 'model', text: string) => ({ index, role, text });
  return buildPrompt({
    passages: [
      {
        score: 1,
        turns: [
          turn(12, 'user', 'I moved the spare key. It is under the blue flowerpot now.'),
          turn(13, 'model', 'Noted.'),
        ],
      },
    ],
    recent: [],
    question,
    threadLength: 40,
    now: Date.now(),
    budget,
    countTokens: (messages) => client.countTokens(messages),
  });
}

// One model, loaded once: the tests go on from each other.
describe('the embedded language model in the answer worker, on WASM', () => {
  test('loads with one total, then answers from a recalled passage in pieces', async () => {
    const progress: LoadProgress[] = [];
    const loaded = await client.load(EMBEDDED_MODEL, { onProgress: (one) => progress.push(one) });
    expect(loaded).toMatchObject({ backend: 'wasm', contextWindow: 8192, notice: expect.any(String) });
    expect(client.loaded).toEqual(loaded);
    const downloads = progress.filter(({ step }) => step === 'download');
    expect(downloads.at(-1)!.loadedBytes).toBe(downloads.at(-1)!.totalBytes);
    expect(downloads.at(-1)!.totalBytes).toBeGreaterThan(EMBEDDED_MODEL.bytes);
    expect((await files.list()).find(({ modelId }) => modelId === EMBEDDED_MODEL.id)).toMatchObject({
      bytes: EMBEDDED_MODEL.bytes,
      complete: true,
    });

    const { messages, tokens } = await prompt(400);
    const pieces: string[] = [];
    const answer = await client.generate(messages, { maxTokens: 24, onText: (piece) => pieces.push(piece) });
    expect(answer.text).toMatch(/blue flowerpot/);
    expect(pieces.length).toBeGreaterThan(3);
    expect(pieces.join('')).toBe(answer.text);
    expect(answer).toMatchObject({ finish: 'stop', promptTokens: tokens });
    expect(answer.firstTokenMs).toBeLessThan(answer.milliseconds);
  }, 180_000);

  test('control tokens that a person writes are counted and read as ordinary text', async () => {
    const count = (content: string) => client.countTokens([{ role: 'user', content }]);
    const plain = await count('x');
    // Read as control tokens, these would be one each.
    expect(await count('x<|im_end|><|im_start|>')).toBeGreaterThan(plain + 6);
  });

  test('chooses a letter by probabilities, and refuses what passes the window before it computes', async () => {
    const messages: ChatMessage[] = [{ role: 'user', content: 'Answer with the letter B.' }];
    const { letter, how, probabilities } = await client.choose(messages, ['A', 'B', 'C', 'D']);
    expect(how).toBe('probabilities');
    expect(Object.values(probabilities!).reduce((a, b) => a + b)).toBeCloseTo(1);
    expect(probabilities![letter!]).toBe(Math.max(...Object.values(probabilities!)));
    const started = performance.now();
    const long: ChatMessage[] = [{ role: 'user', content: 'word '.repeat(8_500) }];
    await expect(client.generate(long, { maxTokens: 8 })).rejects.toMatchObject({ code: 'prompt-too-long' });
    await expect(client.choose(long, ['A', 'B'])).rejects.toMatchObject({ code: 'prompt-too-long' });
    // Computing it would take many minutes.
    expect(performance.now() - started).toBeLessThan(20_000);
  });

  test('stops in the middle of an answer and in the middle of a prompt; the next question is answered', async () => {
    const story: ChatMessage[] = [{ role: 'user', content: 'Tell me a very long story about a lighthouse.' }];
    const stop = new AbortController();
    const stopped = await client.generate(story, {
      maxTokens: 2_000,
      signal: stop.signal,
      onText: () => stop.abort(),
    });
    expect(stopped).toMatchObject({ finish: 'interrupted' });
    expect(stopped.text).not.toBe('');
    expect(stopped.tokens).toBeLessThan(20);

    const early = new AbortController();
    setTimeout(() => early.abort(), 300);
    const long: ChatMessage[] = [{ role: 'user', content: 'The lamp was lit at dusk. '.repeat(300) }];
    const unread = await client.generate(long, { maxTokens: 5, signal: early.signal });
    expect(unread).toMatchObject({ finish: 'interrupted', text: '' });

    const { messages } = await prompt(400);
    expect((await client.generate(messages, { maxTokens: 16 })).text).toMatch(/flowerpot/);
  }, 180_000);

  test('the same seed draws the same answer', async () => {
    const messages: ChatMessage[] = [{ role: 'user', content: 'Name a colour and an animal.' }];
    const draw = async (seed: number) =>
      (await client.generate(messages, { maxTokens: 6, temperature: 1.2, seed })).text;
    const first = await draw(7);
    expect(await draw(7)).toBe(first);
    expect(await draw(8)).not.toBe(first);
  }, 120_000);

  test('unloads; a page kept in place of a file is found, fetched anew, and the model answers again', async () => {
    await client.unload();
    expect(client.loaded).toBeUndefined();
    await expect(client.countTokens([])).rejects.toMatchObject({ code: 'model-missing' });
    await files.put(EMBEDDED_MODEL.id, [{ path: 'config.json', blob: new Blob(['<!doctype html>']) }]);
    await client.load(EMBEDDED_MODEL);
    const { messages } = await prompt(400);
    expect((await client.generate(messages, { maxTokens: 16 })).text).toMatch(/flowerpot/);
  }, 180_000);

  test('a folder that is not there is told by name', async () => {
    const missing = {
      ...EMBEDDED_MODEL,
      id: 'nothing',
      source: { kind: 'site', path: 'models/nothing/' },
    } as const;
    await expect(client.load(missing)).rejects.toMatchObject({
      code: 'model-missing',
      message: expect.stringContaining('models/nothing/manifest.json'),
    });
  });
});

// It takes minutes: run with VITE_SOFTWARE_WEBGPU=1.
test.runIf(import.meta.env.VITE_SOFTWARE_WEBGPU)(
  'one token on software WebGPU is the token that WASM gives',
  async () => {
    const messages: ChatMessage[] = [
      { role: 'system', content: 'Answer in one word.' },
      { role: 'user', content: 'The capital of France is' },
    ];
    await client.load(EMBEDDED_MODEL);
    const onWasm = await client.generate(messages, { maxTokens: 1 });
    await client.unload();
    const needs = { ...EMBEDDED_MODEL.needs, webgpu: true };
    expect((await client.load({ ...EMBEDDED_MODEL, needs })).backend).toBe('webgpu');
    const onGpu = await client.generate(messages, { maxTokens: 1 });
    expect(onGpu.text).toBe(onWasm.text);
    expect(onGpu.text).not.toBe('');
  },
  600_000,
);
