import type { ChatCompletionChunk } from '@mlc-ai/web-llm';
import type { GenerateOptions, Generation } from '../answer-engine.ts';
import type { ChatPrompt } from './chat-prompt.ts';

/** Where web-llm repeats the thought that it put into the model's mouth. */
const THOUGHT = /^<think>\s*<\/think>\s*/;

/** An answer in the making: passes on what comes, and counts. */
export class Answer {
  private text = '';
  private begun = false;
  private firstTokenMs: number | undefined;
  private finish: Generation['finish'] = 'stop';
  private tokens = 0;
  private promptTokens: number;

  /** `start`: time of the call, as of `performance.now()`. */
  constructor(
    private readonly start: number,
    private readonly prompt: ChatPrompt,
    private readonly onText: GenerateOptions['onText'],
  ) {
    this.promptTokens = prompt.tokens;
  }

  add({ choices: [choice], usage }: ChatCompletionChunk): void {
    if (usage) {
      this.tokens = usage.completion_tokens;
      this.promptTokens = usage.prompt_tokens + this.prompt.uncounted;
    }
    if (choice?.finish_reason) this.finish = finishOf(choice.finish_reason);
    const piece = choice?.delta.content ?? '';
    this.addText(this.begun ? piece : piece.replace(THOUGHT, ''));
  }

  done(): Generation {
    const { text, finish, promptTokens, tokens, firstTokenMs } = this;
    const milliseconds = performance.now() - this.start;
    return {
      text,
      finish,
      promptTokens,
      tokens,
      milliseconds,
      ...(firstTokenMs !== undefined && { firstTokenMs }),
    };
  }

  private addText(piece: string): void {
    if (piece === '') return;
    this.begun = true;
    this.firstTokenMs ??= performance.now() - this.start;
    this.text += piece;
    this.onText?.(piece);
  }
}

function finishOf(reason: string): Generation['finish'] {
  if (reason === 'abort') return 'interrupted';
  return reason === 'length' ? 'length' : 'stop';
}
