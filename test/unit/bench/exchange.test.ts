import { describe, expect, test } from 'vitest';
import {
  headLine,
  modesOf,
  questionText,
  readExchangeThread,
  resultLine,
} from '../../../src/bench/exchange.ts';

const OPTIONS = { A: 'one', B: 'two', C: 'three', D: 'four' };

function read(value: unknown) {
  return readExchangeThread(JSON.stringify(value), 'thread.json');
}

function failure(json: string): { code: string; message: string } {
  try {
    readExchangeThread(json, 'thread.json');
  } catch (error) {
    return error as { code: string; message: string };
  }
  throw new Error('It was read.');
}

describe('reading a thread in the exchange format', () => {
  test('turns, questions and options', () => {
    expect(
      read({
        sha: 'abc',
        turns: [
          ['user', 'hello'],
          ['model', ''],
        ],
        questions: [
          { id: 'q1', query: 'what?', options: OPTIONS },
          { id: 2, query: 'who?' },
        ],
      }),
    ).toEqual({
      sha: 'abc',
      turns: [
        { role: 'user', text: 'hello' },
        { role: 'model', text: '' },
      ],
      questions: [
        { id: 'q1', query: 'what?', options: OPTIONS },
        { id: '2', query: 'who?' },
      ],
    });
  });

  test('a thread without questions is a thread', () => {
    expect(read({ sha: 'abc', turns: [] }).questions).toEqual([]);
  });

  test('other names of the roles', () => {
    const { turns } = read({
      sha: '',
      turns: [
        ['human', 'a'],
        ['assistant', 'b'],
      ],
    });
    expect(turns.map(({ role }) => role)).toEqual(['user', 'model']);
  });

  const turns = [['user', 'a']];
  test.each([
    ['no JSON', '{"sha": ', /thread\.json: is not JSON/],
    ['a list', '[]', /thread\.json: is not an object/],
    ['no turns', '{"sha": "x"}', /thread\.json: has no list "turns"/],
    ['a turn that is no pair', { turns: [['user', 'a'], ['user']] }, /turn 1: is not \[role, text\]/],
    ['an unknown role', { turns: [...turns, ...turns, ['system', 'a']] }, /turn 2: has the role "system"/],
    ['an inherited name as role', { turns: [['constructor', 'a']] }, /turn 0: has the role "constructor"/],
    ['a turn without text', { turns: [['user', null]] }, /turn 0: has no text/],
    ['questions that are no list', { turns, questions: {} }, /"questions" is not a list/],
    ['a question without id', { turns, questions: [{ query: 'x' }] }, /question 1: has no "id"/],
    [
      'a question without query',
      { turns, questions: [{ id: 'a', query: 'x' }, { id: 'b' }] },
      /question 2: has no "query"/,
    ],
    [
      'an option that is missing',
      { turns, questions: [{ id: 'a', query: 'x', options: { A: '1', B: '2', D: '4' } }] },
      /question 1: has no option C/,
    ],
    [
      'options that are a list',
      { turns, questions: [{ id: 'a', query: 'x', options: [] }] },
      /question 1, options: is not an object/,
    ],
  ])('%s is refused with its place', (_, value, message) => {
    const error = failure(typeof value === 'string' ? value : JSON.stringify(value));
    expect(error.code).toBe('bad-file');
    expect(error.message).toMatch(message);
  });
});

describe('writing what was retrieved', () => {
  test('the second mode asks with one line an option', () => {
    const question = { id: 'a', query: 'Which?', options: OPTIONS };
    expect(modesOf(question)).toEqual(['query', 'query+options']);
    expect(questionText(question, 'query')).toBe('Which?');
    expect(questionText(question, 'query+options')).toBe('Which?\nA. one\nB. two\nC. three\nD. four');
    expect(modesOf({ id: 'a', query: 'Which?' })).toEqual(['query']);
  });

  test('one JSON object a line', () => {
    expect(JSON.parse(headLine('abc', 'tsim', [{ ranges: [[0, 3]] }]))).toEqual({
      thread: 'abc',
      system: 'tsim',
      units: [{ ranges: [[0, 3]] }],
    });
    expect(JSON.parse(headLine('abc', 'tsim'))).toEqual({ thread: 'abc', system: 'tsim' });
    const line = resultLine('q', 'query', [{ ranges: [[0, 3]], score: 1.5, parts: { raw: 1.5 } }]);
    expect(line).not.toContain('\n');
    expect(JSON.parse(line)).toEqual({
      id: 'q',
      mode: 'query',
      units: [{ ranges: [[0, 3]], score: 1.5, parts: { raw: 1.5 } }],
    });
  });
});
