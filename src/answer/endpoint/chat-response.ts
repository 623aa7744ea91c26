import { isRecord } from './failure.ts';

/** What one piece of a chat answer holds; a whole answer is one piece. */
export interface ChatPiece {
  readonly text: string;
  /** Why the answer ended, in the piece that ends it. */
  readonly finish?: 'stop' | 'length';
  readonly promptTokens?: number;
  readonly tokens?: number;
  /** Likeliest first tokens and the natural logarithms of their probabilities. */
  readonly firstTokens?: readonly { readonly token: string; readonly logprob: number }[];
}

/** Reads a chunk of a stream (`delta`) or a whole answer (`message`); what is missing or misshapen is left out. */
export function readChatPiece(answer: unknown): ChatPiece {
  const body = isRecord(answer) ? answer : {};
  const choice = firstRecord(body.choices);
  const message = record(choice.delta ?? choice.message);
  const usage = record(body.usage);
  return {
    text: typeof message.content === 'string' ? message.content : '',
    ...(typeof choice.finish_reason === 'string' && {
      finish: choice.finish_reason === 'length' ? 'length' : 'stop',
    }),
    ...(isCount(usage.prompt_tokens) && { promptTokens: usage.prompt_tokens }),
    ...(isCount(usage.completion_tokens) && { tokens: usage.completion_tokens }),
    ...readFirstTokens(choice.logprobs),
  };
}

function readFirstTokens(logprobs: unknown): Pick<ChatPiece, 'firstTokens'> {
  const first = firstRecord(record(logprobs).content);
  if (!Array.isArray(first.top_logprobs)) return {};
  return {
    firstTokens: first.top_logprobs.filter(
      (entry): entry is { token: string; logprob: number } =>
        isRecord(entry) && typeof entry.token === 'string' && Number.isFinite(entry.logprob),
    ),
  };
}

function record(value: unknown): Record<string, unknown> {
  return isRecord(value) ? value : {};
}

function firstRecord(value: unknown): Record<string, unknown> {
  return Array.isArray(value) ? record(value[0]) : {};
}

function isCount(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0;
}
