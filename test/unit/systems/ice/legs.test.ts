import { describe, expect, test } from 'vitest';
import type { AnswerEngine } from '../../../../src/answer/answer-engine.ts';
import type { NewTurn } from '../../../../src/core/turn.ts';
import type { Embedder } from '../../../../src/embed/embedder.ts';
import { statusOf } from '../../../../src/replay/fidelity.ts';
import { iceCondition } from '../../../../src/systems/ice/conditions.ts';
import { LEGS, type Leg } from '../../../../src/systems/ice/constants.ts';
import { Ice, type IceOptions } from '../../../../src/systems/ice/ice.ts';
import { MECHANISMS } from '../../../../src/systems/ice/switches.ts';
import { modelBuilders } from '../../../../src/systems/model-builders.ts';
import { findSystem } from '../../../../src/systems/registry.ts';
import { filler, ToyEmbedder, toyVector } from '../support.ts';

const user = (text: string, source?: string): NewTurn => ({ role: 'user', text, source });
const model = (text: string, source?: string): NewTurn => ({ role: 'model', text, source });

/** Something for every leg, in two conversations, and more pairs than any list takes. */
const HISTORY: NewTurn[] = [
  ...Array.from({ length: 40 }, (_, i) => [
    user(`The ${['boat', 'cat', 'drum', 'egg'][i % 4]} of day ${i} was fine.`, 'early'),
    model(`Noted, day ${i}.`, 'early'),
  ]).flat(),
  user('We keep the harbour papers in Stavanger.', 'early'),
  model('Noted.', 'early'),
  ...['one', 'two', 'three'].flatMap((what) => [
    user(`Stand-up note please: did ${what}.`, 'early'),
    model(`Yesterday: ${what}.`, 'early'),
  ]),
  user(`File: goat.md\n\`\`\`\nThe goat eats at nine ${filler(30)}\n\`\`\``, 'early'),
  model('Kept.', 'early'),
  user('I like the fox best.', 'late'),
  model('Good choice.', 'late'),
  user('Hm.', 'late'),
];

async function iceOf(options: IceOptions = {}, embedder: Embedder = new ToyEmbedder()): Promise<Ice> {
  const ice = new Ice({ embedder }, { traced: true, ...options });
  await ice.append(HISTORY);
  return ice;
}

/** A question that the leg answers, and what it gives. */
const ASKED: Record<Leg, [question: string, found: RegExp]> = {
  bm25: ['What was on day 17?', /day 17 was fine/],
  vector: ['Who is that fox?', /fox best/],
  codex: ['Where are the harbour papers?', /^harbour papers: with or at Stavanger$/],
  procedural: ['Please write the stand-up note', /^Routine "stand-up note please" \(3 times/],
  documents: ['When does the goat eat?', /^The goat eats at nine/],
  batches: ['How was the boat in our first days?', /day \d+ was fine\..*day \d+/s],
};

describe.each(LEGS)('the %s leg', (leg) => {
  test('returns something, and it reaches the prompt', async () => {
    const ice = await iceOf({ off: LEGS.filter((other) => other !== leg) });
    const [question, found] = ASKED[leg];
    const { units, context } = await ice.retrieve(question);
    const own = units.filter(({ parts }) => parts?.[leg] !== undefined);
    expect(own.length).toBeGreaterThan(0);
    const shown = context.map((part) =>
      part.kind === 'text'
        ? part.text
        : HISTORY.slice(part.start, part.end)
            .map(({ text }) => text)
            .join('\n'),
    );
    expect(shown.some((text) => found.test(text))).toBe(true);
    const counts = ice.activity!()[leg]!;
    expect(counts).toMatchObject({
      eligible: 1,
      executed: 1,
      produced: 1,
      selected: 1,
      reached: 1,
      failed: 0,
    });
    expect(statusOf(counts)).toBe('contributing');
  });

  test('is told apart when it is off', async () => {
    const ice = await iceOf({ off: [leg] });
    const { units } = await ice.retrieve(ASKED[leg][0]);
    expect(units.every(({ parts }) => parts?.[leg] === undefined)).toBe(true);
    expect(ice.activity!()[leg]).toBeUndefined();
  });
});

test('a leg that throws is defective where that is told, with its error, and the others answer; else it is an error', async () => {
  for (const traced of [true, false]) {
    const embedder = new ToyEmbedder();
    const ice = await iceOf({ traced }, embedder);
    // A vector of the wrong length is what the procedural leg of the paper's code swallowed.
    embedder.embed = async (texts) => texts.map((text) => toyVector(text).subarray(1));
    const asked = ice.retrieve('What was on day 17?');
    if (!traced) {
      await expect(asked).rejects.toThrow('dimension');
      continue;
    }
    expect((await asked).units.every(({ parts }) => parts?.vector === undefined)).toBe(true);
    expect((await asked).units.some(({ parts }) => parts?.bm25 !== undefined)).toBe(true);
    const { vector, bm25, fusion } = ice.activity!();
    expect(statusOf(vector!)).toBe('defective');
    expect(vector).toMatchObject({ eligible: 1, executed: 0, failed: 1 });
    expect(vector!.error).toContain('dimension');
    expect([statusOf(bm25!), statusOf(fusion!)]).not.toContain('defective');
  }
});

test('without decay nothing is archived, and what gives decay back has nothing to do', async () => {
  const off = ['bm25', 'codex', 'batches'] as const;
  const [faded, kept] = await Promise.all([iceOf({ off }), iceOf({ off: [...off, 'decay'] })]);
  const fresh = (await kept.retrieve('boat or drum')).units;
  expect(fresh.length).toBeGreaterThan(2);
  expect((await faded.advance(100)).find(({ mechanism }) => mechanism === 'archive')!.changed).toBe(47);
  expect(await kept.advance(100)).toEqual([]);
  expect((await faded.retrieve('boat or drum')).units).toEqual([]);
  expect((await kept.retrieve('boat or drum')).units).toEqual(fresh);
  // The ledger judges decay by the prompt without it: there nothing is archived either.
  expect(statusOf(faded.activity!().decay!)).toBe('contributing');
  await kept.applyQuery('boat or drum', await kept.retrieve('boat or drum'));
  await kept.retrieve('boat or drum');
  for (const mechanism of ['reinforcement', 'creative-floor', 'archive'] as const) {
    expect([mechanism, statusOf(kept.activity!()[mechanism]!)]).toEqual([mechanism, 'never exercised']);
  }
});

test('gates: no routine for a question, no memory for live questions, nothing at all without a history', async () => {
  const ice = await iceOf();
  const legsOf = async (question: string) =>
    new Set((await ice.retrieve(question)).units.flatMap(({ parts }) => Object.keys(parts ?? {})));
  expect((await legsOf('When does the goat eat?')).has('procedural')).toBe(false);
  expect((await legsOf('Please write the stand-up note')).has('procedural')).toBe(true);
  expect(await legsOf('What is the latest news from Lima?')).toEqual(new Set());
});

test('time and questions change it only through advance and applyQuery, and a snapshot brings it back', async () => {
  const ice = await iceOf({
    off: ['bm25', 'codex', 'batches', 'recent-turns', 'recency-bonus', 'foreign-cap'],
  });
  const ask = async () =>
    JSON.stringify((await ice.retrieve('boat or drum')).units.slice(0, 5).map(({ ranges }) => ranges));
  const fresh = await ask();
  expect(await ask()).toBe(fresh);
  const steps = await ice.advance(20);
  expect(steps.find(({ mechanism }) => mechanism === 'decay')!.changed).toBeGreaterThan(40);
  const snapshot = ice.snapshot();
  // A pair that is used again and again comes first.
  const drum = await ice.retrieve('drum');
  for (let i = 0; i < 5; i++) await ice.applyQuery('drum', drum);
  const reinforced = await ask();
  expect(reinforced).not.toBe(fresh);
  ice.restore(snapshot);
  expect(await ask()).toBe(fresh);
  expect((await ice.advance(40)).find(({ mechanism }) => mechanism === 'archive')!.changed).toBeGreaterThan(
    40,
  );
  expect((await ice.retrieve('boat or drum')).units.length).toBe(0);
});

test('mechanisms that were not seen by a leg are judged by the prompt without them', async () => {
  const ice = await iceOf();
  await ice.advance(30);
  for (const [question] of Object.values(ASKED)) await ice.applyQuery(question, await ice.retrieve(question));
  const activity = ice.activity!();
  expect(Object.keys(activity)).toEqual([...MECHANISMS]);
  for (const mechanism of ['fusion', 'foreign-cap', 'slots', 'recent-turns'] as const) {
    expect([mechanism, statusOf(activity[mechanism]!)]).toEqual([mechanism, 'contributing']);
  }
  // Nothing long enough was said.
  expect(statusOf(activity.summaries!)).toBe('never exercised');
});

test('a prompt has the slots first, the recent turns, what was retrieved, and the question last', async () => {
  const ice = await iceOf();
  const question = 'Where are the harbour papers?';
  const prompt = ice.prompt(question, await ice.retrieve(question));
  expect(prompt[0]!.content).toContain('session patterns');
  expect(prompt.slice(1, -3).map(({ content }) => content)).toEqual(
    HISTORY.slice(-3).map(({ text }) => text),
  );
  expect(prompt.at(-3)!.content).toContain('harbour papers: with or at Stavanger');
  expect(prompt.at(-1)!.content).toBe(question);
});

test('ablations are conditions of their own', () => {
  expect(iceCondition('ice-without:decay+clusters')!.configuration).toMatchObject({
    off: ['decay', 'clusters'],
  });
  expect(iceCondition('skein')).toBeUndefined();
  expect(() => iceCondition('ice-without:luck')).toThrow(/no mechanism "luck"/);
});

test('a language model fills the codex where one builds systems; a line that is no relation is left out', async () => {
  const engine = {
    loaded: { contextWindow: 4096 },
    generate: async () => ({
      text: '- Goat | lives in | Oslo | single\nnone\nbroken | line\nGoat | is | old | maybe',
    }),
  } as unknown as AnswerEngine;
  const builders = modelBuilders(engine);
  expect(await builders.relations.extract('The goat went to Oslo.')).toEqual([
    { source: 'goat', relation: 'lives in', target: 'Oslo', kind: 'single', confidence: 0.7 },
  ]);
  expect(await builders.relations.extract('```\nonly a file\n```')).toEqual([]);
  const ice = await findSystem('ice').create({ embedder: new ToyEmbedder(), builders });
  await ice.append([user('The goat went to Oslo.'), model('Far.')]);
  const { context } = await ice.retrieve('Where is my goat?');
  expect(JSON.stringify(context)).toContain('goat: lives in Oslo');
});
