import { describe, expect, it } from 'vitest';
import type { Batch, PlacedQuestion } from '../../../src/bench/builder.ts';
import { cutQuality, scoreIndex } from '../../../src/bench/index-score.ts';
import { metricsOf, summarise } from '../../../src/bench/metrics.ts';
import type { AskedQuestion, QuestionLine } from '../../../src/bench/result.ts';
import { RetrievalScorer } from '../../../src/bench/retrieval-score.ts';
import type { NewTurn } from '../../../src/core/turn.ts';

const turns: NewTurn[] = ['one two', 'three', 'four five six', 'seven', 'eight nine'].map((text, i) => ({
  role: i % 2 === 0 ? 'user' : 'model',
  text,
}));

/** A question whose evidence stands in turns 1 and 2. */
const question: PlacedQuestion = {
  id: 'q',
  query: '?',
  stress: [],
  evidence: [
    { dialogue: 'd', text: 'Three' },
    { dialogue: 'd', text: 'four  five' },
  ],
  places: [[1], [2]],
};

const unit = (start: number, end: number) => ({ ranges: [[start, end] as const], score: 1 });

describe('RetrievalScorer', () => {
  const scorer = new RetrievalScorer(turns);

  it('ranks each evidence by the first unit that holds it', () => {
    const units = [unit(4, 5), unit(2, 4), unit(0, 1), unit(0, 2)];
    const score = scorer.score(question, { units, context: [{ kind: 'turns', start: 2, end: 5 }] });
    expect(score).toEqual({ ranks: [4, 2], hit: false, contextTokens: expect.closeTo(1.3 * 6, 9) });
  });

  it('says when no unit listed holds it, and finds it in texts and in several ranges of a unit', () => {
    expect(scorer.score(question, { units: [unit(2, 3)], context: [] }).ranks).toEqual([null, 1]);
    const text = { ranges: [], text: 'He said: THREE, then four\nfive.', score: 1 };
    expect(scorer.score(question, { units: [text], context: [{ kind: 'text', text: text.text }] })).toEqual({
      ranks: [1, 1],
      hit: true,
      contextTokens: expect.closeTo(1.3 * 6, 9),
    });
    const apart = { ranges: [[1, 2] as const, [2, 3] as const], score: 1 };
    expect(scorer.inOneUnit(question, [unit(1, 2), unit(2, 3)])).toBe(false);
    expect(scorer.inOneUnit(question, [apart])).toBe(true);
  });

  it('hits when the context holds all evidence, and counts turns that stand there twice once', () => {
    const context = [
      { kind: 'turns', start: 1, end: 3 },
      { kind: 'turns', start: 2, end: 4 },
    ] as const;
    expect(scorer.score(question, { units: [], context })).toMatchObject({
      hit: true,
      contextTokens: expect.closeTo(1.3 * 5, 9),
    });
  });

  it('finds evidence that an answer quoted when it was written back', () => {
    const grown = new RetrievalScorer(turns);
    grown.append([{ role: 'model', text: 'It was "three" and "four five".' }]);
    const context = [{ kind: 'turns', start: 5, end: 6 }] as const;
    expect(grown.score(question, { units: [unit(5, 6)], context })).toMatchObject({
      ranks: [1, 1],
      hit: true,
    });
  });

  it('tells which views lead to evidence', () => {
    const views = { raw: [unit(4, 5)], summary: [unit(0, 1), unit(1, 2)] };
    const { views: hits } = scorer.score(question, { units: [], context: [], views });
    expect(hits).toEqual({ raw: false, summary: true });
  });
});

describe('scoreIndex', () => {
  const batch = { name: 'all', turns, boundaries: [0, 2, 3] } as unknown as Batch;

  it('compares cuts with the gold boundaries', () => {
    // Cuts at 2 and 4, gold at 2 and 3: one of two right. 9 words in 3 units.
    const score = scoreIndex([unit(0, 2), unit(2, 4), unit(4, 5)], batch);
    expect(score).toEqual({
      batch: 'all',
      units: 3,
      unitTokens: expect.closeTo(3.9, 9),
      cuts: { made: 2, gold: 2, right: 1 },
    });
    expect(cutQuality([score.cuts!])).toEqual({ precision: 0.5, recall: 0.5, f1: 0.5 });
    expect(cutQuality([{ made: 4, gold: 2, right: 2 }])).toEqual({
      precision: 0.5,
      recall: 1,
      f1: expect.closeTo(2 / 3, 12),
    });
  });

  it('has no cuts where units overlap, leave out, are turns or texts', () => {
    for (const units of [
      [unit(0, 3), unit(2, 5)],
      [unit(0, 2), unit(3, 5)],
      [0, 1, 2, 3, 4].map((turn) => unit(turn, turn + 1)),
      [unit(0, 2), unit(2, 5), { ranges: [], text: 'a summary', score: 0 }],
    ]) {
      expect(scoreIndex(units, batch).cuts).toBeUndefined();
    }
  });
});

function line(id: string, ranks: (number | null)[], over: Partial<QuestionLine> = {}): QuestionLine {
  return {
    batch: 'all',
    id,
    mode: 'query',
    ranks,
    hit: false,
    contextTokens: 10,
    units: [],
    context: [],
    ...over,
  };
}

describe('metricsOf', () => {
  it('counts recall at each depth, misses of both kinds, and units that hold all', () => {
    const lines = [
      line('1', [1], { hit: true, inOneUnit: true, contextTokens: 10 }),
      line('2', [2, 4], { hit: true, inOneUnit: true, contextTokens: 20 }),
      line('3', [1, 6], { inOneUnit: false, contextTokens: 30 }),
      line('4', [1, null], { inOneUnit: false, contextTokens: 60 }),
    ];
    const metrics = metricsOf(lines);
    expect(metrics.recall.map(({ hits }) => hits)).toEqual([1, 1, 1, 2, 2]);
    expect(metrics.clHit).toMatchObject({ hits: 2, of: 4 });
    expect(metrics.misses).toEqual({ neverRetrieved: 1, rankedOut: 1 });
    expect(metrics.coContainment).toMatchObject({ hits: 1, of: 3 });
    expect(metrics.inOneUnit).toMatchObject({ hits: 2, of: 4 });
    expect(metrics.contextTokens).toMatchObject({ mean: 30, median: 25, max: 60 });
    expect(metrics.answers).toBeUndefined();
  });

  it('crosses hits with answers; what can not be parsed is wrong', () => {
    const answer = (correct: boolean, letter: 'A' | null, rationaleSimilarity = 0) => ({
      answer: { text: '', letter, correct, rationaleSimilarity },
    });
    const { answers } = metricsOf([
      line('1', [1], { hit: true, ...answer(true, 'A', 0.8) }),
      line('2', [1], { hit: true, ...answer(false, 'A') }),
      line('3', [1], { ...answer(true, 'A', 0.4) }),
      line('4', [1], { ...answer(false, null) }),
      line('5', [1], { ...answer(false, null) }),
    ]);
    expect(answers).toMatchObject({
      accuracy: { hits: 2, of: 5, value: 0.4 },
      unparseable: 2,
      hitByAnswer: { hitRight: 1, hitWrong: 1, missRight: 1, missWrong: 2 },
      rationaleSimilarity: expect.closeTo(0.24, 12),
    });
  });

  it('gives view hit rates', () => {
    const lines = [
      line('1', [1], { views: { raw: true, summary: true } }),
      line('2', [1], { views: { raw: false, summary: true } }),
    ];
    expect(metricsOf(lines).viewHits).toMatchObject({ raw: { hits: 1, of: 2 }, summary: { hits: 2, of: 2 } });
  });
});

describe('summarise', () => {
  it('splits by topic, stress, kind and batch; a question counts under each of its cues', () => {
    const asked = (id: string, topic: string, stress: string[]): AskedQuestion => ({
      ...question,
      id,
      topic,
      stress,
      batch: 'all',
    });
    const questions = [asked('1', 'a', ['x', 'y']), asked('2', 'a', ['x']), asked('3', 'b', [])];
    const lines = [line('1', [1]), line('2', [9]), line('3', [1])];
    const [{ by }] = summarise(lines, questions, []).modes as [ReturnType<typeof summarise>['modes'][0]];
    const hits = (metrics?: { recall: readonly { hits: number; of: number }[] }) =>
      metrics && [metrics.recall[4]!.hits, metrics.recall[4]!.of];
    expect(hits(by.topic?.a)).toEqual([1, 2]);
    expect(hits(by.topic?.b)).toEqual([1, 1]);
    expect(hits(by.stress?.x)).toEqual([1, 2]);
    expect(hits(by.stress?.y)).toEqual([1, 1]);
    expect(by.batch).toBeUndefined();
    expect(by.kind).toBeUndefined();
  });
});
