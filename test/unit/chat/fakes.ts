import type {
  AnswerEngine,
  ChatMessage,
  GenerateOptions,
  Generation,
  LoadedModel,
} from '../../../src/answer/answer-engine.ts';
import type { AnswerModel } from '../../../src/answer/models.ts';

export const FAKE_MODEL: AnswerModel = {
  id: 'fake',
  engine: 'transformers',
  title: 'A fake model',
  bytes: 0,
  contextWindow: 2_000,
  licence: 'none',
  needs: { webgpu: false, shaderF16: false, memoryBytes: 0 },
  source: { kind: 'browser' },
  note: 'Says what a test tells it to.',
};

/** An engine that says what it is told, a word at a time, and notes what it was asked. */
export class FakeEngine implements AnswerEngine {
  /** What the next answers are; the last one stays. */
  answers: string[] = ['It is under the flowerpot [1].'];
  readonly asked: { messages: readonly ChatMessage[]; options: GenerateOptions }[] = [];
  /** Called before each word, with the number of words that came. */
  beforeWord: (count: number) => void | Promise<void> = () => {};
  loaded: LoadedModel | undefined;

  constructor(readonly model = FAKE_MODEL) {
    this.loaded = { model, backend: 'wasm', contextWindow: model.contextWindow };
  }

  async load(): Promise<LoadedModel> {
    this.loaded ??= { model: this.model, backend: 'wasm', contextWindow: this.model.contextWindow };
    return this.loaded;
  }

  async generate(messages: readonly ChatMessage[], options: GenerateOptions): Promise<Generation> {
    this.asked.push({ messages, options });
    const answer = this.answers.length > 1 ? this.answers.shift()! : this.answers[0]!;
    const words = answer === '' ? [] : answer.split(/(?<= )/);
    let text = '';
    let tokens = 0;
    for (const word of words) {
      await this.beforeWord(tokens);
      if (options.signal?.aborted) break;
      text += word;
      tokens++;
      options.onText?.(word);
    }
    return {
      text,
      finish: options.signal?.aborted ? 'interrupted' : 'stop',
      promptTokens: await this.countTokens(messages),
      tokens,
      ...(tokens > 0 && { firstTokenMs: 5 }),
      milliseconds: 9,
    };
  }

  async choose(): Promise<never> {
    throw new Error('not used in a chat');
  }

  async countTokens(messages: readonly ChatMessage[]): Promise<number> {
    return messages.reduce((sum, { content }) => sum + content.split(/\s+/).length + 3, 0);
  }

  async unload(): Promise<void> {
    this.loaded = undefined;
  }

  async dispose(): Promise<void> {}
}
