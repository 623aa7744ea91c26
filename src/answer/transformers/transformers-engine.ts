import { abortedError, SkeinError, throwIfAborted } from '../../core/errors.ts';
import { Mutex } from '../../core/mutex.ts';
import { seededRandom } from '../../core/random.ts';
import { yieldToEvents } from '../../core/yield.ts';
import { isOutOfMemory } from '../../runtime/out-of-memory.ts';
import type {
  AnswerBackend,
  AnswerEngine,
  ChatMessage,
  Choice,
  ChooseOptions,
  GenerateOptions,
  Generation,
  LoadedModel,
  LoadOptions,
} from '../answer-engine.ts';
import { chooseByProbability } from '../letters.ts';
import type { AnswerModel } from '../models.ts';
import { checkWindow } from '../window.ts';
import type { LanguageModel } from './language-model.ts';
import { logProbabilities, pickToken } from './sampling.ts';
import { TextPieces } from './text-pieces.ts';

/** Port: where models come from; a browser and Node differ in it. */
export type StartModel = (model: AnswerModel, options: LoadOptions) => Promise<StartedModel>;

export interface StartedModel {
  readonly language: LanguageModel;
  readonly backend: AnswerBackend;
  readonly notice?: string;
  /** True once its GPU device is gone. */
  readonly isLost?: () => boolean;
}

/** Tokens of a prompt computed at a stretch: a stop is heard between two of them. */
const STRETCH = 32;

/**
 * Language models of ONNX files through transformers.js. The library's own `generate` holds a worker's thread from the
 * first token of the prompt to the last of the answer, so that no stop is heard; the loop here lets messages in, draws
 * with a seed, and computes no beginning twice that two prompts share.
 */
export class TransformersEngine implements AnswerEngine {
  private current: (StartedModel & { readonly loaded: LoadedModel }) | undefined;
  private readonly calls = new Mutex();

  constructor(private readonly start: StartModel) {}

  get loaded(): LoadedModel | undefined {
    return this.current?.loaded;
  }

  load(model: AnswerModel, options: LoadOptions = {}): Promise<LoadedModel> {
    return this.calls.run(async () => {
      throwIfAborted(options.signal);
      if (this.current?.loaded.model.id === model.id) return this.current.loaded;
      await this.free();
      const started = await this.start(model, options);
      const { backend, notice } = started;
      const loaded = { model, backend, contextWindow: model.contextWindow, ...(notice && { notice }) };
      this.current = { ...started, loaded };
      return loaded;
    });
  }

  generate(messages: readonly ChatMessage[], options: GenerateOptions): Promise<Generation> {
    const started = performance.now();
    return this.withModel(async (language, loaded) => {
      const { maxTokens, temperature = 0, seed = 0, signal } = options;
      const prompt = language.encode(messages);
      checkWindow(loaded, prompt.length, maxTokens);
      const pieces = new TextPieces(language, started, options.onText);
      const random = seededRandom(seed);
      let finish: Generation['finish'] = 'length';
      let scores = await read(language, prompt, signal);
      for (let count = 0; count < maxTokens; count++) {
        if (!scores) {
          finish = 'interrupted';
          break;
        }
        const token = pickToken(scores, temperature, random);
        if (language.ends.has(token)) {
          finish = 'stop';
          break;
        }
        pieces.add(token);
        if (count + 1 < maxTokens) scores = await step(language, [token], signal);
      }
      return {
        ...pieces.end(),
        finish,
        promptTokens: prompt.length,
        milliseconds: performance.now() - started,
      };
    });
  }

  choose(
    messages: readonly ChatMessage[],
    letters: readonly string[],
    { signal }: ChooseOptions = {},
  ): Promise<Choice> {
    return this.withModel(async (language, loaded) => {
      const prompt = language.encode(messages);
      checkWindow(loaded, prompt.length, 1);
      const scores = await read(language, prompt, signal);
      if (!scores) throw abortedError();
      const starts = letters.flatMap((letter) =>
        [letter, ` ${letter}`].flatMap((token) => {
          const ids = language.encodeText(token);
          return ids.length === 1 ? [{ token, id: ids[0]! }] : [];
        }),
      );
      const logs = logProbabilities(
        scores,
        starts.map(({ id }) => id),
      );
      const choice = chooseByProbability(
        starts.map(({ token }, i) => ({ token, logprob: logs[i]! })),
        letters,
      );
      return choice ?? { letter: null, how: 'parsed' };
    });
  }

  countTokens(messages: readonly ChatMessage[]): Promise<number> {
    return this.withModel(async (language) => language.encode(messages).length);
  }

  unload(): Promise<void> {
    return this.calls.run(() => this.free());
  }

  dispose(): Promise<void> {
    return this.unload();
  }

  private withModel<T>(work: (language: LanguageModel, loaded: LoadedModel) => Promise<T>): Promise<T> {
    return this.calls.run(async () => {
      const { current } = this;
      if (!current) {
        throw new SkeinError('model-missing', 'No language model is loaded.', 'Choose one first.');
      }
      try {
        return await work(current.language, current.loaded);
      } catch (error) {
        throw current.isLost?.() ? await this.lost(error) : computeFailure(error);
      }
    });
  }

  private async lost(cause: unknown): Promise<SkeinError> {
    await this.free().catch(() => {});
    return new SkeinError('device-lost', 'The GPU device was lost.', 'Load the model again.', { cause });
  }

  private async free(): Promise<void> {
    const { current } = this;
    this.current = undefined;
    await current?.language.dispose();
  }
}

/** Computes what of the prompt is not held yet; the scores of the answer's first token, undefined after a stop. */
async function read(
  language: LanguageModel,
  prompt: readonly number[],
  signal: AbortSignal | undefined,
): Promise<Float32Array | undefined> {
  const { held } = language;
  // The last token is computed in any case: its scores are wanted.
  let shared = 0;
  while (shared < prompt.length - 1 && held[shared] === prompt[shared]) shared++;
  let at = language.keep(shared);
  let scores: Float32Array | undefined;
  while (at < prompt.length) {
    scores = await step(language, prompt.slice(at, at + STRETCH), signal);
    if (!scores) return undefined;
    at += STRETCH;
  }
  return scores;
}

/** One computation, once messages have come in; undefined when one of them was a stop. */
async function step(
  language: LanguageModel,
  tokens: readonly number[],
  signal: AbortSignal | undefined,
): Promise<Float32Array | undefined> {
  await yieldToEvents();
  return signal?.aborted ? undefined : language.compute(tokens);
}

function computeFailure(error: unknown): SkeinError {
  if (error instanceof SkeinError) return error;
  const message = error instanceof Error ? error.message : String(error);
  return isOutOfMemory(error)
    ? new SkeinError('out-of-memory', `There is not enough memory. ${message}`, 'Choose a smaller model.', {
        cause: error,
      })
    : new SkeinError('internal', `The model failed. ${message}`, 'Load it again.', { cause: error });
}
