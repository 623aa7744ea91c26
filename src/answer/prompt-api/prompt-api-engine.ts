import { abortedError, SkeinError, throwIfAborted } from '../../core/errors.ts';
import { Mutex } from '../../core/mutex.ts';
import type {
  AnswerEngine,
  ChatMessage,
  Choice,
  ChooseOptions,
  GenerateOptions,
  Generation,
  LoadedModel,
  LoadOptions,
} from '../answer-engine.ts';
import { chooseByParsing } from '../letters.ts';
import type { AnswerModel } from '../models.ts';
import { checkWindow } from '../window.ts';
import { promptApiFailure } from './failure.ts';
import {
  type LanguageModelOptions,
  type LanguageModelSession,
  type LanguageModelStatic,
  languageModel,
  measure,
  quota,
  TEXT_ONLY,
  usage,
} from './language-model.ts';

/** Most tokens of a letter with what JSON puts around it. */
const LETTER_TOKENS = 8;

interface Ready {
  readonly api: LanguageModelStatic;
  readonly loaded: LoadedModel;
  /** Keeps the model in the browser's memory and measures prompts; no prompt is ever put into it. */
  readonly session: LanguageModelSession;
}

/**
 * The language model of the browser (Chrome's Prompt API), in a page only. Every prompt gets a session of its own, so
 * that no answer hangs on an earlier one. The browser sets the temperature, and there is no seed.
 */
export class PromptApiEngine implements AnswerEngine {
  private readonly mutex = new Mutex();
  private ready: Ready | undefined;

  get loaded(): LoadedModel | undefined {
    return this.ready?.loaded;
  }

  load(model: AnswerModel, options: LoadOptions = {}): Promise<LoadedModel> {
    return this.mutex.run(async () => {
      throwIfAborted(options.signal);
      if (this.ready?.loaded.model.id === model.id) return this.ready.loaded;
      this.free();
      this.ready = await start(model, options).catch((error) => {
        throw options.signal?.aborted ? abortedError() : promptApiFailure(error);
      });
      return this.ready.loaded;
    });
  }

  generate(messages: readonly ChatMessage[], options: GenerateOptions): Promise<Generation> {
    return this.mutex.run(() => answer(this.started(), messages, options));
  }

  choose(
    messages: readonly ChatMessage[],
    letters: readonly string[],
    { signal }: ChooseOptions = {},
  ): Promise<Choice> {
    return this.mutex.run(async () => {
      throwIfAborted(signal);
      try {
        return await choose(this.started(), messages, letters, signal);
      } catch (error) {
        throw signal?.aborted ? abortedError() : promptApiFailure(error);
      }
    });
  }

  async countTokens(messages: readonly ChatMessage[]): Promise<number> {
    try {
      return await measure(this.started().session, messages);
    } catch (error) {
      throw promptApiFailure(error);
    }
  }

  unload(): Promise<void> {
    return this.mutex.run(async () => this.free());
  }

  async dispose(): Promise<void> {
    this.free();
  }

  private free(): void {
    this.ready?.session.destroy();
    this.ready = undefined;
  }

  private started(): Ready {
    if (this.ready) return this.ready;
    throw new SkeinError('model-missing', "The browser's model is not loaded.", 'Choose it first.');
  }
}

async function start(model: AnswerModel, { onProgress, signal }: LoadOptions): Promise<Ready> {
  const api = languageModel();
  const availability = (await api?.availability(TEXT_ONLY)) ?? 'unavailable';
  if (!api || availability === 'unavailable') {
    throw new SkeinError(
      'model-missing',
      'This browser brings no language model, or this device is too small for it.',
      'Choose another model.',
    );
  }
  const session = await api.create({
    ...TEXT_ONLY,
    ...(signal && { signal }),
    monitor(monitor) {
      monitor.addEventListener('downloadprogress', (event) => {
        // The browser tells the share that has come, not its bytes.
        const { loaded, total } = event as ProgressEvent;
        onProgress?.({ loadedBytes: loaded, totalBytes: total || 1, step: 'download' });
      });
    },
  });
  const contextWindow = quota(session) || model.contextWindow;
  const notice = 'The browser sets the temperature: the same question can get another answer.';
  return { api, session, loaded: { model, backend: 'browser', contextWindow, notice } };
}

async function answer(
  ready: Ready,
  messages: readonly ChatMessage[],
  { maxTokens, temperature = 0, onText, signal }: GenerateOptions,
): Promise<Generation> {
  const start = performance.now();
  let promptTokens = 0;
  let tokens = 0;
  let text = '';
  let finish: Generation['finish'] = 'stop';
  let firstTokenMs: number | undefined;
  try {
    throwIfAborted(signal);
    promptTokens = await measureChecked(ready, messages, maxTokens);
    await inSession(ready.api, messages, temperature, signal, async (session, last) => {
      const stop = new AbortController();
      const either = signal ? AbortSignal.any([signal, stop.signal]) : stop.signal;
      for await (const piece of session.promptStreaming(last, { signal: either })) {
        if (piece === '') continue;
        firstTokenMs ??= performance.now() - start;
        text += piece;
        tokens++;
        onText?.(piece);
        // There is no option for it: a piece counts as a token.
        if (tokens < maxTokens) continue;
        finish = 'length';
        stop.abort();
        break;
      }
      const used = usage(session) - promptTokens;
      if (finish === 'stop' && used > 0) tokens = used;
    });
  } catch (error) {
    if (!signal?.aborted) throw promptApiFailure(error);
    finish = 'interrupted';
  }
  return {
    text,
    finish,
    promptTokens,
    tokens,
    ...(firstTokenMs !== undefined && { firstTokenMs }),
    milliseconds: performance.now() - start,
  };
}

/** A JSON schema allows nothing but the letters. */
async function choose(
  ready: Ready,
  messages: readonly ChatMessage[],
  letters: readonly string[],
  signal?: AbortSignal,
): Promise<Choice> {
  await measureChecked(ready, messages, LETTER_TOKENS);
  const text = await inSession(ready.api, messages, 0, signal, (session, last) =>
    session.prompt(last, {
      responseConstraint: { type: 'string', enum: letters },
      omitResponseConstraintInput: true,
      ...(signal && { signal }),
    }),
  );
  return { ...chooseByParsing(text, letters), how: 'grammar' };
}

async function measureChecked(
  { session, loaded }: Ready,
  messages: readonly ChatMessage[],
  maxTokens: number,
): Promise<number> {
  const tokens = await measure(session, messages);
  checkWindow(loaded, tokens, maxTokens);
  return tokens;
}

/** Only extensions may set it. */
async function sampling(api: LanguageModelStatic, temperature: number): Promise<LanguageModelOptions> {
  const params = await api.params?.();
  if (!params) return {};
  return {
    temperature: Math.min(temperature, params.maxTemperature),
    topK: temperature === 0 ? 1 : params.defaultTopK,
  };
}

/** Runs `work` in a session that holds all messages but the last, and ends it. */
async function inSession<T>(
  api: LanguageModelStatic,
  messages: readonly ChatMessage[],
  temperature: number,
  signal: AbortSignal | undefined,
  work: (session: LanguageModelSession, last: readonly ChatMessage[]) => Promise<T>,
): Promise<T> {
  const before = messages.slice(0, -1);
  const session = await api.create({
    ...TEXT_ONLY,
    ...(await sampling(api, temperature)),
    ...(before.length > 0 && { initialPrompts: before }),
    ...(signal && { signal }),
  });
  try {
    return await work(session, messages.slice(-1));
  } finally {
    session.destroy();
  }
}
