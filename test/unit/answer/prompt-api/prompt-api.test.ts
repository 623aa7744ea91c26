import { afterEach, describe, expect, test, vi } from 'vitest';
import type { LoadProgress } from '../../../../src/answer/answer-engine.ts';
import type { AnswerModel } from '../../../../src/answer/models.ts';
import { promptApiModel } from '../../../../src/answer/prompt-api/models.ts';
import { PromptApiEngine } from '../../../../src/answer/prompt-api/prompt-api-engine.ts';
import { type Asked, type FakeOptions, fakeLanguageModel } from './fake-language-model.ts';

const MESSAGES = [
  { role: 'system', content: 'Be brief.' },
  { role: 'user', content: 'Where is the spare key?' },
] as const;

afterEach(() => vi.unstubAllGlobals());

async function started(
  options: FakeOptions = {},
): Promise<{ engine: PromptApiEngine; asked: Asked; model: AnswerModel }> {
  const asked = fakeLanguageModel(options);
  const model = (await promptApiModel())!;
  const engine = new PromptApiEngine();
  await engine.load(model);
  return { engine, asked, model };
}

describe('what the browser offers', () => {
  test('is nothing where it has no model, and nothing is created by looking', async () => {
    expect(await promptApiModel()).toBeUndefined();
    fakeLanguageModel({ availability: 'unavailable' });
    expect(await promptApiModel()).toBeUndefined();
    const asked = fakeLanguageModel({ availability: 'downloadable' });
    expect(await promptApiModel()).toMatchObject({
      engine: 'prompt-api',
      note: expect.stringMatching(/downloads it once/),
    });
    expect(asked.created).toEqual([]);
  });

  test('is loaded with progress, and once', async () => {
    const asked = fakeLanguageModel({ availability: 'downloadable' });
    const model = (await promptApiModel())!;
    const engine = new PromptApiEngine();
    const steps: LoadProgress[] = [];
    const loaded = await engine.load(model, { onProgress: (progress) => steps.push(progress) });
    expect(loaded).toMatchObject({ backend: 'browser', contextWindow: 100 });
    expect(steps.map(({ loadedBytes }) => loadedBytes)).toEqual([0, 0.5, 1]);
    expect(await engine.load(model)).toBe(loaded);
    expect(asked.created).toHaveLength(1);
    await engine.unload();
    expect(asked.destroyed).toEqual([0]);
    await expect(engine.generate(MESSAGES, { maxTokens: 5 })).rejects.toMatchObject({
      code: 'model-missing',
    });
  });
});

describe('an answer', () => {
  test('comes in pieces out of a session of its own, with the system prompt first', async () => {
    const { engine, asked } = await started();
    const pieces: string[] = [];
    const answer = await engine.generate(MESSAGES, { maxTokens: 20, onText: (piece) => pieces.push(piece) });
    expect(answer).toMatchObject({ text: 'Under the pot.', finish: 'stop', promptTokens: 7, tokens: 3 });
    expect(pieces).toEqual(['Under ', 'the pot.']);
    expect(asked.created[1]!.initialPrompts).toEqual([MESSAGES[0]]);
    expect(asked.prompts[0]!.input).toEqual([MESSAGES[1]]);
    expect(asked.created[1]).not.toHaveProperty('temperature');
    expect(asked.destroyed).toEqual([1]);
    expect(await engine.countTokens(MESSAGES)).toBe(7);
  });

  test('ends at the most tokens asked for, and at a stop', async () => {
    const { engine, asked } = await started({ pieces: ['a ', 'b ', 'c ', 'd '] });
    expect(await engine.generate(MESSAGES, { maxTokens: 2 })).toMatchObject({
      text: 'a b ',
      finish: 'length',
      tokens: 2,
    });
    const stop = new AbortController();
    const onText = (piece: string) => piece === 'c ' && stop.abort();
    const stopped = await engine.generate(MESSAGES, { maxTokens: 9, signal: stop.signal, onText });
    expect(stopped).toMatchObject({ text: 'a b c ', finish: 'interrupted' });
    expect((await engine.generate(MESSAGES, { maxTokens: 9 })).text).toBe('a b c d ');
    expect(asked.destroyed).toEqual([1, 2, 3]);
  });

  test('sets the temperature where the browser allows it, under its older names', async () => {
    const { engine, asked } = await started({ old: true });
    expect(await engine.generate(MESSAGES, { maxTokens: 20, temperature: 5 })).toMatchObject({
      promptTokens: 7,
      tokens: 3,
    });
    await engine.generate(MESSAGES, { maxTokens: 20 });
    expect(asked.created.slice(1)).toMatchObject([
      { temperature: 2, topK: 3 },
      { temperature: 0, topK: 1 },
    ]);
  });
});

test('a choice is constrained to the letters', async () => {
  const { engine, asked } = await started({ answer: '"C"' });
  expect(await engine.choose(MESSAGES, ['A', 'B', 'C'])).toEqual({ letter: 'C', how: 'grammar' });
  expect(asked.prompts[0]!.options!.responseConstraint).toEqual({ type: 'string', enum: ['A', 'B', 'C'] });
  await expect(engine.choose(MESSAGES, ['A'], { signal: AbortSignal.abort() })).rejects.toMatchObject({
    code: 'aborted',
  });
});

test('what goes wrong has a code and a way out', async () => {
  const named = (name: string) => new DOMException('why', name);
  for (const [name, code] of [
    ['QuotaExceededError', 'prompt-too-long'],
    ['NotReadableError', 'model-broken'],
    ['InvalidStateError', 'worker-died'],
    ['NotSupportedError', 'model-missing'],
    ['OperationError', 'model-broken'],
  ] as const) {
    const { engine, asked } = await started({ failure: named(name) });
    const error = await engine.generate(MESSAGES, { maxTokens: 5 }).catch((reason) => reason);
    expect(error).toMatchObject({ code, message: expect.stringMatching(/why$/) });
    expect(error.remedy).not.toBe('');
    expect(asked.destroyed).toEqual([1]);
  }
  for (const [name, code] of [
    ['NetworkError', 'download-failed'],
    ['NotAllowedError', 'model-missing'],
  ] as const) {
    await expect(started({ createFailure: named(name) })).rejects.toMatchObject({ code });
  }
  const { engine, model } = await started();
  const long = [{ role: 'user', content: 'word '.repeat(96) }] as const;
  await expect(engine.generate(long, { maxTokens: 5 })).rejects.toMatchObject({ code: 'prompt-too-long' });
  vi.unstubAllGlobals();
  await expect(new PromptApiEngine().load(model)).rejects.toMatchObject({ code: 'model-missing' });
});
