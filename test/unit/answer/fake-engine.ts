import type {
  AnswerEngine,
  ChatMessage,
  Choice,
  GenerateOptions,
  Generation,
  LoadedModel,
} from '../../../src/answer/answer-engine.ts';
import { EMBEDDED_MODEL } from '../../../src/answer/transformers/models.ts';

/** A generation that has ended by itself. */
export function generation(text: string): Generation {
  return { text, finish: 'stop', promptTokens: 1, tokens: text.split(' ').length, milliseconds: 1 };
}

/** An engine whose answers a test makes; a token is four characters. Keeps the prompts it was given. */
export class FakeEngine implements AnswerEngine {
  loaded: LoadedModel | undefined = { model: EMBEDDED_MODEL, backend: 'native', contextWindow: 1000 };
  readonly prompts: (readonly ChatMessage[])[] = [];
  write: (messages: readonly ChatMessage[]) => string = () => 'Because.';
  pick: (messages: readonly ChatMessage[]) => Choice = () => ({ letter: 'B', how: 'probabilities' });

  async load(): Promise<LoadedModel> {
    return this.loaded!;
  }

  async generate(messages: readonly ChatMessage[], { onText }: GenerateOptions): Promise<Generation> {
    this.prompts.push(messages);
    const text = this.write(messages);
    onText?.(text);
    return generation(text);
  }

  async choose(messages: readonly ChatMessage[]): Promise<Choice> {
    this.prompts.push(messages);
    return this.pick(messages);
  }

  async countTokens(messages: readonly ChatMessage[]): Promise<number> {
    return Math.ceil(messages.reduce((sum, { content }) => sum + content.length, 0) / 4);
  }

  async unload(): Promise<void> {
    this.loaded = undefined;
  }

  dispose(): Promise<void> {
    return this.unload();
  }
}
