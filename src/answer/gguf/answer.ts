import { throwIfAborted } from '../../core/errors.ts';
import type { ChatMessage, GenerateOptions, Generation, LoadedModel } from '../answer-engine.ts';
import { checkWindow } from '../window.ts';
import type { Llama } from './llama.ts';

/** One answer: its text as it comes, and what is counted on the way. */
export class GgufAnswer {
  private readonly start = performance.now();
  private promptTokens = 0;
  private tokens = 0;
  private text = '';
  private firstTokenMs: number | undefined;

  constructor(
    private readonly messages: readonly ChatMessage[],
    private readonly options: GenerateOptions,
  ) {}

  /** Asks `llama`; a prompt that passes its window with the answer is refused first. */
  async run(
    llama: Llama,
    loaded: LoadedModel,
    count: (messages: readonly ChatMessage[]) => Promise<number>,
  ): Promise<Generation> {
    const { maxTokens, temperature = 0, seed, onText, signal } = this.options;
    throwIfAborted(signal);
    this.promptTokens = await count(this.messages);
    checkWindow(loaded, this.promptTokens, maxTokens);
    let finish: Generation['finish'] = 'stop';
    const params = { max_tokens: maxTokens, temperature, ...(seed !== undefined && { seed }) };
    await llama.chat(
      this.messages,
      params,
      ({ choices: [choice], usage }) => {
        if (usage) this.promptTokens = usage.prompt_tokens;
        if (choice?.finish_reason === 'length') finish = 'length';
        const piece = choice?.delta.content;
        if (!piece || signal?.aborted) return;
        this.firstTokenMs ??= performance.now() - this.start;
        this.tokens++;
        this.text += piece;
        onText?.(piece);
      },
      signal,
    );
    return this.ended(finish);
  }

  /**
   * `done`, or what came until a stop, at once: llama.cpp obeys a stop between two batches of the prompt, and the next
   * call waits until it has.
   */
  orStopped(done: Promise<Generation>): Promise<Generation> {
    const { signal } = this.options;
    if (!signal) return done;
    return new Promise((resolve, reject) => {
      const stop = () => resolve(this.ended('interrupted'));
      if (signal.aborted) stop();
      signal.addEventListener('abort', stop, { once: true });
      done.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
    });
  }

  private ended(finish: Generation['finish']): Generation {
    return {
      text: this.text,
      finish,
      promptTokens: this.promptTokens,
      tokens: this.tokens,
      ...(this.firstTokenMs !== undefined && { firstTokenMs: this.firstTokenMs }),
      milliseconds: performance.now() - this.start,
    };
  }
}
