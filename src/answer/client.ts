import * as Comlink from 'comlink';
import { WorkerClient } from '../core/bridge.ts';
import { abortedError, SkeinError, throwIfAborted } from '../core/errors.ts';
import { Mutex } from '../core/mutex.ts';
import type {
  AnswerEngine,
  ChatMessage,
  Choice,
  ChooseOptions,
  GenerateOptions,
  Generation,
  LoadedModel,
  LoadOptions,
  LoadProgress,
} from './answer-engine.ts';
import type { AnswerApi } from './contract.ts';
import type { AnswerModel } from './models.ts';
import { StreamedText } from './streamed-text.ts';

/** How long the worker may take to obey a stop before it is ended. */
const CONFIRM_MS = 900;

/** Starts the answer worker; the literal is where the bundler finds it. */
function startWorker(lifeLock: string): Worker {
  return new Worker(new URL('../../workers/answer.worker.ts', import.meta.url), {
    type: 'module',
    name: lifeLock,
  });
}

type Remote = Comlink.Remote<AnswerApi>;

/**
 * The answer worker as an `AnswerEngine`. When the worker dies, the pending call rejects with `worker-died` and the
 * next one loads the model again, unasked. A lost GPU device restarts the worker and repeats the call once. A stop
 * that the worker does not obey within a second ends the worker, so that the next question is not held up.
 */
export class AnswerClient implements AnswerEngine {
  private readonly worker: WorkerClient<AnswerApi>;
  private readonly calls = new Mutex();
  /** What `loaded` tells; it outlives the worker, since the next call brings the model back. */
  private current: LoadedModel | undefined;
  /** Whether the live worker holds the model. */
  private alive = false;
  private key: string | undefined;

  constructor(create: (lifeLock: string) => Worker = startWorker) {
    this.worker = new WorkerClient<AnswerApi>('answer', create, () => {
      this.alive = false;
    });
  }

  get loaded(): LoadedModel | undefined {
    return this.current;
  }

  /** What the endpoint engine sends as its key, from the next load on. It is kept in memory only. */
  setKey(key: string | undefined): void {
    this.key = key;
    this.alive = false;
  }

  load(model: AnswerModel, { onProgress, signal }: LoadOptions = {}): Promise<LoadedModel> {
    return this.calls.run(async () => {
      throwIfAborted(signal);
      if (this.alive && this.current?.model.id === model.id) return this.current;
      this.current = undefined;
      return this.withRetry(() => this.loadNow(model, onProgress, signal));
    });
  }

  generate(messages: readonly ChatMessage[], options: GenerateOptions): Promise<Generation> {
    const { onText, signal, ...rest } = options;
    const text = new StreamedText(onText);
    return this.calls.run(async () => {
      try {
        const done = await this.withModel(signal, () => {
          const report = Comlink.proxy(text.begin());
          return this.stoppable((remote, own) => remote.generate({ messages, ...rest }, report, own), signal);
        });
        return text.finish(done);
      } catch (error) {
        if (signal?.aborted && isCode(error, 'aborted')) return text.interrupted();
        throw error;
      }
    });
  }

  choose(
    messages: readonly ChatMessage[],
    letters: readonly string[],
    { signal }: ChooseOptions = {},
  ): Promise<Choice> {
    return this.calls.run(() =>
      this.withModel(signal, () =>
        this.stoppable((remote, own) => remote.choose(messages, letters, own), signal),
      ),
    );
  }

  countTokens(messages: readonly ChatMessage[], { signal }: ChooseOptions = {}): Promise<number> {
    return this.calls.run(() =>
      this.withModel(signal, () =>
        this.stoppable((remote, own) => remote.countTokens(messages, own), signal),
      ),
    );
  }

  /** Frees the model. The worker ends, too: memory that WASM has taken is given back in no other way. */
  unload(): Promise<void> {
    return this.calls.run(async () => {
      this.current = undefined;
      const end = () => this.worker.restart('The model was unloaded.');
      const waiting = setTimeout(end, CONFIRM_MS);
      if (this.alive) await this.worker.call((remote) => remote.unload()).catch(() => {});
      clearTimeout(waiting);
      end();
    });
  }

  /** Ends the worker at once; a pending call rejects. */
  async dispose(): Promise<void> {
    this.current = undefined;
    this.worker.restart('The answer engine was closed.');
  }

  private async loadNow(
    model: AnswerModel,
    onProgress: (progress: LoadProgress) => void = () => {},
    signal?: AbortSignal,
  ): Promise<LoadedModel> {
    const { key } = this;
    await this.worker.call((remote) => remote.setKey(key));
    const report = Comlink.proxy(onProgress);
    const loaded = await this.stoppable((remote, own) => remote.load(model, report, own), signal);
    this.current = loaded;
    this.alive = true;
    return loaded;
  }

  /** Runs `call` on the loaded model, which a fresh worker loads first. */
  private withModel<T>(signal: AbortSignal | undefined, call: () => Promise<T>): Promise<T> {
    return this.withRetry(async () => {
      throwIfAborted(signal);
      if (!this.current) {
        throw new SkeinError('model-missing', 'No language model is loaded.', 'Choose one first.');
      }
      if (!this.alive) await this.loadNow(this.current.model, undefined, signal);
      return call();
    });
  }

  /** Runs `work`, once more in a fresh worker where the GPU device was lost. */
  private async withRetry<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (!isCode(error, 'device-lost')) throw error;
      this.worker.restart('The GPU device was lost.');
      return work();
    }
  }

  /** A call that the signal stops. The worker answers within a second of the stop, or is ended. */
  private async stoppable<T>(
    work: (remote: Remote, own: AbortSignal) => Promise<T>,
    signal: AbortSignal | undefined,
  ): Promise<T> {
    throwIfAborted(signal);
    const own = new AbortController();
    let waiting: ReturnType<typeof setTimeout> | undefined;
    const stop = () => {
      own.abort();
      waiting = setTimeout(() => this.worker.restart('It was busy and was ended.'), CONFIRM_MS);
    };
    signal?.addEventListener('abort', stop, { once: true });
    try {
      return await this.worker.call((remote) => work(remote, own.signal));
    } catch (error) {
      throw signal?.aborted ? abortedError() : error;
    } finally {
      signal?.removeEventListener('abort', stop);
      clearTimeout(waiting);
    }
  }
}

function isCode(error: unknown, code: SkeinError['code']): boolean {
  return error instanceof SkeinError && error.code === code;
}
