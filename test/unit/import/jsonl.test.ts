import { describe, expect, test } from 'vitest';
import { counts, fileOf, fixture, importOf, jsonFile, problemLines, said } from './support.ts';

describe('ShareGPT', () => {
  test('JSONL: every line is a conversation, a bad line one that failed', async () => {
    const result = await importOf(fixture('sharegpt.jsonl'));
    expect(result.report.formats).toEqual(['sharegpt']);
    expect(result.report.conversations).toEqual(counts(5, 2, 1, 2));
    expect(result.report.messages).toEqual(counts(11, 4, 6, 1));
    expect(said(result, 0)).toEqual([
      ['user', 'Name a prime above 10.'],
      ['model', '11'],
    ]);
    expect(said(result, 1)).toEqual([
      ['user', 'What is the weather?'],
      ['model', 'It rains.'],
    ]);
    expect(problemLines(result)).toEqual([
      'failed: sharegpt.jsonl › line 3: Not valid JSON: column 69: a text is not closed; the file may be cut off. (0)',
      'failed: sharegpt.jsonl › line 5 (sg-4) › message 3: the message has no role (1)',
      'failed: sharegpt.jsonl › line 6: it is not an object (0)',
      'skipped: sharegpt.jsonl › line 1 (sg-1) › message 1: system message (1)',
      'skipped: sharegpt.jsonl › line 2 (sg-2) › message 2: sent to a tool (1)',
      'skipped: sharegpt.jsonl › line 2 (sg-2) › message 3: tool message (1)',
      'skipped: sharegpt.jsonl › line 2 (sg-2) › message 5: role “narrator” (1)',
      'skipped: sharegpt.jsonl › line 5 (sg-4) › message 1 and 1 more: empty message (2)',
      'skipped: sharegpt.jsonl › line 5 (sg-4): no message in it to import (0)',
    ]);
  });

  test('JSON: an array, one record, or an object around an array', async () => {
    const record = {
      conversations: [
        { from: 'human', value: 'Hi' },
        { from: 'gpt', value: 'Hello' },
      ],
    };
    for (const value of [[record], record, { version: 2, items: [record] }]) {
      const result = await importOf(jsonFile('share.json', value));
      expect(result.report.formats).toEqual(['sharegpt']);
      expect(said(result)).toEqual([
        ['user', 'Hi'],
        ['model', 'Hello'],
      ]);
    }
  });
});

describe('UltraChat', () => {
  test('alternating texts and lists of messages', async () => {
    const result = await importOf(fixture('ultrachat.jsonl'));
    expect(result.report.formats).toEqual(['ultrachat']);
    expect(result.report.conversations).toEqual(counts(2, 2, 0, 0));
    expect(said(result, 0)).toEqual([
      ['user', 'Which tea has no caffeine?'],
      ['model', 'Rooibos.'],
      ['user', 'And which has most?'],
      ['model', 'Black tea.'],
    ]);
    expect(said(result, 1)).toEqual([
      ['user', 'Say hi'],
      ['model', 'Hi!'],
    ]);
    expect(problemLines(result)).toEqual([
      'partial: ultrachat.jsonl › line 2 (p8) › message 2: block left out (1)',
    ]);
  });

  test('a bad text among the alternating ones fails alone and keeps the sides apart', async () => {
    const result = await importOf(jsonFile('u.json', { data: ['a', { no: 'text' }, 'b', null, 'c'] }));
    expect(said(result)).toEqual([
      ['user', 'a'],
      ['user', 'b'],
      ['user', 'c'],
    ]);
    expect(result.report.messages).toEqual(counts(5, 3, 1, 1));
  });

  test('a bare list of messages, as JSON or a line each, is one conversation', async () => {
    const messages = [
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: 'Hello' },
    ];
    const lines = messages.map((message) => JSON.stringify(message)).join('\n');
    for (const file of [jsonFile('m.json', messages), fileOf('m.jsonl', lines)]) {
      const result = await importOf(file);
      expect(result.report.conversations).toEqual(counts(1, 1, 0, 0));
      expect(said(result)).toEqual([
        ['user', 'Hi'],
        ['model', 'Hello'],
      ]);
    }
  });

  test('Windows line ends and a missing last line end', async () => {
    const line = JSON.stringify({ data: ['a', 'b'] });
    const result = await importOf(fileOf('u.jsonl', `${line}\r\n\r\n${line}`));
    expect(result.report.conversations).toEqual(counts(2, 2, 0, 0));
  });

  test('a bad first line does not hide the good ones', async () => {
    const line = JSON.stringify({ data: ['a', 'b'] });
    const result = await importOf(fileOf('u.jsonl', `{oops\n${line}\n${line}`));
    expect(result.report.conversations).toEqual(counts(3, 2, 0, 1));
    expect(problemLines(result)).toEqual([
      'failed: u.jsonl › line 1: Not valid JSON: column 2: expected a name in double quotes. (0)',
    ]);
  });

  test('two files that number their records alike hold different conversations', async () => {
    const file = (name: string, text: string) => jsonFile(name, [{ id: '0', data: [text] }]);
    const result = await importOf(file('a.json', 'one'), file('b.json', 'two'));
    expect(result.report.conversations).toEqual(counts(2, 2, 0, 0));
  });

  test('a broken array with an element a line is broken JSON, not JSONL', async () => {
    const line = JSON.stringify({ data: ['a', 'b'] });
    const result = await importOf(fileOf('u.json', `{"items": [\n${line},\n${line},\n${line},\n${line}\n]`));
    expect(problemLines(result)).toEqual([
      'failed: u.json: Not valid JSON: line 6, column 2: it ends too early; the file may be cut off. (0)',
    ]);
  });
});
