import { describe, expect, test } from 'vitest';
import { counts, fixture, importOf, jsonFile, problemLines, said } from './support.ts';

describe('a Claude export', () => {
  test('is told from a ChatGPT export by its content, whatever its name', async () => {
    const result = await importOf(fixture('claude-conversations.json', 'conversations.json'));
    expect(result.report.formats).toEqual(['claude']);
  });

  test('keeps texts, documents and the branch last seen, and accounts for the rest', async () => {
    const result = await importOf(fixture('claude-conversations.json', 'c.json'));
    expect(result.report.conversations).toEqual(counts(3, 2, 1, 0));
    expect(result.report.messages).toEqual(counts(11, 5, 4, 2));
    expect(said(result, 0)).toEqual([
      ['user', 'When is the best time for Porto?'],
      ['model', 'May or September.\n\nLook at this.'],
      ['user', 'Check my list\n\n[Attachment: list.txt]\numbrella\npassport\n[End of attachment]'],
    ]);
    expect(said(result, 1)).toEqual([
      ['user', 'An older export has plain text only.'],
      ['model', 'And no content blocks.'],
    ]);
    expect(result.conversations[1]!.turns[0]!.time).toBe(Date.UTC(2024, 10, 5, 19));
    expect(result.conversations[1]!.title).toBe('An older export has plain text only.');
    const porto = 'c.json › conversation 1, “Trip to Porto” (0a11)';
    expect(problemLines(result)).toEqual([
      'failed: c.json › conversation 2 (0a12) › message o3: the message has no sender (1)',
      'failed: c.json › conversation 2 (0a12) › message number 4: the message is not an object (1)',
      `skipped: ${porto} › message m5: no text, only blocks of other kinds (1)`,
      `skipped: ${porto} › message m6: attachment without text (1)`,
      `skipped: ${porto} › message m7: empty message (1)`,
      `skipped: ${porto} › message m2: on another branch (a retry or an edit) (1)`,
      'skipped: c.json › conversation 3, “Nothing said” (0a13): no message in it to import (0)',
      `partial: ${porto} › message m3: block left out: thinking (1)`,
      `partial: ${porto} › message m3: block left out: tool_use (1)`,
      `partial: ${porto} › message m3: block left out: tool_result (1)`,
      `partial: ${porto} › message m3: unknown block: hologram, its text kept (1)`,
      `partial: ${porto} › message m4: attachment left out: file (1)`,
    ]);
  });

  const one = async (message: object) => {
    const chat = { uuid: 'c', name: 'N', chat_messages: [{ uuid: 'm', sender: 'human', ...message }] };
    const result = await importOf(jsonFile('c.json', [chat]));
    return result.conversations[0]?.turns[0]?.text ?? result.report.problems[0]!.reason;
  };

  test.each([
    [
      'an unknown block beside flat text',
      { text: 'Hello', content: [{ type: 'mystery', data: 1 }] },
      'Hello',
    ],
    ['flat text without blocks', { text: 'Hello', content: [] }, 'Hello'],
    ['null content', { text: 'Hello', content: null }, 'Hello'],
    ['null blocks', { text: 'Hello', content: [null, 'x', { type: 'text', text: null }] }, 'Hello'],
    [
      'only a document',
      { text: '', attachments: [{ extracted_content: 'a' }] },
      '[Attachment: without a name]\na\n[End of attachment]',
    ],
    [
      'an attachment without text',
      { text: '', attachments: [{ file_name: 'a.zip' }] },
      'attachment without text',
    ],
    ['null lists', { text: 'Hello', attachments: null, files: null }, 'Hello'],
    ['another sender', { sender: 'robot', text: 'Hello' }, 'sender “robot”'],
  ])('%s', async (_, message, expected) => {
    expect(await one(message)).toBe(expected);
  });

  test('counts how often a block of one kind was left out', async () => {
    const content = [{ type: 'tool_use' }, { type: 'tool_use' }, { type: 'text', text: 'Done' }];
    const chat = { name: 'N', chat_messages: [{ sender: 'assistant', content }] };
    expect(problemLines(await importOf(jsonFile('c.json', [chat])))).toEqual([
      'partial: c.json › conversation, “N” › message number 1: block left out: tool_use (2 times) (1)',
    ]);
  });

  test('a list that is none fails that conversation alone', async () => {
    const good = { name: 'Good', chat_messages: [{ sender: 'human', text: 'Hi' }] };
    const bad = { name: 'Bad', chat_messages: 'gone' };
    const result = await importOf(jsonFile('c.json', [bad, good]));
    expect(result.report.conversations).toEqual(counts(2, 1, 0, 1));
    expect(problemLines(result)).toEqual([
      'failed: c.json › conversation 1, “Bad”: its “chat_messages” is not a list (0)',
    ]);
  });
});
