import { expect, test } from 'vitest';
import { fetchFile } from '../../../src/bench/lab/fetch-file.ts';
import { SkeinError } from '../../../src/core/errors.ts';
import { ANSWER_TOKENS } from '../../../src/replay/answering.ts';
import type { CorpusSource } from '../../../src/replay/lab/contract.ts';
import { ReplayService } from '../../../src/replay/lab/service.ts';
import { readLedger } from '../../../src/replay/report.ts';
import { FAKE_MODEL, FakeEngine } from '../chat/fakes.ts';
import { ToyEmbedder } from '../systems/support.ts';
import { WORKED_EXAMPLE } from './support.ts';

const PORTS = {
  readExample: async () => WORKED_EXAMPLE.map((line) => JSON.stringify(line)).join('\n'),
  openEmbedder: async () => new ToyEmbedder(),
  openAnswerEngine: async () => new FakeEngine(),
  engine: 'test',
};
const service = new ReplayService(PORTS);

test('A request for nothing and a broken corpus are refused, with the place', async () => {
  const source: CorpusSource = { kind: 'file', file: new File(['{"kind":"turn"}'], 'mine.jsonl') };
  await expect(service.describe(source)).rejects.toThrow('mine.jsonl:1');
  const request = {
    source: { kind: 'example' },
    histories: [],
    conditions: ['ice'],
    queryEffects: 'apply',
  } as const;
  await expect(service.run(request, () => {})).rejects.toThrow('Nothing is chosen');
});

test('A chosen model answers, its answers are checked, and a prompt too long for it is a missing output', async () => {
  const engine = new FakeEngine();
  engine.answers = ['It is SQLite.'];
  const generate = engine.generate.bind(engine);
  engine.generate = async (messages, options) => {
    if (messages.at(-1)!.content.includes('choice of database change')) {
      throw new SkeinError('prompt-too-long', 'Too long.', 'Shorten it.');
    }
    return generate(messages, options);
  };
  const keys: (string | undefined)[] = [];
  const answering = new ReplayService({
    ...PORTS,
    openAnswerEngine: async (_, key) => {
      keys.push(key);
      return engine;
    },
  });
  const request = {
    source: { kind: 'example' },
    histories: ['app'],
    conditions: ['skein'],
    queryEffects: 'apply',
    answer: { model: FAKE_MODEL, key: 'secret' },
  } as const;
  const text = await answering.run(request, () => {});
  expect(keys).toEqual(['secret']);
  expect(text).not.toContain('secret');
  // Its weights are let go, whatever runs next.
  expect(engine.loaded).toBeUndefined();
  const { settings, lines } = readLedger(text);
  expect(settings.answering).toContain('A fake model (transformers, wasm)');
  expect(settings.window).toBe(FAKE_MODEL.contextWindow - ANSWER_TOKENS);
  const seen = lines.flatMap((line) =>
    line.kind === 'observation' ? [[line.checkpoint, line.probe, line.missing ?? line.graded?.outcome]] : [],
  );
  expect(seen).toEqual([
    ['T1', 'now', 'right'],
    ['T1', 'then', 'right'],
    ['T2', 'now', 'superseded'],
    ['T2', 'then', 'right'],
    ['T2', 'change', 'prompt too long'],
  ]);
});

test('A file is fetched by its address, and what goes wrong says so', async () => {
  const url = 'https://example.org/data/locomo10.json';
  const file = await fetchFile(url, async () => new Response('[]'));
  expect([file.name, await file.text()]).toEqual(['locomo10.json', '[]']);
  await expect(fetchFile(url, async () => new Response('', { status: 404 }))).rejects.toMatchObject({
    code: 'download-failed',
    message: `${url}: the server answers 404.`,
  });
  await expect(fetchFile(url, () => Promise.reject(new TypeError('blocked')))).rejects.toMatchObject({
    code: 'offline',
  });
});

test('A file of LongMemEval is asked as headless, its labels are remarked on', async () => {
  const record = {
    question_id: 'q1',
    question_type: 'multi-session',
    question: 'Which fox?',
    answer: 'red',
    haystack_session_ids: ['s1', 's2'],
    haystack_sessions: [[{ role: 'user', content: 'a red fox', has_answer: true }], []],
    answer_session_ids: ['s1'],
  };
  const file = new File([JSON.stringify([record])], 'mine.json');
  expect(await service.describeHistories(file)).toMatchObject({
    questions: 1,
    problems: [['empty session', 1]],
  });
  const request = {
    file,
    systems: ['tsim-e2', 'bm25-sessions'],
    boundaries: ['flat', 'given'],
    questions: 1,
  } as const;
  const { table, report, ledger } = await service.runHistories(request, () => {});
  expect(
    table.rows.map(([system, boundaries, type, , held]) => [system, boundaries, type, held]),
  ).toContainEqual(['bm25-sessions', 'given', 'all', '1.000']);
  expect(report).toContain('| empty session | 1 |');
  expect(ledger.trim().split('\n').length).toBe(3);
});
