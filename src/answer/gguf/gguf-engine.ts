import { abortedError, SkeinError, throwIfAborted } from '../../core/errors.ts';
import { Mutex } from '../../core/mutex.ts';
import { detectGpu } from '../../runtime/gpu.ts';
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
import { GgufAnswer } from './answer.ts';
import { PromptCounter } from './count.ts';
import { llamaFailure } from './failure.ts';
import { readGgufHeader } from './header.ts';
import { Llama } from './llama.ts';
import { checkPart, memoryOf } from './memory.ts';
import { ggufParts } from './models.ts';
import { checkBrowser, deviceMemory, threads } from './place.ts';

/** Where the engine finds what it needs. */
export interface GgufGround {
  readonly files: Pick<ModelFiles, 'read'>;
  /** Absolute URL of the site's root folder. */
  readonly site: string;
}

/** Likeliest first tokens among which the letters are looked for. */
const TOP_TOKENS = 100;

interface Running {
  readonly loaded: LoadedModel;
  readonly llama: Llama;
  readonly counter: PromptCounter;
}

/**
 * GGUF files that a person has, computed by llama.cpp in WASM (wllama): on WebGPU where the browser has a GPU and can
 * suspend WASM, else on the processor, on several threads in an isolated page.
 */
export class GgufEngine implements AnswerEngine {
  private readonly mutex = new Mutex();
  private running: Running | undefined;
  private current: LoadedModel | undefined;

  constructor(private readonly ground: GgufGround) {}

  /** Stays after a crash: the next call starts the model again. */
  get loaded(): LoadedModel | undefined {
    return this.current;
  }

  load(model: AnswerModel, { onProgress, signal }: LoadOptions = {}): Promise<LoadedModel> {
    return this.mutex.run(async () => {
      throwIfAborted(signal);
      if (this.running?.loaded.model.id === model.id) return this.running.loaded;
      await this.stop();
      this.current = undefined;
      const files = await this.filesOf(model);
      const totalBytes = files.reduce((sum, { size }) => sum + size, 0);
      onProgress?.({ loadedBytes: 0, totalBytes, step: 'start' });
      this.running = await this.start(model, files, signal);
      this.current = this.running.loaded;
      onProgress?.({ loadedBytes: totalBytes, totalBytes, step: 'start' });
      return this.current;
    });
  }

  generate(messages: readonly ChatMessage[], options: GenerateOptions): Promise<Generation> {
    const answer = new GgufAnswer(messages, options);
    const done = this.withModel(
      ({ llama, loaded, counter }) => answer.run(llama, loaded, (prompt) => counter.count(prompt)),
      options.signal,
    );
    return answer.orStopped(done);
  }

  choose(
    messages: readonly ChatMessage[],
    letters: readonly string[],
    { signal }: ChooseOptions = {},
  ): Promise<Choice> {
    return this.withModel(async ({ llama }) => {
      throwIfAborted(signal);
      return choose(llama, messages, letters, signal);
    }, signal);
  }

  countTokens(messages: readonly ChatMessage[]): Promise<number> {
    return this.withModel(({ counter }) => counter.count(messages));
  }

  unload(): Promise<void> {
    return this.mutex.run(() => {
      this.current = undefined;
      return this.stop();
    });
  }

  /** At once: a pending call rejects. */
  async dispose(): Promise<void> {
    this.current = undefined;
    await this.stop();
  }

  private async withModel<T>(work: (running: Running) => Promise<T>, signal?: AbortSignal): Promise<T> {
    return this.mutex.run(async () => {
      const { current } = this;
      if (!current) throw new SkeinError('model-missing', 'No GGUF file is loaded.', 'Choose a model first.');
      this.running ??= await this.start(current.model, await this.filesOf(current.model), signal);
      try {
        return await work(this.running);
      } catch (error) {
        // Stopped, or disposed of meanwhile.
        if (signal?.aborted || !this.current) throw abortedError();
        const failure = llamaFailure(error);
        // After a trap the runtime's memory can't be trusted.
        if (!(error instanceof SkeinError) || error.code === 'worker-died') await this.stop();
        throw failure;
      }
    });
  }

  private async stop(): Promise<void> {
    const { running } = this;
    this.running = undefined;
    await running?.llama.exit();
  }

  private async filesOf({ id, source, title }: AnswerModel): Promise<Blob[]> {
    if (source.kind !== 'files') {
      throw new SkeinError('bad-argument', `${title} is no file on this device.`, 'Choose another model.');
    }
    return Promise.all(
      ggufParts(source.name).map(async (path) => {
        const blob = await this.ground.files.read(id, path);
        if (!blob) {
          throw new SkeinError('model-missing', `${path} is not on this device.`, 'Drop the file again.');
        }
        checkPart(path, blob.size);
        return blob;
      }),
    );
  }

  private async start(model: AnswerModel, files: readonly Blob[], signal?: AbortSignal): Promise<Running> {
    checkBrowser();
    const name = model.source.kind === 'files' ? model.source.name : model.title;
    const header = await readGgufHeader(files[0]!, name);
    const fileBytes = files.reduce((sum, { size }) => sum + size, 0);
    const { contextWindow } = memoryOf(header, fileBytes, deviceMemory());
    const { site } = this.ground;
    const load = (gpu: boolean) =>
      Llama.load(files, contextWindow, { site, threads: threads(), gpu }, signal);
    const { kind } = await detectGpu();
    let notice =
      kind === 'software' ? 'WebGPU is emulated in software here: the processor computes (WASM).' : undefined;
    let llama: Llama | undefined;
    if (kind === 'hardware') {
      llama = await load(true).catch((error) => {
        if (signal?.aborted) throw abortedError();
        notice = `WebGPU failed, so the processor computes (WASM). ${llamaFailure(error).message}`;
        return undefined;
      });
    }
    const backend = llama ? 'webgpu' : 'wasm';
    llama ??= await load(false).catch((error) => {
      throw signal?.aborted ? abortedError() : llamaFailure(error);
    });
    const loaded: LoadedModel = {
      model,
      backend,
      contextWindow: llama.contextWindow,
      ...(notice && { notice }),
    };
    return { loaded, llama, counter: new PromptCounter(llama) };
  }
}

/** By the probabilities of the first token; where no letter is among the likeliest, a grammar allows no other. */
async function choose(
  llama: Llama,
  messages: readonly ChatMessage[],
  letters: readonly string[],
  signal?: AbortSignal,
): Promise<Choice> {
  const greedy = { max_tokens: 1, temperature: 0 };
  const free = await llama.complete(
    messages,
    { ...greedy, logprobs: true, top_logprobs: TOP_TOKENS },
    signal,
  );
  const chosen = chooseByProbability(free.choices[0]?.logprobs?.content?.[0]?.top_logprobs ?? [], letters);
  if (chosen) return chosen;
  const forced = await llama.complete(
    messages,
    { ...greedy, grammar: `root ::= [${letters.join('')}]` },
    signal,
  );
  return { ...chooseByParsing(forced.choices[0]?.message.content ?? '', letters), how: 'grammar' };
}
