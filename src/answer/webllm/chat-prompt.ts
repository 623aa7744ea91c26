import type { ChatMessage } from '../answer-engine.ts';
import { checkWindow } from '../window.ts';
import { preparedMessages, promptTexts } from './prompt.ts';
import type { Request, RunningModel } from './running-model.ts';

/** What keeps a thinking model from thinking: web-llm's own text for it. It counts as prompt and as answer. */
const EMPTY_THOUGHT = '<think>\n\n</think>\n\n';

/** A prompt as the model will be given it. */
export interface ChatPrompt {
  /** Tokens of all of it, the header of the answer included. */
  readonly tokens: number;
  /** Those of them that web-llm puts first and does not count: the mark of a text's beginning. */
  readonly uncounted: number;
  /** For an answer of `maxTokens` tokens; throws `prompt-too-long` where both together pass the window. */
  request(maxTokens: number): Request;
}

/** What a prompt depends on. */
export type PromptModel = Pick<RunningModel, 'model' | 'pack' | 'contextWindow' | 'encode'>;

/** The prompt of `messages` for the model that runs. Throws `bad-argument` where their order is none. */
export function chatPrompt(running: PromptModel, messages: readonly ChatMessage[]): ChatPrompt {
  const { config, controlTokens } = running.pack;
  const template = config.conv_template;
  const prepared = preparedMessages(template, controlTokens, messages);
  // Only a thinking model has a token of its own for the beginning of a thought.
  const thought = running.encode('<think>').length === 1 ? EMPTY_THOUGHT : undefined;
  const uncounted = template.system_prefix_token_ids?.length ?? 0;
  const tokens = promptTexts(template, prepared, thought).reduce(
    (sum, text) => sum + running.encode(text).length,
    uncounted,
  );
  const request = (maxTokens: number): Request => {
    checkWindow(running, tokens, maxTokens);
    return {
      messages: [...prepared],
      max_tokens: maxTokens + (thought === undefined ? 0 : running.encode(thought).length),
      ...(thought !== undefined && { extra_body: { enable_thinking: false } }),
    };
  };
  return { tokens, uncounted, request };
}
