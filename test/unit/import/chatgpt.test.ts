import { describe, expect, test } from 'vitest';
import { chatGpt, counts, fixture, importOf, jsonFile, node, problemLines, said } from './support.ts';

describe('a ChatGPT export', () => {
  test('keeps what was said on the branch last seen and accounts for the rest', async () => {
    const result = await importOf(fixture('chatgpt-conversations.json', 'conversations.json'));
    expect(result.report.formats).toEqual(['chatgpt']);
    expect(result.report.files).toEqual(counts(1, 1, 0, 0));
    expect(result.report.conversations).toEqual(counts(5, 2, 1, 2));
    expect(result.report.messages).toEqual(counts(15, 6, 9, 0));
    expect(said(result, 0)).toEqual([
      ['user', 'How long should my dough rest at 24 degrees?'],
      ['model', 'About four to five hours.'],
      ['user', 'Is this crumb too tight?'],
      ['model', 'A little. Let it rest half an hour longer.'],
    ]);
    expect(said(result, 1)).toEqual([
      ['user', 'Which stop is next?'],
      ['model', 'Museum Square.'],
    ]);
  });

  test('names file, conversation and message of everything left out', async () => {
    const result = await importOf(fixture('chatgpt-conversations.json', 'conversations.json'));
    const bread = 'conversations.json › conversation 1, “Sourdough timing” (conv-sourdough)';
    const tram = 'conversations.json › conversation 2, “Voice on the tram” (conv-voice)';
    expect(problemLines(result)).toEqual([
      'failed: conversations.json › conversation 4, “Broken” (conv-broken): its “mapping” is not an object (0)',
      'failed: conversations.json › conversation 5: it is not an object (0)',
      `skipped: ${bread} › message sys: system message (1)`,
      `skipped: ${bread} › message profile: context for the model, not part of the chat (1)`,
      `skipped: ${bread} › message thoughts and 1 more: reasoning of the model (2)`,
      `skipped: ${bread} › message search: sent to a tool (browser) (1)`,
      `skipped: ${bread} › message found: tool message (1)`,
      `skipped: ${bread} › message a1-retry: on another branch (a retry or an edit) (1)`,
      `skipped: ${tram} › message v3: attachment without text (1)`,
      `skipped: ${tram} › message v4: empty message (1)`,
      'skipped: conversations.json › conversation 3, “An empty shell” (conv-shell): no message in it to import (0)',
      `partial: ${bread} › message u2: attachment left out: image_asset_pointer (1)`,
      `partial: ${bread} › message u2: attachment left out: file (1)`,
      `partial: ${tram} › message v1: attachment left out: real_time_user_audio_video_asset_pointer (1)`,
    ]);
  });

  test('turns seconds with fractions into whole milliseconds', async () => {
    const [bread] = (await importOf(fixture('chatgpt-conversations.json'))).conversations;
    expect(bread!.createdAt).toBe(1717232400123);
    expect(bread!.turns.map((turn) => turn.time)).toEqual([
      1717232401250, 1717232409750, 1717232500000, 1717232510000,
    ]);
    expect(bread!.turns[0]!.source).toBe('chatgpt-conversations.json › Sourdough timing');
  });

  test('a file of one conversation, as in newer exports', async () => {
    const result = await importOf(jsonFile('0001.json', chatGpt([node('a', null, 'user', 'Hello')])));
    expect(said(result)).toEqual([['user', 'Hello']]);
  });

  test('keeps two messages of one side in a row apart', async () => {
    const nodes = [
      node('a', null, 'user', 'one'),
      node('b', 'a', 'user', 'two'),
      node('c', 'b', 'assistant', 'three'),
      node('d', 'c', 'assistant', 'four'),
    ];
    const result = await importOf(jsonFile('c.json', [chatGpt(nodes)]));
    expect(said(result).map(([role]) => role)).toEqual(['user', 'user', 'model', 'model']);
  });
});

describe('what a message holds decides', () => {
  const one = async (message: object) => {
    const mapping = { a: { parent: null, message } };
    const result = await importOf(jsonFile('c.json', [{ title: 'T', mapping }]));
    expect(result.report.messages.found).toBe(1);
    return result.conversations[0]?.turns[0]?.text ?? result.report.problems[0]!.reason;
  };
  const from = (role: string, content: unknown, more: object = {}) => ({
    author: { role },
    content,
    ...more,
  });
  const text = (...parts: unknown[]) => ({ content_type: 'text', parts });

  test.each([
    [
      'hidden',
      from('user', text('x'), { metadata: { is_visually_hidden_from_conversation: true } }),
      'hidden in the chat',
    ],
    [
      'model context',
      from('assistant', { content_type: 'model_editable_context', model_set_context: 'x' }),
      'context for the model, not part of the chat',
    ],
    [
      'python call',
      from('assistant', { content_type: 'code', text: 'x = 1' }, { recipient: 'python' }),
      'sent to a tool (python)',
    ],
    [
      'code to the person',
      from('assistant', { content_type: 'code', text: 'x = 1' }, { recipient: 'all' }),
      'x = 1',
    ],
    ['tool output', from('tool', { content_type: 'execution_output', text: '1' }), 'tool message'],
    ['tool text', from('tool', text('found')), 'tool message'],
    ['another author', from('critic', text('bad')), 'author “critic”'],
    ['no author', { author: null, content: text('x') }, 'the message has no author role'],
    ['null content', from('user', null), 'empty message'],
    ['null parts', from('user', { content_type: 'text', parts: null }), 'empty message'],
    ['null in parts', from('user', text(null, 'kept', 3)), 'kept'],
    ['white space', from('user', text(' \n ')), 'empty message'],
    ['null metadata', from('user', text('hi'), { metadata: null }), 'hi'],
    ['several parts', from('user', text('a', 'b')), 'a\nb'],
    ['unknown type', from('assistant', { content_type: 'super_widget', text: 'Shown' }), 'Shown'],
    [
      'unknown type without text',
      from('assistant', { content_type: 'super_widget', widget: 1 }),
      'empty message',
    ],
  ])('%s', async (_, message, expected) => {
    expect(await one(message)).toBe(expected);
  });

  test('a message that is no object fails alone', async () => {
    const mapping = {
      a: { parent: null, message: 'text' },
      ...Object.fromEntries([node('b', 'a', 'user', 'ok')]),
    };
    const result = await importOf(jsonFile('c.json', [{ title: 'T', mapping }]));
    expect(result.report.messages).toEqual(counts(2, 1, 0, 1));
    expect(problemLines(result)[0]).toBe(
      'failed: c.json › conversation, “T” › message a: the message is not an object (1)',
    );
  });
});
