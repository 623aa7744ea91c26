import { gzipSync, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { readDistractors } from '../../../src/bench/distractors.ts';
import { urlSource, zipSource } from '../../../src/bench/file-source.ts';
import { readPool } from '../../../src/bench/package-reader.ts';
import { countProblems, questionsOf } from '../../../src/bench/pool.ts';
import { folder, textFile } from './files.ts';

const QUERY = `{
    'global_id': 'q1', 'topic': 'Legal', 'creator': 'codex',
    'query': 'What is due?\\nA. rent\\nB. tax\\nC. tea\\nD. cake',
    'expected_doc': ['Tea is due.'], 'expected_answer_keywords': ['C'], 'reasoning': 'It says so.',
}`;
const HISTORY = `GROUND_TRUTH_HISTORY = [
    [('What is due?', 'user'), ('Tea  is\\ndue.', 'model')],
    [('user', 'user'), ('Cake is late.', 'model')],
]
`;
const TEST_CASES = `"""Made by a script."""\n${HISTORY}EVALUATION_QUERIES = [\n${QUERY},\n]\n`;
const NOISE = `NOISE = [[('Hello', 'user'), ('Hi', 'model')]]\n`;

const record = (over: object = {}) =>
  JSON.stringify({
    id: 'r1',
    topic: 'Legal',
    dialogue: [
      ['user', 'What is due?'],
      ['model', 'Tea is due.'],
    ],
    query: 'What was due?',
    options: { A: 'rent', B: 'tax', C: 'tea', D: 'cake' },
    answer: 'C',
    expected_doc: ['tea is  due.'],
    reasoning: 'It says so.',
    stress: ['constraint_trap'],
    ...over,
  });

describe('readPool with a released package', () => {
  it('reads a runtime folder', async () => {
    const pool = await readPool(folder({ 'test_cases.py': TEST_CASES, 'processed_noise.py': NOISE }));
    expect(pool.problems).toEqual([]);
    expect(pool.noise.map(({ turns }) => turns)).toEqual([
      [
        { role: 'user', text: 'Hello' },
        { role: 'model', text: 'Hi' },
      ],
    ]);
    expect(pool.cases.map(({ id, questions }) => [id, questions.length])).toEqual([
      ['truth-1', 1],
      ['truth-2', 0],
    ]);
    // The word "user" as a text is no role where the role follows.
    expect(pool.cases[1]!.dialogues[0]!.turns[0]).toEqual({ role: 'user', text: 'user' });
    expect(questionsOf(pool.cases)).toEqual([
      {
        id: 'q1',
        query: 'What is due?',
        options: { A: 'rent', B: 'tax', C: 'tea', D: 'cake' },
        gold: 'C',
        evidence: [{ dialogue: 'truth-1', text: 'Tea is due.' }],
        reasoning: 'It says so.',
        topic: 'Legal',
        creator: 'codex',
        stress: [],
      },
    ]);
  });

  it('reads a ZIP from its root, with the manifest', async () => {
    const bytes = zipSync(
      Object.fromEntries(
        Object.entries({
          'package/manifest.json': '{"context_budget": "128k"}',
          'package/runtime/full/test_cases.py': TEST_CASES,
          'package/runtime/full/processed_noise.py': NOISE,
        }).map(([path, text]) => [path, new TextEncoder().encode(text)]),
      ),
    );
    const pool = await readPool(await zipSource(textFile('package.zip', bytes)));
    expect(pool).toMatchObject({ name: 'package.zip', manifest: { context_budget: '128k' } });
    expect(questionsOf(pool.cases)).toHaveLength(1);
    expect(pool.noise).toHaveLength(1);
  });

  it('reads below a URL what the manifest names, and takes no start page for a file', async () => {
    const files: Record<string, string> = {
      '/p/manifest.json': '{"outputs": {"cases": "out/runtime/full/test_cases.py"}}',
      '/p/runtime/full/test_cases.py': TEST_CASES,
      '/p/runtime/full/processed_noise.py': NOISE,
    };
    const server = async (url: string | URL | Request) => {
      const text = files[new URL(String(url)).pathname];
      return new Response(text ?? '<!doctype html>', {
        headers: { 'content-type': text === undefined ? 'text/html' : 'text/plain' },
      });
    };
    const pool = await readPool(urlSource('http://lab.test/p', server as typeof fetch));
    expect(pool.problems).toEqual([]);
    expect(questionsOf(pool.cases)).toHaveLength(1);
  });

  it('reads a folder for each batch, and batches that queries name', async () => {
    const pool = await readPool(
      folder({
        'runtime/batched/batch_1/test_cases.py': TEST_CASES,
        'runtime/batched/batch_2/test_cases.py': TEST_CASES.replace(`'q1'`, `'q2'`),
        'runtime/batched/batch_1/processed_noise.py': NOISE,
        'runtime/batched/batch_2/processed_noise.py': NOISE,
      }),
    );
    expect(pool.problems).toEqual([]);
    expect(
      pool.cases.filter(({ questions }) => questions.length > 0).map(({ id, batch }) => [id, batch]),
    ).toEqual([
      ['batch_1-truth-1', 'batch_1'],
      ['batch_2-truth-1', 'batch_2'],
    ]);
    const named = await readPool(
      folder({
        'test_cases.py': TEST_CASES.replace(`'topic'`, `'batch': 3, 'topic'`),
        'processed_noise.py': NOISE,
      }),
    );
    expect(named.cases[0]!.batch).toBe('3');
  });

  it('says which of several modes it reads', async () => {
    const files = {
      'runtime/a/test_cases.py': TEST_CASES,
      'runtime/b/test_cases.py': TEST_CASES.replace(`'q1'`, `'q2'`),
    };
    const first = await readPool(folder(files));
    expect(first.problems[0]!.message).toBe('it has several modes (runtime/a, runtime/b); runtime/a is read');
    const second = await readPool(folder(files), 'b');
    expect(questionsOf(second.cases)[0]!.id).toBe('q2');
    await expect(readPool(folder(files), 'c')).rejects.toMatchObject({ code: 'bad-argument' });
  });

  it('names and counts what is bad, and reads the rest', async () => {
    const source = `GROUND_TRUTH_HISTORY = [
 [('What is due?', 'user'), ('Tea is due.', 'model')],
 [],
 [('Who?', 'nobody')],
]
EVALUATION_QUERIES = [
 ${QUERY.replaceAll('\n', '\n  ')},
 {'global_id': 'q1', 'query': 'Again?', 'expected_doc': ['Tea is due.'], 'expected_answer_keywords': ['A']},
 {'global_id': 'q3', 'query': 'Gold?', 'expected_doc': ['Tea is due.'], 'expected_answer_keywords': ['E']},
 {'global_id': 'q4', 'query': 'Where?', 'expected_doc': ['Not there.'], 'expected_answer_keywords': ['A']},
 {'global_id': 'q5', 'query': f'{x}'},
 {'global_id': 'q6', 'query': 'Last?', 'expected_doc': 'Tea is due.', 'expected_answer_keywords': '(b)'},
]
`;
    const pool = await readPool(folder({ 'test_cases.py': source, 'processed_noise.py': 'OTHER = []\n' }));
    expect(questionsOf(pool.cases).map(({ id }) => id)).toEqual(['q1', 'q6']);
    expect(countProblems(pool.problems)).toEqual({
      'missing-name': 1,
      'empty-dialogue': 1,
      unreadable: 2,
      'gold-letter': 1,
      'duplicate-id': 1,
      'evidence-not-found': 1,
      'options-not-found': 4,
    });
    const places = pool.problems.map(({ place }) => place);
    expect(places).toContain('processed_noise.py');
    expect(places).toContain('test_cases.py, line 15, column 31');
    expect(places).toContain('test_cases.py, GROUND_TRUTH_HISTORY, line 3');
    expect(places).toContain('test_cases.py, line 13, query 3 (q3)');
    expect(places).toContain('question q4');
  });

  it('rejects what holds no question', async () => {
    await expect(readPool(folder({ 'readme.txt': 'hello' }))).rejects.toMatchObject({
      code: 'unknown-format',
    });
    await expect(readPool(folder({ 'test_cases.py': HISTORY }))).rejects.toMatchObject({
      code: 'empty-thread',
      message: expect.stringContaining('does not define EVALUATION_QUERIES'),
    });
  });
});

describe('readPool with our own pools', () => {
  it('reads records line by line past a broken line', async () => {
    const lines = [
      record(),
      '{"id": "r2", oops',
      record({ id: 'r3', answer: 'F' }),
      record({ id: 'r1' }),
      '',
    ];
    const pool = await readPool(folder({ 'pool.jsonl': lines.join('\n') }));
    expect(questionsOf(pool.cases)).toMatchObject([
      { id: 'r1', gold: 'C', topic: 'Legal', stress: ['constraint_trap'] },
    ]);
    expect(countProblems(pool.problems)).toEqual({ unreadable: 1, 'gold-letter': 1, 'duplicate-id': 1 });
    expect(pool.problems[0]!.place).toBe('pool.jsonl, line 2');
  });

  it('reads a JSON list', async () => {
    const pool = await readPool(folder({ 'pool.json': `[${record()}]` }));
    expect(questionsOf(pool.cases)).toHaveLength(1);
  });

  it('reads worlds, with evidence by episode', async () => {
    const world = {
      id: 'w1',
      episodes: [
        { id: 'e1', day: 3, dialogue: [['user', 'The door is red.']] },
        { id: 'e2', day: 1, dialogue: [['user', 'The door is blue.']] },
      ],
      questions: [
        {
          id: 'w1-q1',
          kind: 'current',
          day: 9,
          query: 'Which colour?',
          options: { A: 'red', B: 'blue', C: 'green', D: 'none' },
          answer: 'A',
          evidence: [{ episode: 'e1', text: 'The door is red.' }],
        },
        {
          id: 'w1-q2',
          query: 'Which?',
          answer: 'A',
          evidence: [{ episode: 'e1', text: 'The door is blue.' }],
        },
      ],
    };
    const pool = await readPool(folder({ 'worlds.jsonl': JSON.stringify(world) }));
    expect(pool.cases[0]!.dialogues.map(({ id, day }) => [id, day])).toEqual([
      ['w1/e1', 3],
      ['w1/e2', 1],
    ]);
    expect(questionsOf(pool.cases)).toMatchObject([
      { id: 'w1-q1', kind: 'current', evidence: [{ dialogue: 'w1/e1' }] },
    ]);
    expect(countProblems(pool.problems)).toEqual({ 'options-not-found': 1, 'evidence-not-found': 1 });
  });
});

describe('readDistractors', () => {
  it('reads our own, UltraChat, ShareGPT and released noise, packed or not', async () => {
    const own = '{"id":"n1","dialogue":[["user","Hello"],["model","Hi"]]}\n';
    const ultra = '{"id":"u1","data":["How are you?","Fine."]}\n{"id":"u2","data":["And you?","Well."]}\n';
    const share =
      '[{"id":"s1","conversations":[{"from":"human","value":"Who?"},{"from":"gpt","value":"Me."}]}]';
    const { dialogues, problems } = await readDistractors([
      textFile('own.jsonl.gz', gzipSync(new TextEncoder().encode(own))),
      textFile('own-again.jsonl', own),
      textFile('ultra.jsonl', ultra),
      textFile('share.json', share),
      textFile('processed_noise.py', NOISE.replace('Hello', 'Good day')),
    ]);
    expect(dialogues.map(({ turns }) => turns[0]!.text)).toEqual([
      'Hello',
      'How are you?',
      'And you?',
      'Who?',
      'Good day',
    ]);
    expect(countProblems(problems)).toEqual({ 'duplicate-id': 1 });
  });
});
