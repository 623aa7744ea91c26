import { vi } from 'vitest';
import type { ChatMessage } from '../../../../src/answer/answer-engine.ts';
import type {
  LanguageModelAvailability,
  LanguageModelCreateOptions,
  LanguageModelPromptOptions,
} from '../../../../src/answer/prompt-api/language-model.ts';

export interface FakeOptions {
  readonly availability?: LanguageModelAvailability;
  readonly pieces?: readonly string[];
  /** What `prompt` answers. */
  readonly answer?: string;
  /** What every call of a session rejects with. */
  readonly failure?: DOMException;
  readonly createFailure?: DOMException;
  /** Names of before the renaming, which extensions still have, and `params`. */
  readonly old?: boolean;
}

/** What the browser was asked, in order. */
export interface Asked {
  readonly created: LanguageModelCreateOptions[];
  readonly prompts: {
    readonly input: readonly ChatMessage[];
    readonly options?: LanguageModelPromptOptions;
  }[];
  readonly destroyed: number[];
}

/**
 * Puts a stand-in behind the global `LanguageModel`: Debian's Chromium has no such model, so the shape is that of the
 * specification and no browser has confirmed it here. One word is one token.
 */
export function fakeLanguageModel(options: FakeOptions = {}): Asked {
  const { availability = 'available', pieces = ['Under ', 'the pot.'], answer = '', old = false } = options;
  const asked: Asked = { created: [], prompts: [], destroyed: [] };
  const words = (messages: readonly ChatMessage[]) =>
    messages.reduce((sum, { content }) => sum + content.split(/\s+/).filter(Boolean).length, 0);

  class Session {
    private used: number;
    constructor(
      private readonly id: number,
      initial: readonly ChatMessage[],
    ) {
      this.used = words(initial);
      const measured = async (input: readonly ChatMessage[]) => {
        if (input.some(({ role }) => role === 'system')) throw new TypeError('no system prompt here');
        return words(input);
      };
      Object.assign(
        this,
        old
          ? { measureInputUsage: measured, inputQuota: 100 }
          : { measureContextUsage: measured, contextWindow: 100 },
      );
      Object.defineProperty(this, old ? 'inputUsage' : 'contextUsage', { get: () => this.used });
    }
    async prompt(input: readonly ChatMessage[], promptOptions?: LanguageModelPromptOptions) {
      asked.prompts.push({ input, options: promptOptions });
      if (options.failure) throw options.failure;
      return answer;
    }
    promptStreaming(input: readonly ChatMessage[], promptOptions?: LanguageModelPromptOptions) {
      asked.prompts.push({ input, options: promptOptions });
      this.used += words(input);
      const left = [...pieces];
      return new ReadableStream<string>(
        {
          pull: async (controller) => {
            await new Promise((resolve) => setTimeout(resolve));
            if (promptOptions?.signal?.aborted) return controller.error(new DOMException('', 'AbortError'));
            if (options.failure) return controller.error(options.failure);
            const piece = left.shift();
            if (piece === undefined) return controller.close();
            this.used += words([{ role: 'assistant', content: piece }]);
            controller.enqueue(piece);
          },
        },
        { highWaterMark: 0 },
      );
    }
    destroy() {
      asked.destroyed.push(this.id);
    }
  }

  vi.stubGlobal('LanguageModel', {
    availability: async () => availability,
    create: async (create: LanguageModelCreateOptions) => {
      if (create.signal?.aborted) throw new DOMException('', 'AbortError');
      if (options.createFailure) throw options.createFailure;
      const monitor = new EventTarget();
      create.monitor?.(monitor);
      for (const loaded of [0, 0.5, 1]) {
        monitor.dispatchEvent(Object.assign(new Event('downloadprogress'), { loaded, total: 1 }));
      }
      return new Session(asked.created.push(create) - 1, create.initialPrompts ?? []);
    },
    ...(old && { params: async () => ({ defaultTopK: 3, maxTemperature: 2 }) }),
  });
  return asked;
}
