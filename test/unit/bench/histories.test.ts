import { describe, expect, test } from 'vitest';
import { countLabelProblems, threadOf } from '../../../src/bench/histories.ts';
import { runHistories, selectQuestions } from '../../../src/bench/history-run.ts';
import { HistoryScorer } from '../../../src/bench/history-score.ts';
import { figuresOf, historyReport } from '../../../src/bench/history-tables.ts';
import { jsonItems } from '../../../src/bench/json-items.ts';
import { readLoCoMo } from '../../../src/bench/locomo-reader.ts';
import { readLongMemEval } from '../../../src/bench/longmemeval-reader.ts';
import { findHistorySystem, HISTORY_SYSTEMS } from '../../../src/systems/history-systems.ts';
import { filler, ToyEmbedder } from '../systems/support.ts';

// Files of our own in the shape of the released ones, which are not part of this project.

const said = (content: string, has_answer?: boolean) => ({
  role: 'user',
  content,
  ...(has_answer !== undefined && { has_answer }),
});
const replied = (content: string) => ({ role: 'assistant', content });

function record(id: string, type: string, more: object = {}): object {
  return {
    question_id: id,
    question_type: type,
    question: 'Which fox did I see on the boat?',
    answer: 'a red one',
    question_date: '2023/06/01 (Thu) 10:00',
    haystack_session_ids: ['s1', 's2', 's3'],
    haystack_dates: ['2023/05/20 (Sat) 02:21', '2023/05/22 (Mon) 08:00', '2023/05/21 (Sun) 09:00'],
    haystack_sessions: [
      [said(`A drum ${filler(20)}`), replied(`I see, a drum ${filler(20)}`)],
      [said('I saw a red fox today', true), replied('How nice')],
      [said('Fox again, from the boat', true), replied('Good eyes')],
    ],
    answer_session_ids: ['s2', 's3'],
    ...more,
  };
}

describe('LongMemEval', () => {
  test('sessions come in the order of their dates, evidence turns are numbered over the history', () => {
    const { histories, problems } = readLongMemEval(
      JSON.stringify([record('q1', 'multi-session')]),
      's.json',
    );
    expect(problems).toEqual([]);
    const [{ sessions, questions }] = histories as [(typeof histories)[0]];
    expect(sessions.map(({ id }) => id)).toEqual(['s1', 's3', 's2']);
    expect(questions[0]).toMatchObject({
      type: 'multi-session',
      abstention: false,
      evidenceTurns: [2, 4],
      evidenceSessions: ['s3', 's2'],
    });
    const sources = (boundaries: 'flat' | 'given') =>
      threadOf(histories[0]!, boundaries).map(({ source }) => source);
    expect(sources('given')).toEqual(['s1', 's1', 's3', 's3', 's2', 's2']);
    expect(new Set(sources('flat'))).toEqual(new Set([undefined]));
  });

  test('known label problems are counted, and a broken record costs only itself', () => {
    const good = JSON.stringify(record('q1', 'multi-session'));
    const records = [
      good,
      '{"question_id": "torn", "haystack": tru}',
      JSON.stringify(record('q2_abs', 'multi-session', { answer_session_ids: ['s9'] })),
      JSON.stringify(record('q3', 'temporal-reasoning', { haystack_session_ids: ['s1', 's2', 's2'] })),
      JSON.stringify(
        record('q4', 'knowledge-update', { haystack_sessions: [[], [said('x'), replied(' ')], [said('y')]] }),
      ),
    ];
    const { histories, problems } = readLongMemEval(`[${records.join(',\n')}]`, 's.json');
    expect(histories.map(({ id }) => id)).toEqual(['q1', 'q2_abs', 'q3', 'q4']);
    expect(Object.fromEntries(countLabelProblems(problems))).toEqual({
      unreadable: 1,
      'duplicate session id': 1,
      'empty session': 1,
      'empty turn': 1,
      abstention: 1,
      'evidence session missing': 2,
      'no evidence labelled': 1,
    });
    expect(problems[0]!.place).toBe('s.json:2');
    expect(histories[2]!.sessions.map(({ id }) => id)).toEqual(['s1', 's2#2', 's2']);
  });

  test('what is no list is refused; items are told apart inside strings and nested lists', () => {
    expect(() => readLongMemEval('{}', 's.json')).toThrow(/no JSON list/);
    const items = [...jsonItems('[{"a": "]},\\"["},\n\n[1, [2]], 3 ]', 'x')];
    expect(items).toEqual([
      { text: '{"a": "]},\\"["}', line: 1 },
      { text: '[1, [2]]', line: 3 },
      { text: '3', line: 3 },
    ]);
  });
});

describe('LoCoMo', () => {
  const sample = {
    sample_id: 'conv-1',
    conversation: {
      speaker_a: 'Ann',
      speaker_b: 'Ben',
      session_1_date_time: '1:56 pm on 8 May, 2023',
      session_1: [
        { speaker: 'Ann', dia_id: 'D1:1', text: 'Look at my goat', blip_caption: 'a goat on a hill' },
        { speaker: 'Ben', dia_id: 'D1:2', text: 'Fine goat' },
      ],
      session_2: [{ speaker: 'Ben', dia_id: 'D2:1', text: 'I bought a drum' }],
      session_10: [],
    },
    qa: [
      { question: 'What did Ben buy?', answer: 'a drum', evidence: ['D2:1'], category: 4 },
      { question: 'What connects them?', answer: 'a goat', evidence: ['D1:01; D2:1'], category: 1 },
      { question: 'What did Ann buy?', adversarial_answer: 'a drum', evidence: ['D2:1'], category: 5 },
      { question: 'When?', evidence: ['D', 'D7:3'], category: 2 },
    ],
  };
  const set = readLoCoMo(JSON.stringify([sample]), 'locomo.json');

  test('sessions, speakers, pictures, evidence of several turns', () => {
    const [{ sessions, questions }] = set.histories as [(typeof set.histories)[0]];
    expect(sessions.map(({ id, turns }) => [id, turns.map(({ role }) => role)])).toEqual([
      ['session_1', ['user', 'model']],
      ['session_2', ['model']],
      ['session_10', []],
    ]);
    expect(sessions[0]!.turns[0]!.text).toBe('Ann: Look at my goat [shares a picture: a goat on a hill]');
    expect(questions.map(({ type, evidenceTurns, abstention }) => [type, evidenceTurns, abstention])).toEqual(
      [
        ['single-hop', [2], false],
        ['multi-hop', [0, 2], false],
        ['adversarial', [2], true],
        ['temporal', [], false],
      ],
    );
    expect(Object.fromEntries(countLabelProblems(set.problems))).toEqual({
      'empty session': 1,
      'adversarial (category 5)': 1,
      'evidence id malformed': 1,
      'evidence turn missing': 1,
      'no evidence labelled': 1,
      'no answer': 1,
    });
  });

  test('coverage by turn and session; a text of the system that quotes a turn holds it', () => {
    const [history] = set.histories;
    const scorer = new HistoryScorer(history!, threadOf(history!, 'flat'));
    const [single, multi, adversarial, unlabelled] = history!.questions;
    expect(scorer.score(multi!, [{ kind: 'turns', start: 1, end: 3 }])).toEqual({
      turns: { held: 1, of: 2 },
      sessions: { held: 2, of: 2 },
    });
    expect(scorer.score(single!, [{ kind: 'text', text: 'Note.\nben: I bought  a drum' }])).toEqual({
      turns: { held: 1, of: 1 },
      sessions: { held: 1, of: 1 },
    });
    expect(scorer.score(adversarial!, [{ kind: 'turns', start: 0, end: 3 }])).toEqual({});
    expect(scorer.score(unlabelled!, [{ kind: 'turns', start: 0, end: 3 }])).toEqual({});
  });
});

test('TSIM of E.2 and the controls run in both conditions, those that need sessions in one', async () => {
  const set = readLongMemEval(
    JSON.stringify([
      record('q1', 'multi-session'),
      record('q2', 'temporal-reasoning'),
      record('q3_abs', 'multi-session'),
    ]),
    's.json',
  );
  const run = () =>
    runHistories(set, {
      systems: HISTORY_SYSTEMS,
      embedder: new ToyEmbedder(),
      boundaries: ['flat', 'given'],
    });
  const lines = await run();
  expect(await run()).toEqual(lines);
  const of = (system: string) => lines.filter((line) => line.system === system);
  expect(HISTORY_SYSTEMS.map(({ name }) => of(name).length)).toEqual([6, 6, 6, 3, 3]);
  expect(figuresOf(of('dense-turns').filter(({ abstention }) => !abstention))).toMatchObject({
    questions: 4,
    turnCoverage: 1,
    allSessions: { hits: 4, of: 4 },
  });
  const report = historyReport(set, lines);
  expect(report).toContain("1 asked questions can't be answered");
  expect(report).toMatch(/\| bm25-sessions \| given \| temporal-reasoning \| 1 \|/);
  expect(
    selectQuestions(set, 2, 1)
      .histories.map(({ questions }) => questions[0]!.type)
      .sort(),
  ).toEqual(['multi-session', 'temporal-reasoning']);
});

test('TSIM of E.2 always shows the two newest episodes and prefers newer ones among equals', async () => {
  const system = await findHistorySystem('tsim-e2').create({ embedder: new ToyEmbedder() });
  const topics = ['apple', 'boat', 'cat', 'drum', 'egg', 'fox', 'goat'];
  await system.append(
    Array.from({ length: 60 }, (_, i) => ({
      role: i % 2 ? ('model' as const) : ('user' as const),
      text: `${topics[Math.floor(i / 4) % 7]} ${filler(60)}`,
    })),
  );
  const episodes = system.index!().length;
  expect(episodes).toBeGreaterThan(10);
  const { units, context } = await system.retrieve('apple');
  const last = context.at(-1)!;
  expect(last.kind === 'turns' && last.end).toBe(60);
  const apples = units
    .filter(({ ranges }) => [0, 28, 56].includes(ranges[0]![0]))
    .map(({ ranges }) => ranges[0]![0]);
  expect(apples.length).toBeGreaterThan(1);
  expect(apples).toEqual([...apples].sort((a, b) => b - a));
});
