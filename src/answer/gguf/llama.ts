import type {
  ChatCompletionChunk,
  ChatCompletionParams,
  ChatCompletionResponse,
  Wllama,
} from '@wllama/wllama';
import { SkeinError, throwIfAborted } from '../../core/errors.ts';
import type { ChatMessage } from '../answer-engine.ts';
import { LLAMA_FOLDER } from './runtime.ts';
import { withSiteWorkers } from './site-workers.ts';

export interface LlamaPlace {
  /** Absolute URL of the site's root folder. */
  readonly site: string;
  readonly threads: number;
  readonly gpu: boolean;
}

/**
 * Tokens computed in one go; a stop is felt between two batches. On the processor a larger batch is no faster: eight
 * take most of a second with the smallest models already.
 */
const BATCH = { cpu: 8, gpu: 512 };
/** Lines of the log that are kept for the message of an error. */
const LOG_LINES = 20;

type ChatParams = Omit<ChatCompletionParams, 'messages' | 'stream' | 'abortSignal'>;

interface Log {
  /** The last warnings and errors. */
  readonly lines: string[];
  /** Why the worker is gone. */
  failure: SkeinError | undefined;
}

/** llama.cpp with one model, in a worker of its own (wllama, with the scripts that the site serves). */
export class Llama {
  private constructor(
    private readonly wllama: Wllama,
    private readonly log: Log,
    readonly contextWindow: number,
  ) {}

  /**
   * Starts the runtime and loads a model from its files, in order. Rejects with an Error whose message holds the last
   * lines of the log.
   */
  static async load(
    files: readonly Blob[],
    contextWindow: number,
    place: LlamaPlace,
    signal?: AbortSignal,
  ): Promise<Llama> {
    const { Wllama } = await import('@wllama/wllama');
    const log: Log = { lines: [], failure: undefined };
    const wasm = new URL(`${LLAMA_FOLDER}/wllama.wasm`, place.site).href;
    const wllama = new Wllama({ default: wasm }, { logger: keeper(log.lines) });
    // Otherwise browsers without JSPI fetch another build from a CDN.
    wllama.setCompat(null);
    const batch = place.gpu ? BATCH.gpu : BATCH.cpu;
    // Ends the worker, which rejects what is pending.
    const stop = () => void wllama.exit();
    const onFailure = (error: SkeinError) => {
      log.failure = error;
      stop();
    };
    signal?.addEventListener('abort', stop);
    try {
      throwIfAborted(signal);
      await withSiteWorkers(place.site, place, onFailure, () =>
        wllama.loadModel([...files], {
          n_ctx: contextWindow,
          n_batch: batch,
          n_ubatch: batch,
          n_parallel: 1,
          n_threads: place.threads,
          n_gpu_layers: place.gpu ? 99_999 : 0,
          jinja: true,
          reasoning: false,
          log_level: 3,
        }),
      );
      throwIfAborted(signal);
      const { n_ctx, n_vocab } = wllama.getLoadedContextInfo();
      // wllama itself does not look whether llama.cpp could load the model.
      if (!n_ctx || !n_vocab) throw new Error('The model was not loaded.');
      return new Llama(wllama, log, n_ctx);
    } catch (error) {
      await wllama.exit();
      throw explained(error, log);
    } finally {
      signal?.removeEventListener('abort', stop);
    }
  }

  /** Answers; `onChunk` gets the pieces. */
  async chat(
    messages: readonly ChatMessage[],
    params: ChatParams,
    onChunk: (chunk: ChatCompletionChunk) => void,
    signal?: AbortSignal,
  ): Promise<void> {
    await this.run(() =>
      this.wllama.createChatCompletion({
        messages: [...messages],
        ...params,
        stream: true,
        // llama.cpp knows it, wllama's types don't.
        ...{ stream_options: { include_usage: true } },
        onData: onChunk,
        ...(signal && { abortSignal: signal }),
      }),
    );
  }

  /** Answers in one piece. */
  complete(
    messages: readonly ChatMessage[],
    params: ChatParams,
    signal?: AbortSignal,
  ): Promise<ChatCompletionResponse> {
    return this.run(() =>
      this.wllama.createChatCompletion({
        messages: [...messages],
        ...params,
        stream: false,
        ...(signal && { abortSignal: signal }),
      }),
    );
  }

  /** Ends the worker; a pending call rejects. */
  exit(): Promise<void> {
    return this.wllama.exit();
  }

  private async run<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw explained(error, this.log);
    }
  }
}

/** A logger that keeps the last warnings and errors in `lines`. */
function keeper(lines: string[]) {
  const keep = (...values: unknown[]) => {
    lines.push(values.map(String).join(' ').trim());
    if (lines.length > LOG_LINES) lines.shift();
  };
  return { debug: () => {}, log: () => {}, warn: keep, error: keep };
}

function explained(error: unknown, { lines, failure }: Log): Error {
  if (failure || error instanceof SkeinError) return failure ?? (error as SkeinError);
  const message = error instanceof Error ? error.message : String(error);
  return new Error([message, ...lines].join('\n'), { cause: error });
}
