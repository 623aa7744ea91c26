import { SkeinError } from '../../core/errors.ts';
import type { ChatMessage } from '../answer-engine.ts';
import type { EndpointApi } from './endpoint-api.ts';
import { estimatePromptTokens } from './estimate.ts';
import { isRecord } from './failure.ts';

/**
 * Tokens of a prompt: llama.cpp's server lays out the chat template and tokenizes (`/apply-template`, `/tokenize`);
 * for any other server, or where that fails, it is an estimate on the safe side.
 */
export async function countPromptTokens(
  api: EndpointApi,
  llamaCpp: boolean,
  messages: readonly ChatMessage[],
  signal?: AbortSignal,
): Promise<number> {
  return (llamaCpp ? await countExactly(api, messages, signal) : undefined) ?? estimatePromptTokens(messages);
}

async function countExactly(
  api: EndpointApi,
  messages: readonly ChatMessage[],
  signal?: AbortSignal,
): Promise<number | undefined> {
  const post = async (path: string, body: unknown) =>
    api.json(await api.request(`${api.address.root}/${path}`, body, signal));
  try {
    const laidOut = await post('apply-template', { messages });
    if (!isRecord(laidOut) || typeof laidOut.prompt !== 'string') return undefined;
    const tokenized = await post('tokenize', {
      content: laidOut.prompt,
      add_special: true,
      parse_special: true,
    });
    return isRecord(tokenized) && Array.isArray(tokenized.tokens) ? tokenized.tokens.length : undefined;
  } catch (error) {
    // What is wrong with the server shows when it is asked to answer.
    if (error instanceof SkeinError) return undefined;
    throw error;
  }
}
