import { expect, test } from 'vitest';
import type { AnswerEngine, ChatMessage } from '../../../src/answer/answer-engine.ts';
import type { ReplayResult } from '../../../src/replay/result.ts';
import { observationsOf, pairedWith, summaries, trajectories } from '../../../src/replay/summary.ts';
import { corpusOf, good, neverUpdating, overwriting, run, WORKED_EXAMPLE } from './support.ts';

/** `probe@checkpoint` with what a condition's context held, or its answer was. */
function outcomes(result: ReplayResult, condition: string): Record<string, string> {
  return Object.fromEntries(
    observationsOf(result)
      .filter((line) => line.condition === condition)
      .map(({ probe, checkpoint, found, graded }) => [
        `${probe}@${checkpoint}`,
        graded?.outcome ?? found.outcome,
      ]),
  );
}

test('a good memory holds every version, one that overwrites loses the past, one that never updates the present', async () => {
  const result = await run(await corpusOf(WORKED_EXAMPLE), [good, overwriting, neverUpdating]);
  expect(outcomes(result, 'good')).toEqual({
    'now@T1': 'right',
    'then@T1': 'right',
    'now@T2': 'right',
    'then@T2': 'right',
    'change@T2': 'right',
  });
  expect(outcomes(result, 'overwriting')).toEqual({
    'now@T1': 'right',
    'then@T1': 'right',
    'now@T2': 'right',
    'then@T2': 'other',
    'change@T2': 'partial',
  });
  expect(outcomes(result, 'never-updating')).toEqual({
    'now@T1': 'right',
    'then@T1': 'right',
    'now@T2': 'other',
    'then@T2': 'right',
    'change@T2': 'partial',
  });
  const at = (name: string, checkpoint: string) =>
    trajectories(result).find((point) => point.condition === name && point.checkpoint === checkpoint)!.score;
  expect([at('good', 'T2'), at('overwriting', 'T2'), at('never-updating', 'T2')]).toEqual([1, 1 / 3, 1 / 3]);
  expect(summaries(result).map(({ all }) => all.mean)).toEqual([1, 0.6, 0.6]);
  expect(pairedWith(result, 'good')[0]!.difference).toMatchObject({
    mean: -0.4,
    clusters: 3,
    observations: 5,
  });
});

/** Stands for a language model: says what `reply` makes of the prompt. */
function engineOf(reply: (prompt: string) => string, letter = 'A'): AnswerEngine {
  const unused = () => Promise.reject(new Error('not used here'));
  return {
    loaded: undefined,
    load: unused,
    unload: unused,
    dispose: unused,
    countTokens: unused,
    choose: async () => ({ letter, how: 'parsed' }),
    generate: async (messages: readonly ChatMessage[]) => ({
      text: reply(messages.map(({ content }) => content).join('\n')),
      finish: 'stop',
      promptTokens: 0,
      tokens: 0,
      milliseconds: 0,
    }),
  };
}

test('answers are checked by the values they name: a superseded one, one from the future, none at all', async () => {
  const corpus = await corpusOf(WORKED_EXAMPLE);
  const answered = async (reply: (prompt: string) => string) => {
    const answering = { engine: engineOf(reply), name: 'scripted' };
    return outcomes(await run(corpus, [good], { answering }), 'good');
  };
  expect(await answered(() => 'It uses SQLite.')).toEqual({
    'now@T1': 'right',
    'then@T1': 'right',
    'now@T2': 'superseded',
    'then@T2': 'right',
    'change@T2': 'partial',
  });
  expect(await answered(() => 'PostgreSQL, formerly SQLite.')).toEqual({
    'now@T1': 'future',
    'then@T1': 'future',
    'now@T2': 'right',
    'then@T2': 'superseded',
    'change@T2': 'partial',
  });
  expect((await answered(() => 'First SQLite, then Postgres.'))['change@T2']).toBe('right');
  expect((await answered(() => ''))['now@T2']).toBe('missing');
  // The prompt carries the dates, so that a model can tell which of two versions is the later one.
  expect(
    (await answered((prompt) => (prompt.includes('[2025-03-11] User: We moved') ? 'PostgreSQL' : 'SQLite')))[
      'now@T2'
    ],
  ).toBe('right');
});

test('where a reference cannot be checked, the engine grades by the rubric', async () => {
  const lines = WORKED_EXAMPLE.map((line) => ('terms' in line ? { ...line, checkable: false } : line));
  const answering = { engine: engineOf(() => 'something', 'C'), name: 'scripted' };
  const result = await run(await corpusOf(lines), [good], { answering });
  expect(observationsOf(result).map(({ graded }) => graded)).toEqual(
    Array.from({ length: 5 }, () => ({ score: 0.5, outcome: 'judged' })),
  );
});

test('a prompt beyond the window is a missing output and scores 0', async () => {
  const result = await run(await corpusOf(WORKED_EXAMPLE), [good], { window: 10 });
  expect(observationsOf(result).every(({ missing }) => missing === 'prompt too long')).toBe(true);
  expect(summaries(result)[0]!.all.mean).toBe(0);
});
