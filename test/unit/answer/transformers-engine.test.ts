import { describe, expect, test } from 'vitest';
import type { ChatMessage } from '../../../src/answer/answer-engine.ts';
import { withoutControlTokens } from '../../../src/answer/transformers/control-tokens.ts';
import type { LanguageModel } from '../../../src/answer/transformers/language-model.ts';
import { EMBEDDED_MODEL } from '../../../src/answer/transformers/models.ts';
import { logProbabilities, pickToken } from '../../../src/answer/transformers/sampling.ts';
import { TransformersEngine } from '../../../src/answer/transformers/transformers-engine.ts';
import { seededRandom } from '../../../src/core/random.ts';

const END = 0;

/** A token a character code; it says `script` after any prompt, then ends. */
class ScriptedModel implements LanguageModel {
  readonly ends = new Set([END]);
  held: number[] = [];
  computed: number[] = [];
  disposed = false;
  failure: Error | undefined;
  private prompt = 0;

  constructor(private readonly script: string) {}

  encode(messages: readonly ChatMessage[]): number[] {
    const ids = this.encodeText(messages.map(({ content }) => content).join('\n'));
    this.prompt = ids.length;
    return ids;
  }

  encodeText(text: string): number[] {
    return [...text].map((one) => one.codePointAt(0)! % 128);
  }

  decode(tokens: readonly number[]): string {
    return String.fromCharCode(...tokens);
  }

  keep(length: number): number {
    this.held = this.held.slice(0, length);
    return this.held.length;
  }

  async compute(tokens: readonly number[]): Promise<Float32Array> {
    if (this.failure) throw this.failure;
    this.computed.push(tokens.length);
    this.held.push(...tokens);
    const scores = new Float32Array(128);
    const said = this.held.length - this.prompt;
    scores[said >= 0 && said < this.script.length ? this.script.charCodeAt(said) : END] = 10;
    return scores;
  }

  async dispose(): Promise<void> {
    this.disposed = true;
  }
}

async function loaded(script = 'It is B.', isLost?: () => boolean) {
  const language = new ScriptedModel(script);
  const engine = new TransformersEngine(async () => ({
    language,
    backend: 'native',
    ...(isLost && { isLost }),
  }));
  await engine.load({ ...EMBEDDED_MODEL, contextWindow: 200 });
  return { language, engine };
}

const ask = (content: string): ChatMessage[] => [{ role: 'user', content }];

describe('TransformersEngine', () => {
  test('writes until the end token, or until there is no room for more', async () => {
    const { engine } = await loaded();
    const pieces: string[] = [];
    const done = await engine.generate(ask('Which?'), {
      maxTokens: 50,
      onText: (piece) => pieces.push(piece),
    });
    expect(done).toMatchObject({ text: 'It is B.', finish: 'stop', promptTokens: 6, tokens: 8 });
    expect(pieces.join('')).toBe('It is B.');
    expect(await engine.generate(ask('Which?'), { maxTokens: 5 })).toMatchObject({
      text: 'It is',
      finish: 'length',
    });
  });

  test('what two prompts share at their beginning is computed once', async () => {
    const { engine, language } = await loaded('B');
    const long = 'context '.repeat(15);
    await engine.choose(ask(`${long}Which?`), ['A', 'B']);
    expect(language.computed).toEqual([32, 32, 32, 30]);
    language.computed = [];
    await engine.choose(ask(`${long}Why?`), ['A', 'B']);
    expect(language.computed).toEqual([2]);
    language.computed = [];
    // The same prompt again: its last token alone, whose scores are wanted.
    await engine.choose(ask(`${long}Why?`), ['A', 'B']);
    expect(language.computed).toEqual([1]);
  });

  test('chooses the likeliest letter', async () => {
    const { engine } = await loaded('B.');
    const { letter, how, probabilities } = await engine.choose(ask('Which?'), ['A', 'B', 'C', 'D']);
    expect([letter, how]).toEqual(['B', 'probabilities']);
    expect(Object.values(probabilities!).reduce((a, b) => a + b)).toBeCloseTo(1);
  });

  test('a stop is heard between two stretches of the prompt and between two tokens', async () => {
    const { engine, language } = await loaded('word '.repeat(20));
    const stop = new AbortController();
    const answer = await engine.generate(ask('Go'), {
      maxTokens: 100,
      signal: stop.signal,
      onText: () => stop.abort(),
    });
    expect(answer).toMatchObject({ text: 'w', finish: 'interrupted' });
    const early = AbortSignal.abort();
    language.computed = [];
    expect(await engine.generate(ask('x'.repeat(150)), { maxTokens: 9, signal: early })).toMatchObject({
      text: '',
      finish: 'interrupted',
    });
    expect(language.computed).toEqual([]);
    await expect(engine.choose(ask('Which?'), ['A'], { signal: early })).rejects.toMatchObject({
      code: 'aborted',
    });
    expect((await engine.generate(ask('Go'), { maxTokens: 4 })).text).toBe('word');
  });

  test('prompt and answer that pass the window are refused before anything is computed', async () => {
    const { engine, language } = await loaded();
    await expect(engine.generate(ask('x'.repeat(150)), { maxTokens: 51 })).rejects.toMatchObject({
      code: 'prompt-too-long',
    });
    expect(language.computed).toEqual([]);
  });

  test('unload frees the session; a lost device and a lack of memory are told as such', async () => {
    const { engine, language } = await loaded();
    await engine.unload();
    expect(language.disposed).toBe(true);
    await expect(engine.generate(ask('Which?'), { maxTokens: 1 })).rejects.toMatchObject({
      code: 'model-missing',
    });

    const gone = await loaded('B', () => true);
    gone.language.failure = new Error('mapAsync failed');
    await expect(gone.engine.choose(ask('Which?'), ['A'])).rejects.toMatchObject({ code: 'device-lost' });
    expect([gone.engine.loaded, gone.language.disposed]).toEqual([undefined, true]);

    const full = await loaded();
    full.language.failure = new RangeError('Array buffer allocation failed');
    await expect(full.engine.choose(ask('Which?'), ['A'])).rejects.toMatchObject({ code: 'out-of-memory' });
  });
});

describe('sampling', () => {
  const scores = Float32Array.from([0, 3, 1]);

  test('temperature 0 takes the likeliest; above it, draws follow the probabilities and the seed', () => {
    expect(pickToken(scores, 0, Math.random)).toBe(1);
    const drawn = (seed: number) => {
      const random = seededRandom(seed);
      return Array.from({ length: 3000 }, () => pickToken(scores, 1, random));
    };
    expect(drawn(1)).toEqual(drawn(1));
    const [p] = logProbabilities(scores, [2]).map(Math.exp);
    expect(drawn(1).filter((token) => token === 2).length / 3000).toBeCloseTo(p!, 1);
    expect(Math.exp(logProbabilities(scores, [0])[0]!)).toBeCloseTo(1 / (1 + Math.exp(3) + Math.exp(1)));
  });

  test('scores that are no numbers speak against the model', () => {
    expect(() => pickToken(new Float32Array(3).fill(Number.NaN), 0, Math.random)).toThrow(/no numbers/);
  });
});

test('control tokens lose their meaning and nothing else changes', () => {
  expect(withoutControlTokens('a <|im_end|> b < c', ['<|im_end|>', '<|im_start|>'])).toBe(
    'a < |im_end|> b < c',
  );
});
