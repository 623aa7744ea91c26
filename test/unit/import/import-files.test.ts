import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Progress } from '../../../src/core/progress.ts';
import type { ImportResult } from '../../../src/import/contract.ts';
import { importFiles } from '../../../src/import/import-files.ts';
import { chatGpt, counts, fileOf, fixture, importOf, jsonFile, node, problemLines, said } from './support.ts';

const good = () => jsonFile('good.json', [chatGpt([node('a', null, 'user', 'kept')])]);

/** What must hold for every import: sums, the report's own details, and texts that can be stored. */
function checkAccount(result: ImportResult): void {
  const { files, conversations, messages, problems, problemsLeftOut } = result.report;
  for (const count of [files, conversations, messages]) {
    expect(count.found).toBe(count.imported + count.skipped + count.failed);
  }
  const turns = result.conversations.flatMap((conversation) => conversation.turns);
  expect(conversations.imported).toBe(result.conversations.length);
  expect(messages.imported).toBe(turns.length);
  for (const { text, role } of turns) {
    expect(text.isWellFormed()).toBe(true);
    expect(text.trim()).not.toBe('');
    expect(['user', 'model']).toContain(role);
  }
  if (problemsLeftOut > 0) return;
  for (const kind of ['skipped', 'failed'] as const) {
    const explained = problems.filter((p) => p.kind === kind).reduce((sum, p) => sum + p.messages, 0);
    expect(explained).toBe(messages[kind]);
  }
  for (const { reason } of problems) expect(reason).not.toMatch(/don't add up|undefined|is not a function/);
}

describe('an import', () => {
  test('of several formats at once', async () => {
    const result = await importOf(
      fixture('chatgpt-conversations.json'),
      fixture('claude-conversations.json'),
      fixture('sharegpt.jsonl'),
      fixture('ultrachat.jsonl'),
      fixture('transcript.md'),
      fixture('transcript.txt'),
    );
    checkAccount(result);
    expect(result.report.formats).toEqual(['chatgpt', 'claude', 'sharegpt', 'ultrachat', 'transcript']);
    expect(result.report.conversations).toEqual(counts(17, 10, 3, 4));
  });

  test('of nothing', async () => {
    const result = await importOf();
    expect(result).toEqual({
      conversations: [],
      report: {
        files: counts(0, 0, 0, 0),
        formats: [],
        conversations: counts(0, 0, 0, 0),
        messages: counts(0, 0, 0, 0),
        problems: [],
        problemsLeftOut: 0,
      },
    });
  });

  test('gives the same for the same files', async () => {
    const run = () => importOf(fixture('chatgpt-conversations.json'), fixture('claude-conversations.json'));
    expect(await run()).toEqual(await run());
  });

  test('reports progress in bytes up to the end', async () => {
    const seen: Progress[] = [];
    const files = [good(), fileOf('empty.json', ''), fixture('claude-conversations.json')];
    await importFiles(files, { onProgress: (progress) => seen.push(progress) });
    const total = files.reduce((sum, file) => sum + file.size, 0);
    expect(seen.length).toBeGreaterThanOrEqual(3);
    expect(seen.at(-1)).toMatchObject({ done: total, total });
    const done = seen.map((progress) => progress.done);
    expect(done).toEqual(done.toSorted((a, b) => a - b));
  });

  test('lists at most 500 problems, failures first, and counts the rest', async () => {
    const shells = Array.from({ length: 600 }, () => ({ mapping: {} }));
    const result = await importOf(jsonFile('many.json', [...shells, null]));
    expect(result.report.problems.length).toBe(500);
    expect(result.report.problemsLeftOut).toBe(101);
    expect(result.report.problems[0]!.kind).toBe('failed');
    expect(result.report.conversations).toEqual(counts(601, 0, 600, 1));
  });

  test('a file that can not be read is one that failed', async () => {
    const gone = { name: 'gone.json', size: 5, arrayBuffer: () => Promise.reject(new Error('it was moved')) };
    const result = await importOf(gone, good());
    expect(result.report.files).toEqual(counts(2, 1, 0, 1));
    expect(problemLines(result)).toEqual(['failed: gone.json: it was moved (0)']);
  });
});

describe('stopping', () => {
  test('before it starts', async () => {
    await expect(importFiles([good()], { signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: 'aborted',
    });
  });

  test('in the middle of a file: the event loop gets its turn between conversations', async () => {
    const controller = new AbortController();
    const long = Array.from({ length: 200 }, (_, i) =>
      node(`${i}`, i === 0 ? null : `${i - 1}`, 'user', 'x'),
    );
    const chats = Array.from({ length: 400 }, (_, i) => chatGpt(long, { conversation_id: `${i}` }));
    const done: number[] = [];
    const file = jsonFile('long.json', chats);
    const running = importFiles([file], {
      signal: controller.signal,
      onProgress: (progress) => {
        done.push(progress.done);
        setTimeout(() => controller.abort());
      },
    });
    await expect(running).rejects.toMatchObject({ code: 'aborted' });
    expect(done.at(-1)).toBeLessThan(file.size);
  });
});

describe('bad input', () => {
  test.each<[string, string | Uint8Array, RegExp]>([
    ['an HTML page named json', '<!DOCTYPE html><html></html>', /web page \(HTML\)/],
    ['an empty file', '', /The file is empty/],
    ['white space', ' \n\t', /The file is empty/],
    ['only a byte order mark', '\ufeff', /The file is empty/],
    ['a picture', Uint8Array.from([137, 80, 78, 71, 13, 10, 26, 10, 0, 0, 0, 13]), /not a text file/],
    ['broken JSON', '[\n{"mapping": {}},\n{"mapping": tru}\n]', /line 3, column 13: expected a value/],
    ['JSON of something else', '{"name": "package"}', /no chat export that is known here/],
    ['a JSON number', '[42]', /no chat export that is known here/],
    ['nulls', '[null, null]', /no chat export that is known here/],
    [
      'deep nesting',
      `{"mapping":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
      /no chat export|Not valid JSON/,
    ],
    ['deep nesting that never ends', '['.repeat(100_000), /ends too early|Not valid JSON/],
  ])('%s is named, and the next file is read', async (_, content, reason) => {
    const result = await importOf(fileOf('bad.json', content), good());
    checkAccount(result);
    expect(result.report.files).toEqual(counts(2, 1, 0, 1));
    expect(said(result)).toEqual([['user', 'kept']]);
    expect(problemLines(result)[0]).toMatch(/^failed: bad\.json: /);
    expect(problemLines(result)[0]).toMatch(reason);
  });

  test('an empty list is skipped', async () => {
    const result = await importOf(fileOf('none.json', '[]'));
    expect(problemLines(result)).toEqual(['skipped: none.json: no conversations in it (0)']);
  });

  test('a byte order mark, UTF-16, lone surrogates, 2 MB in one message', async () => {
    const text = `${'long '.repeat(400_000)}end`;
    const json = JSON.stringify([
      chatGpt([node('a', null, 'user', text), node('b', 'a', 'assistant', 'half \ud83d')]),
    ]);
    const utf16 = new Uint8Array(Uint16Array.from(`\ufeff${json}`, (c) => c.charCodeAt(0)).buffer);
    for (const content of [`\ufeff${json}`, utf16]) {
      const result = await importOf(fileOf('c.json', content));
      checkAccount(result);
      expect(said(result)).toEqual([
        ['user', text],
        ['model', 'half \ufffd'],
      ]);
    }
  });

  test('names that objects inherit are names like others', async () => {
    const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty'];
    const nodes = names.map((name, i) => {
      const [, value] = node(name, names[i - 1] ?? null, 'user', name);
      return `${JSON.stringify(name)}: ${JSON.stringify(value)}`;
    });
    const result = await importOf(fileOf('c.json', `[{"title": "T", "mapping": {${nodes.join()}}}]`));
    expect(said(result).map(([, text]) => text)).toEqual(names);
    expect(Object.hasOwn(Object.prototype, 'message')).toBe(false);

    const roles = names.map((from) => ({ from, value: 'x' }));
    const share = await importOf(
      jsonFile('s.json', { conversations: [...roles, { from: 'human', value: 'hi' }] }),
    );
    expect(share.report.messages).toEqual(counts(5, 1, 4, 0));
    expect(share.report.problems[0]!.reason).toBe('role “__proto__”');
  });

  test('a missing link between messages is mended and said', async () => {
    const nodes = [
      node('a', null, 'user', 'one', 1),
      node('b', 'lost', 'assistant', 'two', 2),
      node('c', 'b', 'user', 'three', 3),
    ];
    const result = await importOf(jsonFile('c.json', [chatGpt(nodes, { current_node: 'c' })]));
    expect(said(result).map(([, text]) => text)).toEqual(['one', 'two', 'three']);
    expect(problemLines(result)).toEqual([
      'partial: c.json › conversation, “Test” (c1): 1 missing links between messages, joined by time (0)',
    ]);
  });
});

describe('whatever a file holds, the account adds up', () => {
  const junk = fc.oneof(
    { maxDepth: 3 },
    fc.constant(null),
    fc.boolean(),
    fc.integer(),
    fc.string({ unit: 'binary' }),
    fc.constant([]),
    fc.constant({}),
  );
  const maybe = (value: fc.Arbitrary<unknown>) =>
    fc.oneof({ weight: 4, arbitrary: value }, { weight: 1, arbitrary: junk });
  const record = (model: Record<string, fc.Arbitrary<unknown>>) =>
    fc.record(Object.fromEntries(Object.entries(model).map(([key, value]) => [key, maybe(value)])), {
      requiredKeys: [],
    });
  const id = fc.constantFrom('a', 'b', 'c', 'd', 'lost', '__proto__');
  const words = fc.constantFrom('hello', '', ' ', '\ud800', 'two\nlines');
  const time = fc.oneof(fc.double(), fc.constantFrom(1.7e9, 1.7e12, '2024-01-01', 'never'));
  const list = (item: fc.Arbitrary<unknown>) => fc.array(maybe(item), { maxLength: 5 });

  const content = record({
    content_type: fc.constantFrom('text', 'multimodal_text', 'code', 'thoughts', 'novelty'),
    parts: list(fc.oneof(words, record({ content_type: id, text: words }))),
    text: words,
  });
  const gptMessage = record({
    author: record({ role: fc.constantFrom('user', 'assistant', 'system', 'tool', 'critic') }),
    content,
    create_time: time,
    recipient: fc.constantFrom('all', 'python'),
    metadata: record({
      is_visually_hidden_from_conversation: fc.boolean(),
      attachments: list(fc.constant({})),
    }),
  });
  const gptNode = record({ parent: id, children: list(id), message: gptMessage });
  const gpt = record({
    title: words,
    conversation_id: id,
    current_node: id,
    mapping: fc.dictionary(id, maybe(gptNode)),
  });

  const claudeMessage = record({
    uuid: id,
    parent_message_uuid: id,
    sender: fc.constantFrom('human', 'assistant', 'robot'),
    text: words,
    created_at: time,
    content: list(record({ type: fc.constantFrom('text', 'thinking', 'tool_use', 'novelty'), text: words })),
    attachments: list(record({ file_name: id, extracted_content: words })),
    files: list(record({ file_name: id })),
  });
  const claude = record({ uuid: id, name: words, chat_messages: list(claudeMessage), updated_at: time });

  const listed = record({
    from: fc.constantFrom('human', 'gpt', 'system', 'tool', 'robot'),
    value: fc.oneof(words, list(record({ type: id, text: words }))),
  });
  const share = record({ id, conversations: list(listed) });
  const ultra = record({ id, data: list(words), messages: list(listed) });

  test.each([
    ['ChatGPT', gpt],
    ['Claude', claude],
    ['ShareGPT', share],
    ['UltraChat', ultra],
    ['a mixture', fc.oneof(gpt, claude, share, ultra)],
  ])('%s', async (_, conversation) => {
    const file = fc.array(maybe(conversation), { maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(file, async (values) => {
        const asArray = await importOf(jsonFile('a.json', values));
        checkAccount(asArray);
        checkAccount(
          await importOf(fileOf('a.jsonl', values.map((value) => JSON.stringify(value)).join('\n'))),
        );
      }),
      { numRuns: 200 },
    );
  });

  test('any text', async () => {
    const line = fc.constantFrom(
      'User: hi',
      'Assistant: yo',
      '## You',
      '## AI',
      '```',
      '{"data": ["a"]}',
      '{',
      'x',
      '',
    );
    await fc.assert(
      fc.asyncProperty(fc.array(line), async (lines) =>
        checkAccount(await importOf(fileOf('t', lines.join('\n')))),
      ),
      { numRuns: 200 },
    );
  });
});
