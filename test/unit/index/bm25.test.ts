import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { charGrams, words } from '../../../src/index/analyzers.ts';
import { Bm25Index } from '../../../src/index/bm25.ts';

/** BM25 written from its definition: one document a text, nothing shared with the index. */
function bm25(query: string[], texts: string[][], k1 = 1.2, b = 0.75): number[] {
  const mean = texts.reduce((sum, text) => sum + text.length, 0) / texts.length;
  return texts.map((text) =>
    query.reduce((sum, term) => {
      const tf = text.filter((other) => other === term).length;
      if (tf === 0) return sum;
      const df = texts.filter((other) => other.includes(term)).length;
      const idf = Math.log(1 + (texts.length - df + 0.5) / (df + 0.5));
      return sum + (idf * tf * (k1 + 1)) / (tf + k1 * (1 - b + (b * text.length) / mean));
    }, 0),
  );
}

function indexOf(texts: readonly string[], analyzer = words): Bm25Index {
  const index = new Bm25Index(analyzer);
  texts.forEach((text, id) => {
    index.set(id, text);
  });
  return index;
}

describe('scoreGroups', () => {
  it('gives the answer worked by hand', () => {
    const index = indexOf(['cat dog', 'cat cat bird', 'fish']);
    // N = 3, mean length 2; df(cat) = 2: idf = ln(1 + 1.5 / 2.5) = ln 1.6 = 0.4700036
    // document 0: tf 1, length 2: 0.4700036 * 2.2 / (1 + 1.2 * 1)               = 0.4700036
    // document 1: tf 2, length 3: 0.4700036 * 4.4 / (2 + 1.2 * (0.25 + 1.125)) = 2.0680159 / 3.65 = 0.5665797
    const scores = [...index.scoreGroups('cat', [0, 1, 2])];
    expect(scores[0]).toBeCloseTo(0.4700036, 6);
    expect(scores[1]).toBeCloseTo(0.5665797, 6);
    expect(scores[2]).toBe(0);
    // As two groups, {0, 1} and {2}: N = 2, mean 3, df 1: idf = ln 2; tf 3, length 5:
    // 0.6931472 * 3 * 2.2 / (3 + 1.2 * (0.25 + 1.25)) = 4.5747714 / 4.8 = 0.9530774
    expect(index.scoreGroups('cat', [0, 2])[0]).toBeCloseTo(0.9530774, 6);
  });

  it('counts a term of the query as often as it stands there', () => {
    const index = indexOf(['cat dog', 'bird']);
    expect(index.scoreGroups('cat cat', [0, 1])[0]).toBeCloseTo(2 * index.scoreGroups('cat', [0, 1])[0]!, 12);
  });

  it('counts it as the root of that where it is dampened, and writes where it is told to', () => {
    const index = indexOf(['cat dog', 'bird']);
    const into = Float64Array.of(7, 7);
    const [first] = index.scoreGroups('cat', [0, 1]);
    const scores = index.scoreGroups('cat cat bird cat cat', [0, 1], { dampened: true, into });
    expect(scores).toBe(into);
    expect(scores[0]).toBeCloseTo(2 * first!, 12);
    expect(scores[1]).toBe(index.scoreGroups('bird', [0, 1])[1]);
  });

  it('leaves documents before the first group out', () => {
    const index = indexOf(['cat cat cat', 'cat dog', 'fish']);
    expect([...index.scoreGroups('cat', [1, 2])]).toEqual([
      ...indexOf(['cat dog', 'fish']).scoreGroups('cat', [0, 1]),
    ]);
  });

  it('takes empty groups, an empty query, an empty index and starts past the end', () => {
    const index = indexOf(['cat', 'dog']);
    expect([...index.scoreGroups('cat', [0, 1, 1, 2, 9])].map((score) => score > 0)).toEqual([
      true,
      false,
      false,
      false,
      false,
    ]);
    expect([...index.scoreGroups('', [0, 1])]).toEqual([0, 0]);
    expect([...index.scoreGroups('cat', [])]).toEqual([]);
    expect([...new Bm25Index(words).scoreGroups('cat', [0])]).toEqual([0]);
    expect(() => index.scoreGroups('cat', [1, 0])).toThrow(/Group 0 starts at 1, the next at 0/);
  });

  it('equals BM25 over the texts of each group put together, after any changes', () => {
    const text = fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e'), { maxLength: 8 });
    const change = fc.record({ id: fc.nat(12), text: fc.option(text) });
    const cuts = fc.uniqueArray(fc.nat(14), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(fc.array(change, { maxLength: 40 }), cuts, text, (changes, cuts, query) => {
        const index = new Bm25Index(words);
        const model: string[][] = [];
        for (const { id, text } of changes) {
          if (text === null) index.remove(id);
          else index.set(id, text.join(' '));
          while (text !== null && model.length <= id) model.push([]);
          if (id < model.length) model[id] = text ?? [];
        }
        const starts = [...cuts].sort((a, b) => a - b);
        const groups = starts.map((start, g) => model.slice(start, starts[g + 1]).flat());
        const expected = bm25(query, groups);
        const scores = index.scoreGroups(query.join(' '), starts);
        scores.forEach((score, g) => {
          expect(score).toBeCloseTo(expected[g]!, 10);
        });
        expect(index.documents).toBe(model.length);
        for (const term of 'abcde') {
          expect(index.documentFrequency(term)).toBe(
            model.filter((document) => document.includes(term)).length,
          );
        }
        const restored = Bm25Index.restore(structuredClone(index.snapshot()), words)!;
        expect(restored.scoreGroups(query.join(' '), starts)).toEqual(scores);
        expect(restored.snapshot()).toEqual(index.snapshot());
      }),
      { numRuns: 300 },
    );
  });
});

describe('an index that was asked before', () => {
  const letters = 'abcdefgh';
  const textOf = (id: number) => [...letters].filter((_, i) => (id * 7 + i * 3) % (i + 2) < 1).join(' ');

  it('scores as one that was not, after changes and by other groups too', () => {
    const asked = new Bm25Index(words);
    const starts = Array.from({ length: 120 }, (_, g) => 2 * g);
    const changes = [(index: Bm25Index) => index.set(5, 'a a c'), (index: Bm25Index) => index.remove(6)];
    for (let id = 0; id < 240; id++) asked.set(id, textOf(id));
    for (let step = 0; step <= changes.length; step++) {
      const fresh = new Bm25Index(words);
      for (let id = 0; id < 240; id++) fresh.set(id, textOf(id));
      for (const change of changes.slice(0, step)) change(fresh);
      if (step > 0) changes[step - 1]!(asked);
      for (const query of ['a b', 'b c d', 'a h']) {
        expect(asked.scoreGroups(query, starts)).toEqual(fresh.scoreGroups(query, starts));
        expect(asked.scoreGroups(query, [0, 100])).toEqual(fresh.scoreGroups(query, [0, 100]));
        expect(asked.scoreGroups(query, starts)).toEqual(fresh.scoreGroups(query, starts));
      }
    }
  });
});

describe('matchedTerms', () => {
  it('gives the terms of the query that stand in the range, rarest first', () => {
    const index = indexOf(['the cat', 'the dog', 'the cat and the bird']);
    expect(index.matchedTerms('the bird, the cat!', 2, 3)).toEqual(['bird', 'cat', 'the']);
    expect(index.matchedTerms('the bird, the cat!', 1, 2)).toEqual(['the']);
    expect(index.matchedTerms('bird', 0, 2)).toEqual([]);
    expect(index.matchedTerms('fish', 0, 3)).toEqual([]);
  });
});

describe('scripts', () => {
  const texts = [
    'Завтра встреча в Киеве',
    '明天我们在东京开会',
    '明日は京都で猫カフェに行きます',
    'great 🎉 party',
    'plain words',
  ];
  it.each([
    ['встреча', 0],
    ['КИЕВЕ', 0],
    ['东京', 1],
    ['会', 1],
    ['京都', 2],
    ['猫', 2],
    ['🎉', 3],
  ])('%s is found', (query, expected) => {
    const scores = indexOf(texts).scoreGroups(query, [0, 1, 2, 3, 4]);
    expect(scores.indexOf(Math.max(...scores))).toBe(expected);
    expect(scores[expected]).toBeGreaterThan(0);
  });
});

describe('remove', () => {
  it('leaves no term that stood only there, in the index or its snapshot', () => {
    const index = indexOf(['shared secretword', 'shared other', 'more']);
    index.remove(0);
    expect(index.snapshot().terms).not.toContain('secretword');
    expect(index.snapshot().terms).toContain('shared');
    expect(index.matchedTerms('secretword', 0, 3)).toEqual([]);
    expect(index.documentFrequency('shared')).toBe(1);
    expect(index.documents).toBe(3);
    index.set(1, 'replaced');
    expect(JSON.parse(index.snapshot().terms)).toEqual(['more', 'replaced']);
    index.remove(99);
    expect(() => index.set(-1, 'x')).toThrow(expect.objectContaining({ code: 'bad-argument' }));
  });
});

describe('a snapshot', () => {
  const good = () => indexOf(['cat dog cat', 'dog', 'bird "line\nbreak"'], charGrams).snapshot();

  it('can be built on', () => {
    const index = Bm25Index.restore(good(), charGrams)!;
    for (let id = 0; id < 50; id++) index.set(id, `cat ${id} bird`);
    const fresh = indexOf(
      Array.from({ length: 50 }, (_, id) => `cat ${id} bird`),
      charGrams,
    );
    const starts = [0, 10, 33];
    expect(index.scoreGroups('cat 7 bird', starts)).toEqual(fresh.scoreGroups('cat 7 bird', starts));
  });

  it('is apart from the index it was taken of', () => {
    const index = indexOf(['cat', 'cat']);
    const snapshot = index.snapshot();
    const restored = Bm25Index.restore(snapshot, words)!;
    index.remove(0);
    restored.remove(1);
    expect(snapshot).toEqual(indexOf(['cat', 'cat']).snapshot());
  });

  it.each([
    ['nothing', () => undefined],
    ['text', () => 'snapshot'],
    ['another version', () => ({ ...good(), version: 0 })],
    ['terms cut off', () => ({ ...good(), terms: good().terms.slice(0, -2) })],
    ['a term lost', () => ({ ...good(), terms: JSON.stringify(JSON.parse(good().terms).slice(1)) })],
    ['a term twice', () => ({ ...good(), terms: JSON.stringify(JSON.parse(good().terms).fill('x')) })],
    [
      'a term that is no text',
      () => ({ ...good(), terms: JSON.stringify(JSON.parse(good().terms).fill(1)) }),
    ],
    ['terms that are no list', () => ({ ...good(), terms: '{}' })],
    ['postings cut off', () => ({ ...good(), postings: good().postings.slice(1) })],
    ['frequencies cut off', () => ({ ...good(), frequencies: good().frequencies.slice(1) })],
    ['an offset wrong', () => ({ ...good(), offsets: good().offsets.map((at, i) => (i === 1 ? 99 : at)) })],
    ['a document out of range', () => ({ ...good(), postings: good().postings.map(() => 7) })],
    ['a list out of order', () => ({ ...good(), postings: good().postings.toReversed() })],
    ['a frequency wrong', () => ({ ...good(), frequencies: good().frequencies.map((x) => x + 1) })],
    ['a length wrong', () => ({ ...good(), lengths: good().lengths.map((x) => x + 1) })],
    ['an array of another kind', () => ({ ...good(), lengths: [...good().lengths] })],
  ])('with %s is refused', (_, damaged) => {
    expect(Bm25Index.restore(good(), charGrams)).toBeDefined();
    expect(Bm25Index.restore(damaged(), charGrams)).toBeUndefined();
  });
});

it('a term that stands more than 65,535 times in a document counts as 65,535', () => {
  const index = indexOf(['a '.repeat(70_000), 'b']);
  const restored = Bm25Index.restore(index.snapshot(), words)!;
  expect(restored.scoreGroups('a', [0, 1])).toEqual(index.scoreGroups('a', [0, 1]));
  expect(index.snapshot().frequencies[0]).toBe(65_535);
  expect(index.snapshot().lengths[0]).toBe(70_000);
});

it('names the documents of a stretch that hold a term', () => {
  const index = new Bm25Index(words);
  ['tea', 'coffee', 'tea and tea', 'milk', 'tea'].forEach((text, id) => {
    index.set(id, text);
  });
  expect(index.documentsWith('tea', 0, 5)).toEqual([0, 2, 4]);
  expect(index.documentsWith('tea', 1, 4)).toEqual([2]);
  expect(index.documentsWith('coffee', 2, 5)).toEqual([]);
  expect(index.documentsWith('rum', 0, 5)).toEqual([]);
  index.remove(2);
  expect(index.documentsWith('tea', 1, 4)).toEqual([]);
});

it('restricted to some documents it is the index of these alone', () => {
  const texts = ['a tea', 'coffee', 'tea and tea', 'milk', 'tea rum'];
  const whole = indexOf(texts);
  const part = whole.restrictedTo(Uint8Array.from([1, 0, 1, 1]));
  const built = indexOf(['a tea', '', 'tea and tea', 'milk']);
  expect(part.snapshot()).toEqual(built.snapshot());
  expect(part.scoreGroups('tea milk', [0, 2])).toEqual(built.scoreGroups('tea milk', [0, 2]));
  expect(part.documentFrequency('rum')).toBe(0);
  part.set(3, 'rum');
  expect(whole.documentsWith('milk', 0, 5)).toEqual([3]);
});
