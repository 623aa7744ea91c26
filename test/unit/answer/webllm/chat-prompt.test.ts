import { expect, test } from 'vitest';
import { Answer } from '../../../../src/answer/webllm/answer.ts';
import { chatPrompt, type PromptModel } from '../../../../src/answer/webllm/chat-prompt.ts';
import { aModel } from '../models.ts';

const QUESTION = [{ role: 'user', content: 'Where?' }] as const;

/** A model with a token a character, but for what is listed. */
function model(tokens: readonly string[], contextWindow = 100): PromptModel {
  const split = new RegExp(`${tokens.join('|')}|[^]`, 'g');
  const conv_template = {
    system_template: 'S{system_message}\n',
    system_message: '',
    roles: { user: 'U', assistant: 'A' },
    seps: ['\n'],
    role_content_sep: ':',
    role_empty_sep: '=',
    stop_str: [],
    system_prefix_token_ids: [1],
  };
  const config = { conv_template, tokenizer_files: [], context_window_size: contextWindow };
  const pack = { config, controlTokens: [] } as unknown as PromptModel['pack'];
  return {
    model: aModel(),
    pack,
    contextWindow,
    encode: (text) => Int32Array.from(text.match(split) ?? [], () => 0),
  };
}

test('a prompt counts all of its tokens and leaves room for the answer', () => {
  const prompt = chatPrompt(model(['nothing']), QUESTION);
  // The mark of the beginning, "S\n", "U:Where?\n" and "A=".
  expect(prompt.tokens).toBe(1 + 2 + 9 + 2);
  expect(prompt.request(86)).toEqual({ messages: QUESTION, max_tokens: 86 });
  expect(() => prompt.request(87)).toThrow(expect.objectContaining({ code: 'prompt-too-long' }));
});

test('a model that thinks aloud is kept from it, and neither prompt nor answer loses room by that', () => {
  const prompt = chatPrompt(model(['<think>', '</think>']), QUESTION);
  // "A:" and the empty thought: two tokens and four line breaks.
  expect(prompt.tokens).toBe(1 + 2 + 9 + 2 + 6);
  expect(prompt.request(10)).toEqual({
    messages: QUESTION,
    max_tokens: 16,
    extra_body: { enable_thinking: false },
  });
});

test('an answer is what was streamed, without the empty thought that web-llm puts before it', () => {
  const pieces: string[] = [];
  const answer = new Answer(
    performance.now(),
    { tokens: 7, uncounted: 1, request: () => ({ messages: [] }) },
    (piece) => pieces.push(piece),
  );
  const chunk = (content: string, finish_reason: 'stop' | 'length' | 'abort' | null = null) =>
    answer.add({
      id: '',
      object: 'chat.completion.chunk',
      created: 0,
      model: '',
      choices: [{ index: 0, delta: { content }, finish_reason }],
    });
  chunk('<think>\n\n</think>\n\nUnder');
  chunk(' the <think> pot');
  chunk('', 'abort');
  expect(answer.done()).toMatchObject({
    text: 'Under the <think> pot',
    finish: 'interrupted',
    promptTokens: 7,
    firstTokenMs: expect.any(Number),
  });
  expect(pieces).toEqual(['Under', ' the <think> pot']);
});
