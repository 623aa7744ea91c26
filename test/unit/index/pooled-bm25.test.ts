import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { words } from '../../../src/index/analyzers.ts';
import { Band } from '../../../src/index/band.ts';
import { Bm25Index } from '../../../src/index/bm25.ts';
import type { KernelKind } from '../../../src/index/flat/scan-kernel.ts';
import { PooledBm25, type PooledOptions } from '../../../src/index/pooled-bm25.ts';

function indexOf(texts: readonly string[]): Bm25Index {
  const index = new Bm25Index(words);
  for (const [id, text] of texts.entries()) index.set(id, text);
  return index;
}

/** Pools of a reach of 1 in which every neighbour has the weight `weight`. */
function pooled(count: number, weight: number, kind?: KernelKind): Band {
  const band = new Band(1, kind);
  band.resize(count);
  for (let x = 0; x < count; x++) {
    band.row(x).set([x > 0 ? weight : 0, 1, x + 1 < count ? weight : 0]);
  }
  return band;
}

function scores(
  texts: readonly string[],
  query: string,
  pools: Band,
  left = texts.map(() => 1),
  options: PooledOptions = { commonShare: 1 },
): number[] {
  const starts = texts.map((_, i) => i);
  return [...new PooledBm25(indexOf(texts), starts, pools, options).score(query, Uint8Array.from(left))];
}

describe('BM25 over pools', () => {
  it('gives the answer worked by hand', () => {
    // Neighbours count half. Pools hold "cat" 1, 0.5 and 0 times; their lengths are 3, 3 and 2, the mean 8 / 3.
    // Pools that hold it: 1 + 0.5 = 1.5 of 3: idf = ln(1 + 2 / 2) = 0.693147
    // Pool 0: 0.693147 * 2.2 / (1 + 1.2 * (0.25 + 0.75 * 9 / 8)) = 1.524924 / 2.3125 = 0.659427
    // Pool 1: 0.693147 * 1.1 / (0.5 + 1.3125) = 0.762462 / 1.8125 = 0.420669
    const [first, second, third] = scores(['cat dog', 'cow pig', 'hen'], 'cat', pooled(3, 0.5));
    // Lengths 3, 3.5 and 2: the mean is 8.5 / 3.
    const norm = (length: number) => 1.2 * (0.25 + (0.75 * length) / (8.5 / 3));
    expect(first).toBeCloseTo((Math.LN2 * 2.2) / (1 + norm(3)), 6);
    expect(second).toBeCloseTo((Math.LN2 * 2.2 * 0.5) / (0.5 + norm(3.5)), 6);
    expect(third).toBe(0);
  });

  it('counts a term of the query as often as it stands there, or as the root of that', () => {
    const texts = ['cat dog', 'cow pig', 'hen'];
    const [once] = scores(texts, 'cat', pooled(3, 0.5));
    const often = (options: PooledOptions) =>
      scores(texts, 'cat cat cat cat', pooled(3, 0.5), undefined, { commonShare: 1, ...options })[0];
    expect(often({})).toBeCloseTo(4 * once!, 5);
    expect(often({ dampened: true })).toBeCloseTo(2 * once!, 5);
  });

  it('is BM25 where nothing is pooled', () => {
    const text = fc
      .array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 6 })
      .map((list) => list.join(' '));
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 8 }), text, (texts, query) => {
        const plain = indexOf(texts).scoreGroups(
          query,
          texts.map((_, i) => i),
        );
        const found = scores(texts, query, pooled(texts.length, 0));
        for (const [i, score] of found.entries()) expect(score).toBeCloseTo(plain[i]!, 5);
      }),
    );
  });

  it('takes no terms from a group that is left out', () => {
    expect(scores(['cat', 'dog', 'hen'], 'cat', pooled(3, 1), [0, 1, 1])).toEqual([0, 0, 0]);
  });

  it('passes over terms that too many documents hold', () => {
    const options = { commonShare: 0.5, commonDocuments: 0 };
    const found = scores(['cat', 'cat', 'dog'], 'cat dog', pooled(3, 0), [1, 1, 1], options);
    expect(found.map((score) => score > 0)).toEqual([false, false, true]);
  });

  it('tells the same bits with either kernel', () => {
    const texts = Array.from(
      { length: 30 },
      (_, i) => `${'cat '.repeat(i % 4)} ${i % 7 ? 'dog' : 'hen'} t${i % 5}`,
    );
    const found = (kind: KernelKind) => scores(texts, 'cat hen hen t3 dog', pooled(30, 0.3, kind));
    expect(found('simd')).toEqual(found('plain'));
    expect(found('simd').filter((score) => score > 0).length).toBeGreaterThan(20);
  });

  it('tells the same again, and beside another that shares its pools', () => {
    const pools = pooled(3, 0.5);
    const bm25 = new PooledBm25(indexOf(['cat dog', 'cow pig', 'hen cat']), [0, 1, 2], pools);
    const other = new PooledBm25(indexOf(['a', 'b', 'c']), [0, 1, 2], pools);
    const all = Uint8Array.of(1, 1, 1);
    const first = bm25.score('cat hen', all);
    expect(other.score('b', all)[1]).toBeGreaterThan(0);
    expect(bm25.score('cat hen', all)).toEqual(first);
  });
});

describe('groups of a BM25 index', () => {
  const index = indexOf(['cat dog', 'cat cat', '', 'hen']);

  it('tells the groups of every term', () => {
    const { count, offsets, groups, frequencies } = index.termGroups([0, 1, 3]);
    expect(count).toBe(3);
    expect([...offsets]).toEqual([0, 2, 3, 4]);
    expect([...groups]).toEqual([0, 1, 0, 2]);
    expect([...frequencies]).toEqual([1, 2, 1, 1]);
    expect([...index.groupLengths([0, 2])]).toEqual([4, 1]);
    expect([...index.termGroups([]).groups]).toEqual([]);
  });

  it('tells the same of an index that was edited bit by bit as of one made anew', () => {
    const text = fc
      .array(fc.constantFrom('a', 'b', 'c', 'd', 'e'), { maxLength: 4 })
      .map((list) => list.join(' '));
    const edit = fc.record({ id: fc.nat(7), text, ask: fc.boolean() });
    fc.assert(
      fc.property(fc.array(edit, { maxLength: 12 }), fc.nat(7), (edits, start) => {
        const edited = new Bm25Index(words);
        const texts: string[] = [];
        for (const { id, text, ask } of edits) {
          edited.set(id, text);
          for (let i = texts.length; i <= id; i++) texts.push('');
          texts[id] = text;
          if (ask) edited.termGroups([0, start]);
        }
        const fresh = indexOf(texts);
        for (const starts of [[0, start], [start]]) {
          expect(edited.termGroups(starts)).toEqual(fresh.termGroups(starts));
          expect(edited.groupLengths(starts)).toEqual(fresh.groupLengths(starts));
          expect(edited.scoreGroups('a b', starts)).toEqual(fresh.scoreGroups('a b', starts));
        }
      }),
    );
  });

  it('tells how much of a document earlier ones of its group hold', () => {
    const repeating = indexOf(['cat dog', 'cat cat fox', '', 'dog']);
    // cat and dog are in 2 of 4, ln 2; fox in 1, ln(10 / 3).
    const share = Math.log(2) / (Math.log(2) + Math.log(10 / 3));
    const near = (numbers: number[]) => numbers.map((number) => expect.closeTo(number, 3));
    expect([...repeating.repeatedShares([0, 2])]).toEqual(near([0, share, 0, 0]));
    expect([...repeating.repeatedShares([0])]).toEqual(near([0, share, 0, 1]));
    expect([...repeating.repeatedShares([1])]).toEqual(near([0, 0, 0, 0]));
    expect([...repeating.repeatedShares([])]).toEqual([0, 0, 0, 0]);
  });

  it('visits the terms of a query with the groups that hold them', () => {
    const visit = (most: number) => {
      const seen: unknown[] = [];
      index.eachTerm('dog cat cat fox', [0, 1, 3], most, ({ times, count, groups, frequencies }) => {
        seen.push([times, [...groups.slice(0, count)], [...frequencies.slice(0, count)]]);
      });
      return seen;
    };
    expect(visit(2)).toEqual([
      [1, [0], [1]],
      [2, [0, 1], [1, 2]],
    ]);
    expect(visit(1)).toEqual([[1, [0], [1]]]);
  });
});
