import { type SkeinError, throwIfAborted, toSkeinError } from '../../core/errors.ts';
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
import type { ModelFiles } from '../files/model-files.ts';
import { chooseByParsing, chooseByProbability } from '../letters.ts';
import type { AnswerModel } from '../models.ts';
import { Answer } from './answer.ts';
import { type ChatPrompt, chatPrompt } from './chat-prompt.ts';
import { noModel } from './errors.ts';
import { FirstTokenReader, letterTokens } from './first-token.ts';
import { checkGpu } from './gpu-check.ts';
import { openPackage } from './package.ts';
import { type Request, RunningModel } from './running-model.ts';

/** Most tokens read for a letter where the first one does not tell. */
const LETTER_TOKENS = 24;

/**
 * Language models compiled for @mlc-ai/web-llm, on WebGPU in this thread. Every file comes out of `files` and is
 * checked first; addresses of one's own may be relative to `site`.
 */
export class WebLlmEngine implements AnswerEngine {
  private ready: { readonly running: RunningModel; readonly loaded: LoadedModel } | undefined;
  /** Why there is no model. */
  private missing = noModel();
  private readonly calls = new Mutex();

  constructor(
    private readonly files: ModelFiles,
    private readonly site: string,
  ) {}

  get loaded(): LoadedModel | undefined {
    return this.ready?.loaded;
  }

  load(model: AnswerModel, options: LoadOptions = {}): Promise<LoadedModel> {
    return this.calls.run(async () => {
      throwIfAborted(options.signal);
      if (this.ready?.loaded.model.id === model.id) return this.ready.loaded;
      await this.free();
      const notice = await checkGpu(model);
      const running = await this.start(model, options);
      const { contextWindow } = running;
      const loaded: LoadedModel = { model, backend: 'webgpu', contextWindow, ...(notice && { notice }) };
      this.ready = { running, loaded };
      return loaded;
    });
  }

  generate(messages: readonly ChatMessage[], options: GenerateOptions): Promise<Generation> {
    const start = performance.now();
    return this.calls.run(async () => {
      throwIfAborted(options.signal);
      const running = this.need();
      return answer(running, chatPrompt(running, messages), options, start);
    });
  }

  choose(
    messages: readonly ChatMessage[],
    letters: readonly string[],
    { signal }: ChooseOptions = {},
  ): Promise<Choice> {
    return this.calls.run(async () => {
      throwIfAborted(signal);
      const running = this.need();
      const prompt = chatPrompt(running, messages);
      const choice =
        (await byProbability(running, prompt, letters)) ??
        (await byParsing(running, prompt, letters, signal));
      throwIfAborted(signal);
      return choice;
    });
  }

  async countTokens(messages: readonly ChatMessage[]): Promise<number> {
    return chatPrompt(this.need(), messages).tokens;
  }

  unload(): Promise<void> {
    return this.calls.run(() => this.free());
  }

  dispose(): Promise<void> {
    return this.unload();
  }

  private async start(model: AnswerModel, { onProgress, signal }: LoadOptions): Promise<RunningModel> {
    const pack = await openPackage(this.files, model, this.site, { onProgress, signal });
    const { totalBytes } = pack.files;
    try {
      return await RunningModel.start(model, pack, {
        onBytes: (loadedBytes) => onProgress?.({ loadedBytes, totalBytes, step: 'start' }),
        onLost: (error) => this.lose(model, error),
        signal,
      });
    } catch (error) {
      // Files that web-llm can't start from would fail again the next time.
      if (toSkeinError(error).code === 'model-broken') await pack.files.removeUnproven();
      throw error;
    }
  }

  /** The GPU is gone: what is asked next says so, until a model is loaded again. */
  private lose(model: AnswerModel, error: SkeinError): void {
    if (this.ready?.loaded.model !== model) return;
    this.ready = undefined;
    this.missing = error;
  }

  private async free(): Promise<void> {
    const { ready } = this;
    this.ready = undefined;
    this.missing = noModel();
    await ready?.running.close();
  }

  private need(): RunningModel {
    if (!this.ready) throw this.missing;
    return this.ready.running;
  }
}

async function answer(
  running: RunningModel,
  prompt: ChatPrompt,
  options: GenerateOptions,
  start: number,
): Promise<Generation> {
  const { signal, maxTokens, onText } = options;
  const made = new Answer(start, prompt, onText);
  const stop = () => running.interrupt();
  signal?.addEventListener('abort', stop, { once: true });
  try {
    await running.stream({ ...prompt.request(maxTokens), ...sampling(options) }, (part) => {
      // web-llm forgets a stop that came before it began.
      if (signal?.aborted) stop();
      made.add(part);
    });
  } finally {
    signal?.removeEventListener('abort', stop);
  }
  return made.done();
}

/** Undefined where the tokenizer has no token for a letter, or the model gives none of them a probability. */
async function byProbability(
  running: RunningModel,
  prompt: ChatPrompt,
  letters: readonly string[],
): Promise<Choice | undefined> {
  const tokens = letterTokens((text) => running.encode(text), letters);
  if (!tokens) return undefined;
  const reader = new FirstTokenReader(tokens);
  await running.streamRead({ ...prompt.request(1), ...sampling({}) }, reader);
  return chooseByProbability(reader.scores, letters);
}

async function byParsing(
  running: RunningModel,
  prompt: ChatPrompt,
  letters: readonly string[],
  signal: AbortSignal | undefined,
): Promise<Choice> {
  const { text } = await answer(running, prompt, { maxTokens: LETTER_TOKENS, signal }, performance.now());
  return chooseByParsing(text, letters);
}

/** The likeliest token at temperature 0, whatever the model's own settings are. */
function sampling({ temperature = 0, seed }: Partial<GenerateOptions>): Partial<Request> {
  const neutral = { top_p: 1, frequency_penalty: 0, presence_penalty: 0, repetition_penalty: 1 };
  return { temperature, ...(temperature === 0 && neutral), ...(seed !== undefined && { seed }) };
}
