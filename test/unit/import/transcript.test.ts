import { describe, expect, test } from 'vitest';
import { detectTranscript } from '../../../src/import/transcript.ts';
import { counts, fileOf, fixture, importOf, problemLines, said } from './support.ts';

const turns = (text: string) => detectTranscript(text)?.turns.map((turn) => `${turn.role}: ${turn.text}`);
const lines = (...list: string[]) => list.join('\n');

describe('a pasted transcript', () => {
  const both = ['user: Hi', 'model: Hello'];

  test.each([
    ['plain', 'User: Hi\nAssistant: Hello'],
    ['plain, upper case', 'HUMAN: Hi\nAI: Hello'],
    ['label on its own line', 'You:\nHi\n\nChatGPT:\nHello'],
    ['bold, colon inside', '**You:** Hi\n\n**ChatGPT:** Hello'],
    ['bold, colon outside', '**User**: Hi\n**Assistant**: Hello'],
    ['bold alone', '**User**\n\nHi\n\n**Claude**\n\nHello'],
    ['headings', '## User\n\nHi\n\n## Assistant\n\nHello'],
    ['headings of an exporter', '#### You:\nHi\n\n#### ChatGPT:\nHello'],
    ['prompt and response', '## Prompt:\nHi\n\n## Response:\nHello'],
    ['headings with pictures', '### 👤 User\nHi\n\n### 🤖 GPT-4o\nHello'],
    ['rules between messages', '## User\nHi\n\n---\n\n## Assistant\nHello\n\n---\n'],
    ['copied from a page', 'You said:\nHi\nChatGPT said:\nHello'],
    ['copied as headings of two levels', '##### You said:\nHi\n\n###### ChatGPT said:\nHello'],
    ['German', 'Du hast gesagt:\nHi\nChatGPT hat gesagt:\nHello'],
    ['German labels', 'Nutzer: Hi\nAssistent: Hello'],
    ['French', 'Vous avez dit :\nHi\nChatGPT a dit :\nHello'],
    ['French labels', 'Utilisateur : Hi\nModèle : Hello'],
    ['clock times', '[10:32] User: Hi\n[10:33] Assistant: Hello'],
    ['a version as the name', 'Me: Hi\nClaude 3.5 Sonnet: Hello'],
    ['Windows line ends', 'User: Hi\r\n\r\nAssistant: Hello\r\n'],
    ['blank lines first', '\n\n  User: Hi\nAssistant: Hello'],
  ])('%s', (_, text) => {
    expect(turns(text)).toEqual(both);
  });

  test('dates become times', () => {
    const found = detectTranscript('[2024-05-02 10:15:00] User: Hi\nAssistant (2024-05-02T10:16Z): Hello');
    expect(found?.turns.map((turn) => turn.time)).toEqual([
      Date.UTC(2024, 4, 2, 10, 15),
      Date.UTC(2024, 4, 2, 10, 16),
    ]);
  });

  test('keeps lines, also those with colons, and messages of one side in a row', () => {
    const text = lines(
      'User: Hi',
      'User: Still there?',
      'Assistant: Yes.',
      '',
      'Note: it is late.',
      'Time: 9',
    );
    expect(turns(text)).toEqual([
      'user: Hi',
      'user: Still there?',
      'model: Yes.\n\nNote: it is late.\nTime: 9',
    ]);
  });

  test('one style of label decides; others are text', () => {
    const text = lines(
      '## User',
      'Explain chats',
      '## Assistant',
      'For example:',
      'User: Hi',
      '**Bot:** Yes',
      '### User',
    );
    expect(turns(text)).toEqual([
      'user: Explain chats',
      'model: For example:\nUser: Hi\n**Bot:** Yes\n### User',
    ]);
  });

  test('plain labels other than the first of each side are text', () => {
    const text = lines('User: Explain', 'Assistant: So:', 'Me: hi', 'AI: hello', 'User: Thanks');
    expect(turns(text)).toEqual(['user: Explain', 'model: So:\nMe: hi\nAI: hello', 'user: Thanks']);
  });

  test('labels in code are text', () => {
    const text = lines('User: Explain', 'Assistant: So:', '```', 'User: x', '```', 'User: Thanks');
    expect(turns(text)).toEqual(['user: Explain', 'model: So:\n```\nUser: x\n```', 'user: Thanks']);
    expect(turns(lines('User: a', '```', 'b', 'Assistant: c'))).toEqual(['user: a\n```\nb', 'model: c']);
  });

  test('a system prompt before the first message is left out, later ones are text', () => {
    const text = lines('System: Be kind', 'User: My system?', 'System: Windows', 'Assistant: Fine');
    expect(turns(text)).toEqual(['user: My system?\nSystem: Windows', 'model: Fine']);
  });

  test('half a surrogate pair is replaced', () => {
    expect(turns('User: \ud83d\nAssistant: ok')).toEqual(['user: \ufffd', 'model: ok']);
  });

  test.each([
    ['prose', 'I need a plan.\nNote: it must be short.\nDeadline: Friday'],
    ['one label', 'User: this field stays empty'],
    ['one side twice', 'User: a\nUser: b\nNote: c'],
    ['two names of one side', 'You: a\nMe: b'],
    ['a question that quotes a chat', 'Why did it say this?\nUser: Hi\nAssistant: No'],
    ['a label within a line', 'The User: and the Assistant: are roles\nand nothing else'],
    ['a mail', 'From: a@example.org\nTo: b@example.org\nSubject: c'],
    ['code', '```\nUser: a\nAssistant: b\n```'],
    ['a key without space', 'user:a\nassistant:b'],
    ['a side that says nothing', 'User: a\nAssistant:'],
    ['questions and answers', 'Q: a\nA: b'],
    ['a remark in brackets', 'User (the admin): a\nAssistant (the tool): b'],
    ['nothing', ''],
  ])('%s is no transcript', (_, text) => {
    expect(turns(text)).toBeUndefined();
  });

  test('long lines and many labels', () => {
    const spaces = `${' '.repeat(50)}x${' '.repeat(100)}\n`.repeat(20_000);
    expect(turns(`User: a\n${spaces}\nAssistant: b`)?.length).toBe(2);
    expect(turns('User: a\nAssistant: b\n'.repeat(20_000))?.length).toBe(40_000);
  });
});

describe('a transcript file', () => {
  test('Markdown with a heading, a date, code and rules', async () => {
    const result = await importOf(fixture('transcript.md'));
    expect(result.report.formats).toEqual(['transcript']);
    expect(result.conversations[0]!.title).toBe('Moving the piano');
    expect(said(result).map(([role]) => role)).toEqual(['user', 'model', 'user']);
    expect(said(result)[1]![1]).toBe(
      'About 200 kg. An example of a dialogue:\n\n```\n## You\nthis is code, not a speaker\n```\n\nUser: this is text, not a speaker',
    );
    expect(result.conversations[0]!.turns[1]!.time).toBe(Date.UTC(2024, 4, 2, 10, 15));
    expect(problemLines(result)).toEqual([
      'partial: transcript.md › transcript, “Moving the piano”: text before the first speaker left out: “# Moving the piano Exported on 2 May 2024” (0)',
    ]);
  });

  test('plain text takes its title from the file', async () => {
    const result = await importOf(fixture('transcript.txt', 'Malta trip.txt'));
    expect(result.conversations[0]!.title).toBe('Malta trip');
    expect(said(result)).toEqual([
      ['user', 'Which side of the road\ndo they drive on in Malta?'],
      ['model', 'On the left.\nNote: it was British once.'],
      ['user', 'Thanks'],
    ]);
    expect(result.report.messages).toEqual(counts(4, 3, 1, 0));
    expect(problemLines(result)).toEqual([
      'skipped: Malta trip.txt › transcript, “Malta trip” › line 7: empty message (1)',
    ]);
  });

  test('may begin like JSON', async () => {
    for (const text of ['[10:32] User: Hi\n[10:33] AI: Ho', '[Chat](x)\n\n## User\nHi\n## AI\nHo']) {
      expect(said(await importOf(fileOf('t.md', text)))).toEqual([
        ['user', 'Hi'],
        ['model', 'Ho'],
      ]);
    }
  });

  test('text without speakers fails with what to do', async () => {
    const result = await importOf(fileOf('notes.txt', 'Milk, eggs.\nNote: buy bread.'));
    expect(result.report.files).toEqual(counts(1, 0, 0, 1));
    expect(problemLines(result)).toEqual([
      'failed: notes.txt: No two speakers are named in this text. Begin each message with a label such as "User:" or "Assistant:". (0)',
    ]);
  });
});
