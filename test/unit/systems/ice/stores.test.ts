import { describe, expect, test } from 'vitest';
import type { NewTurn } from '../../../../src/core/turn.ts';
import { classify, intentOf } from '../../../../src/systems/ice/classifier.ts';
import { Codex } from '../../../../src/systems/ice/codex.ts';
import { growthCap } from '../../../../src/systems/ice/constants.ts';
import { curate, fitBudget } from '../../../../src/systems/ice/curation.ts';
import { DecayClock } from '../../../../src/systems/ice/decay.ts';
import { DocumentStore } from '../../../../src/systems/ice/documents.ts';
import { patternExtractor } from '../../../../src/systems/ice/extraction.ts';
import { type Fragment, type LegHits, textFragment } from '../../../../src/systems/ice/fragment.ts';
import { concatenateLegs, fuseLegs, weightsFor } from '../../../../src/systems/ice/fusion.ts';
import { PairList } from '../../../../src/systems/ice/pairs.ts';
import { ProceduralStore, patternText } from '../../../../src/systems/ice/procedural.ts';
import { icePrompt } from '../../../../src/systems/ice/prompt.ts';
import { SlotStore } from '../../../../src/systems/ice/slots.ts';
import { TopicClusters } from '../../../../src/systems/ice/topic-clusters.ts';
import { Thread } from '../../../../src/systems/thread.ts';
import { filler } from '../support.ts';

function threadOf(...turns: (string | NewTurn)[]): Thread {
  const thread = new Thread();
  thread.push(
    turns.map((turn, i) =>
      typeof turn === 'string' ? { role: i % 2 ? 'model' : 'user', text: turn } : turn,
    ),
  );
  return thread;
}

describe('codex', () => {
  async function codexOf(...said: string[]): Promise<Codex> {
    const codex = new Codex();
    for (const [turn, text] of said.entries()) {
      for (const assertion of await patternExtractor.extract(text)) codex.assert(assertion, turn);
    }
    return codex;
  }
  const texts = (codex: Codex, question: string, expired = false) =>
    codex.search(question, { expired }).map(({ text }) => text);

  test('a single-valued relation expires the edge before it; nothing is deleted', async () => {
    const codex = await codexOf(
      'We keep the bookings in SQLite.',
      'Hm.',
      'We moved the bookings to PostgreSQL.',
    );
    expect(texts(codex, 'Where are the bookings?')).toEqual(['bookings: with or at PostgreSQL']);
    expect(texts(codex, 'Where are the bookings?', true)).toContain(
      'bookings: with or at SQLite (no longer)',
    );
    expect(codex.edges.map(({ target, validFrom, validUntil }) => [target, validFrom, validUntil])).toEqual([
      ['SQLite', 0, 2],
      ['PostgreSQL', 2, undefined],
    ]);
    expect(codex.events.map(({ kind }) => kind)).toEqual(['asserted', 'expired', 'asserted']);
    expect(codex.openAt(1).map(({ target }) => target)).toEqual(['SQLite']);
    expect(codex.openAt(2).map(({ target }) => target)).toEqual(['PostgreSQL']);
  });

  test('properties overwrite, multi-valued relations accumulate, "from A to B" finds its source', async () => {
    const codex = await codexOf(
      'The deposit is 25 euros.',
      'The deposit is 40 euros, sadly.',
      "I'm allergic to walnuts.",
      "I'm also allergic to dust.",
      'We take card payments through Stripe.',
      'We switched from Stripe to Mollie.',
    );
    expect(texts(codex, 'deposit?')).toEqual(['deposit: amount 40 euros']);
    expect(texts(codex, 'user allergic')).toEqual(['user: allergic to dust', 'user: allergic to walnuts']);
    expect(texts(codex, 'payments?')).toEqual(['card payments: with or at Mollie']);
  });

  test('the walk goes three edges far and no further', async () => {
    const codex = new Codex();
    for (const [source, target] of ['ab', 'bc', 'cd', 'de', 'ef']) {
      codex.assert({ source: source!, relation: 'at', target: target!, kind: 'single', confidence: 1 }, 0);
    }
    expect(codex.search('b?').map(({ depth, text }) => [depth, text.replace(': with or at ', '')])).toEqual([
      [0, 'ab'],
      [0, 'bc'],
      [1, 'cd'],
      [2, 'de'],
    ]);
  });

  test('an open state from the snapshots equals that from the edges', () => {
    const codex = new Codex();
    for (let turn = 0; turn < 300; turn++) {
      const [source, target] = [`s${turn % 7}`, `t${(turn * 13) % 29}`];
      codex.assert(
        { source, relation: 'at', target, kind: turn % 3 ? 'single' : 'multi', confidence: 1 },
        turn,
      );
    }
    for (const turn of [0, 63, 64, 150, 299]) {
      const direct = codex.edges.filter(
        ({ validFrom, validUntil }) => validFrom <= turn && (validUntil === undefined || validUntil > turn),
      );
      expect(codex.openAt(turn)).toEqual(direct);
    }
  });

  test('questions, doubts and pasted files state nothing', async () => {
    for (const text of [
      'Should we keep the bookings in MySQL?',
      'We do not keep the bookings in MySQL.',
      '```\nWe keep the bookings in MySQL.\n```',
    ]) {
      expect(await patternExtractor.extract(text), text).toEqual([]);
    }
  });
});

test('pairs take a user turn and its replies, and end with their conversation', () => {
  const thread = threadOf(
    { role: 'user', text: 'Write a poem, please', source: 'a' },
    { role: 'model', text: 'Roses', source: 'a' },
    { role: 'user', text: 'More', source: 'a' },
    { role: 'model', text: 'Violets', source: 'b' },
  );
  const pairs = new PairList();
  pairs.extend(thread);
  expect(pairs.all.map(({ start, end, creative }) => [start, end, creative])).toEqual([
    [0, 2, true],
    [2, 3, false],
    [3, 4, false],
  ]);
});

test('decay by day: 5% unaccessed, 2% accessed, 1% creative with a floor; an access restores 0.15', () => {
  const pair = { start: 0, end: 1, conversation: undefined, creative: false };
  const pairs = [pair, pair, { ...pair, creative: true }];
  const clock = new DecayClock({ reinforcement: true, creativeFloor: true });
  clock.reinforce([1]);
  clock.advance(pairs, 1);
  const scores = () => pairs.map((_, i) => clock.scoreOf(i));
  expect(scores()).toEqual([0.95, 0.98, 0.99]);
  clock.reinforce([0]);
  expect(clock.scoreOf(0)).toBe(1);
  const before = clock.snapshot();
  const aged = clock.advance(pairs, 400);
  expect(aged).toEqual({ faded: 3, held: 1, archived: 2, cold: 2 });
  expect(clock.scoreOf(2)).toBe(0.3);
  clock.restore(before);
  expect(scores()).toEqual([1, 0.98, 0.99]);
  const whole = new DecayClock({ reinforcement: true, creativeFloor: true });
  whole.advance([pair], 10);
  expect(whole.scoreOf(0)).toBeCloseTo(0.95 ** 10, 12);
});

test('a pair below 0.6 founds a cluster; clusters stay inside their conversation', () => {
  const clusters = new TopicClusters();
  const at = (degrees: number) =>
    Float32Array.of(Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180));
  clusters.add(at(0), 'a');
  clusters.add(at(50), 'a'); // cosine 0.64
  clusters.add(at(50), 'b');
  clusters.add(at(170), 'a');
  expect(clusters.count).toBe(3);
  expect([...clusters.around(at(0))].sort()).toEqual([0, 1, 2, 3]);
});

test('recurring openings become routines with how they were answered', () => {
  const thread = threadOf(
    ...['one', 'two', 'three', 'four'].flatMap((what) => [
      `Stand-up note please: did ${what}.`,
      `Yesterday: ${what}.`,
    ]),
  );
  const store = new ProceduralStore();
  store.extend(thread);
  expect(store.patterns.map(patternText)).toEqual([
    'Routine "stand-up note please" (4 times, confidence 0.67), last answered: Yesterday: four.',
  ]);
});

test('fenced files become chunks of whole lines', () => {
  const lines = Array.from({ length: 9 }, (_, i) => `line ${i} ${filler(38)}`);
  const documents = new DocumentStore();
  documents.extend(
    threadOf(`File: notes.md\n\`\`\`\n${lines.join('\n')}\n\`\`\`\nKeep it.`, 'Kept.', '```\nshort\n```'),
  );
  expect(documents.chunks.map(({ turn, text }) => [turn, text.split('\n').length])).toEqual([
    [0, 3],
    [0, 3],
    [0, 3],
  ]);
});

test('slots keep what stays true, in the words of the user', () => {
  const slots = new SlotStore();
  slots.extend(
    threadOf(
      "My name is Mara and I work at a school. I'm building a booking site. What do you think?",
      'My name is Bot.',
      'I prefer short answers. Please remind me to ask the town about the sign.',
      'Yes.',
      'Never deploy on a Friday.',
    ),
  );
  expect(slots.text().split('\n')).toEqual([
    'persona: My name is Mara and I work at a school.',
    'user preferences: I prefer short answers.',
    "project context: I'm building a booking site.",
    'guidance: Never deploy on a Friday.',
    'pending items: Please remind me to ask the town about the sign.',
    'session patterns: lately about family, tech, work',
  ]);
});

test('the classifier: intents, sources, and raising what seems to need no memory', () => {
  expect(intentOf('thanks!')).toBe('smalltalk');
  expect(intentOf('Write a limerick about salt')).toBe('creative');
  expect(intentOf('Draft a mail to the mayor')).toBe('instruction');
  expect(intentOf('Why does this regex match twice?')).toBe('code');
  expect(intentOf('Who prints it?')).toBe('question');
  expect(classify('What is the capital of the country Peru?', 0).source).toBe('Zero_Shot');
  expect(classify('What is the capital of the country Peru?', 11).source).toBe('Long_Term_Memory');
  expect(classify('Capital of Peru?', 0)).toMatchObject({ source: 'Long_Term_Memory', confidence: 0.8 });
  expect(classify('Which database did we choose?', 0).source).toBe('Long_Term_Memory');
  expect(classify('What is the latest news from Lima?', 50).source).toBe('Real_Time_Search');
});

const fragment = (text: string, more: Partial<Fragment> = {}): Fragment => ({
  ...textFragment(text, 0, { type: 'episode', conversation: undefined, creative: false }),
  ...more,
});

describe('fusion and curation', () => {
  const [a, b, c] = [fragment('a'), fragment('b'), fragment('c')];
  const hits: LegHits = new Map([
    ['bm25', [a, b]],
    ['vector', [b, fragment('b'), c]],
  ]);

  test('legs add weight / (60 + rank), agreement by text adds up', () => {
    const fused = fuseLegs(hits, weightsFor('question', true));
    expect(fused.map(({ fragment }) => fragment.text)).toEqual(['b', 'c', 'a']);
    expect(fused[0]!.score).toBeCloseTo(0.8 / 62 + 1 / 61, 12);
    expect(weightsFor('instruction', true).procedural).not.toBe(weightsFor('instruction', false).procedural);
    // Unfused, the leg that was asked first stands first, whatever the others agree on: what hurt in the audit.
    expect(concatenateLegs(hits).map(({ fragment }) => fragment.text)).toEqual(['a', 'b', 'c']);
  });

  test('bonuses by keyword, length and recency, none for recent creative turns', () => {
    const of = (one: Fragment) => ({ fragment: one, score: 0, parts: {} });
    const ground = { question: 'harbour tax', conversation: undefined, turns: 10, off: new Set<never>() };
    const score = (one: Fragment) => curate([of(one)], ground)[0]!.score;
    expect(score(fragment('the harbour'))).toBeCloseTo(0.006 + 0.0004, 10);
    expect(score(fragment('x', { tokens: 50 }))).toBeCloseTo(0.002 + 0.0004, 10);
    expect(score(fragment('x', { span: { start: 9, end: 10 } }))).toBeCloseTo(0.004, 10);
    expect(score(fragment('x', { span: { start: 9, end: 10 }, creative: true }))).toBe(0);
  });

  test('three fragments at most from each foreign conversation', () => {
    const of = (text: string, conversation: string) => ({
      fragment: fragment(text, { conversation }),
      score: 1,
      parts: {},
    });
    const fused = [...'abcde']
      .map((text) => of(text, 'foreign'))
      .concat([...'vwxyz'].map((text) => of(text, 'own')));
    const ground = { question: 'q', conversation: 'own', turns: 1 };
    const texts = (off: Set<'foreign-cap'>) =>
      curate(fused, { ...ground, off }).map(({ fragment }) => fragment.text);
    expect(texts(new Set()).join('')).toBe('abcvwxyz');
    expect(texts(new Set(['foreign-cap'])).length).toBe(10);
  });

  test('the budget first takes the best of each type, then fills up, and may stay unused', () => {
    const of = (text: string, tokens: number, type: Fragment['type']) => ({
      fragment: fragment(text, { tokens, type }),
      score: 1,
      parts: {},
    });
    const ranked = [
      of('a', 50, 'episode'),
      of('b', 50, 'episode'),
      of('f', 30, 'fact'),
      of('c', 15, 'episode'),
    ];
    const texts = (budget: number, off: Set<'diversity'>) =>
      fitBudget(ranked, budget, off)
        .map(({ fragment }) => fragment.text)
        .join('');
    expect(texts(100, new Set())).toBe('afc');
    expect(texts(100, new Set(['diversity']))).toBe('ab');
    expect(texts(29, new Set())).toBe('c');
    expect(texts(10, new Set())).toBe('');
  });

  test('the cap of retrieval grows with the conversation', () => {
    expect([0, 29, 30, 99, 100, 400].map(growthCap)).toEqual([2000, 6350, 5000, 11_900, 10_000, 19_000]);
  });
});

test('the prompt begins with what changes least', () => {
  const parts = {
    slots: 'persona: Mara',
    recent: [{ role: 'user' as const, text: 'hi' }],
    retrieved: ['old'],
    question: 'q1',
  };
  const prompt = icePrompt(parts);
  expect(prompt.map(({ role }) => role)).toEqual(['system', 'user', 'user', 'assistant', 'user']);
  const next = icePrompt({ ...parts, retrieved: ['other'], question: 'q2' });
  expect(next.slice(0, 2)).toEqual(prompt.slice(0, 2));
  expect(next.at(-1)!.content).toBe('q2');
});
