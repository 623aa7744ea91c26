import type { ChatMessage } from '../answer-engine.ts';
import type { Llama } from './llama.ts';

/**
 * Counts the tokens of a prompt as the model's own tokenizer and chat template make it. wllama 3 has no call for
 * that, but llama.cpp names the length of a prompt that it refuses for being longer than the window, before it computes
 * anything. So the prompt is asked with a padding that passes the window, whose length is known, behind its last
 * message. White space at the end of that message, which templates cut off, is counted.
 */
export class PromptCounter {
  private readonly padding: string;
  private paddingTokens: number | undefined;

  constructor(private readonly llama: Llama) {
    this.padding = ' a'.repeat(llama.contextWindow);
  }

  async count(messages: readonly ChatMessage[]): Promise<number> {
    this.paddingTokens ??= await this.measurePadding();
    return (await this.refusedLength(withPadding(messages, this.padding))) - this.paddingTokens;
  }

  private async measurePadding(): Promise<number> {
    const asked = (content: string) => this.refusedLength([{ role: 'user', content }]);
    const once = await asked(this.padding);
    return (await asked(this.padding + this.padding)) - once;
  }

  private async refusedLength(messages: readonly ChatMessage[]): Promise<number> {
    try {
      const { usage } = await this.llama.complete(messages, { max_tokens: 1, cache_prompt: false });
      return usage.prompt_tokens;
    } catch (error) {
      const [, tokens] = /request \((\d+) tokens\) exceeds/.exec((error as Error).message) ?? [];
      if (tokens === undefined) throw error;
      return Number(tokens);
    }
  }
}

function withPadding(messages: readonly ChatMessage[], padding: string): ChatMessage[] {
  const last = messages.at(-1) ?? { role: 'user', content: '' };
  return [...messages.slice(0, -1), { ...last, content: last.content + padding }];
}
