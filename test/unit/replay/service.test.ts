import { expect, test } from 'vitest';
import type { CorpusSource } from '../../../src/replay/lab/contract.ts';
import { ReplayService } from '../../../src/replay/lab/service.ts';
import { ToyEmbedder } from '../systems/support.ts';
import { WORKED_EXAMPLE } from './support.ts';

const service = new ReplayService({
  readExample: async () => WORKED_EXAMPLE.map((line) => JSON.stringify(line)).join('\n'),
  openEmbedder: async () => new ToyEmbedder(),
  engine: 'test',
});

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
