import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { NewTurn } from '../../../src/core/turn.ts';
import { words } from '../../../src/index/analyzers.ts';
import { Bm25Index } from '../../../src/index/bm25.ts';
import { SKEIN } from '../../../src/memory/configurations.ts';
import type { Exchanges } from '../../../src/memory/exchanges.ts';
import { type FamilyPacking, packFamilies, rangesOf } from '../../../src/memory/families.ts';
import type { FamilyRanking } from '../../../src/memory/family-ranker.ts';
import { NearTies } from '../../../src/memory/near-ties.ts';
import { TermTies } from '../../../src/memory/term-ties.ts';
import { memoryOf } from './memory-support.ts';
import { at, indexOf } from './support.ts';

const PACKING: FamilyPacking = {
  families: 2,
  tokens: 100,
  longest: 0.6,
  slack: 0.05,
  floor: 0.2,
  repeated: 0,
  nearTie: 0.5,
  matterTie: 0.5,
  candidates: 50,
};

interface Item {
  /** Where its vector stands; near exchanges at like angles are tied. */
  readonly degrees: number;
  readonly score: number;
  /** What of the score its episode lends. */
  readonly lent?: number;
  readonly text?: string;
  readonly tokens?: number;
  readonly eligible?: boolean;
  /** Left out: an episode of its own. */
  readonly episode?: number;
}

/** Exchanges of one turn. */
function packed(
  items: readonly Item[],
  packing: Partial<FamilyPacking> = {},
  best = Math.max(...items.map(({ score, eligible }) => (eligible === false ? 0 : score))),
) {
  const starts = items.map((_, i) => i);
  const near = new NearTies({ reach: 2, middle: 0.5, width: 0.05, least: 0.1, steps: 1 }, 2);
  near.update(starts, items.length, indexOf(items.map(({ degrees }) => at(degrees))), 0);
  const index = new Bm25Index(words);
  for (const [id, { text = `only${id}` }] of items.entries()) index.set(id, text);
  const matters = new TermTies(index.termGroups(starts), { commonShare: 1, power: 1 });
  const exchanges: Exchanges = {
    starts,
    size: items.length,
    ends: Int32Array.from(starts, (start) => start + 1),
    episodes: Int32Array.from(items, ({ episode }, i) => episode ?? i),
    tokens: Float64Array.from(items, ({ tokens = 10 }) => tokens),
    eligible: Uint8Array.from(items, ({ eligible = true }) => (eligible ? 1 : 0)),
    common: { values: new Float64Array(items.length), mean: 0, deviation: 0 },
  };
  const total = Float64Array.from(items, ({ score }) => score);
  const lent = Float64Array.from(items, (item) => item.lent ?? 0);
  const families = packFamilies({ total, lent, best }, exchanges, near, matters, { ...PACKING, ...packing });
  const ranges = families.map((family) =>
    rangesOf(family, exchanges, (x) => ({ start: x, end: x + 1 }), matters, PACKING.matterTie),
  );
  return { members: families.map(({ members }) => members), ranges };
}

describe('families', () => {
  test('near exchanges that are tied are one family, in the order they fit', () => {
    const { members } = packed([
      { degrees: 0, score: 9 },
      { degrees: 120, score: 10 },
      { degrees: 5, score: 8 },
    ]);
    expect(members).toEqual([[1], [0, 2]]);
  });

  test('far exchanges on the same matter are one family; the earlier one says where it is continued', () => {
    const items = [
      { degrees: 0, score: 9, text: 'gwenda rota' },
      ...[90, 180, 270].map((degrees) => ({ degrees, score: 0 })),
      { degrees: 120, score: 10, text: 'gwenda rota again' },
    ];
    const { members, ranges } = packed(items);
    expect(members).toEqual([[4, 0]]);
    expect(ranges[0]).toEqual([
      { episode: 0, start: 0, end: 1, continuedAt: 4 },
      { episode: 4, start: 4, end: 5 },
    ]);
  });

  test('no more families begin than there may be, and what scores too low is not recalled', () => {
    const items = [0, 90, 180, 270].map((degrees, i) => ({ degrees, score: 10 - i }));
    expect(packed(items).members).toEqual([[0], [1]]);
    const low = [items[0]!, { degrees: 90, score: 1.9 }];
    expect(packed(low).members).toEqual([[0]]);
    expect(packed(low, {}, 9).members).toEqual([[0], [1]]);
  });

  test('what fits the budget no more is passed over for a shorter one', () => {
    const items = [
      { degrees: 0, score: 10, tokens: 60 },
      { degrees: 90, score: 9, tokens: 50 },
      { degrees: 180, score: 8, tokens: 20 },
    ];
    expect(packed(items).members).toEqual([[0], [2]]);
  });

  test('a long exchange leaves room for others', () => {
    const items = [
      { degrees: 0, score: 10, tokens: 500 },
      { degrees: 90, score: 9, tokens: 40 },
    ];
    expect(packed(items).members).toEqual([[0], [1]]);
  });

  test('what an episode lends counts for less with every exchange of it that is taken', () => {
    const items = [
      { degrees: 0, score: 10, lent: 8, tokens: 45, episode: 0 },
      { degrees: 90, score: 9, lent: 8, tokens: 45, episode: 0 },
      { degrees: 180, score: 6, tokens: 45, episode: 1 },
      { degrees: 270, score: 5.5, lent: -3, tokens: 45, episode: 0 },
    ];
    expect(packed(items).members).toEqual([[0, 1]]);
    // 9 - 8 (1 - 1 / 2) = 5; below 0, what is lent counts in full.
    expect(packed(items, { repeated: 1 }).members).toEqual([[0], [2]]);
    expect(packed(items.toSpliced(2, 1), { repeated: 1 }).members).toEqual([[0, 2]]);
  });

  test('what may not be recalled is in no family', () => {
    const items = [
      { degrees: 0, score: 10, eligible: false },
      { degrees: 5, score: 9 },
    ];
    expect(packed(items).members).toEqual([[1]]);
    expect(packed([{ degrees: 0, score: 10, eligible: false }]).members).toEqual([]);
  });
});

describe('recalled families of a memory', () => {
  test('of a long exchange, the turn that fits and what fits beside it', async () => {
    const long = (word: string) => Array.from({ length: 200 }, () => word).join(' ');
    const texts = ['ledger', 'piano', 'apple', 'river'].map(long);
    const turns = texts.map((text, i): NewTurn => ({ role: i === 0 ? 'user' : 'model', text }));
    const { memory } = await memoryOf('skein', turns);
    const [best] = await memory.recall('apple');
    const held = best!.ranges!.reduce((sum, { start, end }) => sum + end - start, 0);
    expect(best!.ranges!.some(({ start, end }) => start <= 2 && 2 < end)).toBe(true);
    expect(held).toBe(2);
  });

  test('a reply that repeats its question at length is left out; a short one and one with news stay', async () => {
    const list = (word: string) => Array.from({ length: 20 }, (_, i) => `${word}${i}`).join(' ');
    const turns: NewTurn[] = [
      { role: 'user', text: list('apple') },
      { role: 'model', text: `noted ${list('apple')}` },
      { role: 'user', text: list('river') },
      { role: 'model', text: 'noted river1 river2' },
      { role: 'user', text: list('storm') },
      { role: 'model', text: list('cart') },
    ];
    const { memory } = await memoryOf('skein', turns);
    const recalled = async (question: string) => {
      const ranges = (await memory.recall(question)).flatMap((family) => family.ranges!);
      return ranges.flatMap(({ start, end }) => Array.from({ length: end - start }, (_, i) => start + i));
    };
    const apple = await recalled(list('apple'));
    expect(apple).toContain(0);
    expect(apple).not.toContain(1);
    expect(await recalled(list('river'))).toEqual(expect.arrayContaining([2, 3]));
    expect(await recalled(list('storm'))).toEqual(expect.arrayContaining([4, 5]));
  });

  const turn = fc.record<NewTurn>({
    role: fc.constantFrom('user', 'model'),
    text: fc
      .array(fc.constantFrom('apple', 'river', 'cart', 'piano', 'ledger', 'storm'), {
        minLength: 1,
        maxLength: 60,
      })
      .map((list) => list.join(' ')),
  });

  test('lie in episodes, overlap nowhere, keep to the budget, and hold nothing forgotten', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(turn, { minLength: 1, maxLength: 40 }), fc.nat(), async (turns, forget) => {
        const { memory } = await memoryOf('skein', turns);
        const forgotten = forget % memory.episodes.length;
        await memory.setForgotten(forgotten, true);
        const recalled = await memory.recall('apple cart');
        const ranges = recalled.flatMap((family) => family.ranges!);
        const seen = new Set<number>();
        for (const { episode, start, end } of ranges) {
          const { start: from, end: to } = memory.episodes[episode]!;
          expect(from <= start && start < end && end <= to).toBe(true);
          expect(episode).not.toBe(forgotten);
          for (let i = start; i < end; i++) expect(seen.has(i)).toBe(false);
          for (let i = start; i < end; i++) seen.add(i);
        }
        for (const { ranges: own, episode, decisive, parts, score } of recalled) {
          expect(own!.map(({ start }) => start)).toEqual(
            own!.map(({ start }) => start).sort((a, b) => a - b),
          );
          expect(own!.some((range) => range.episode === episode)).toBe(true);
          for (const one of decisive)
            expect(own!.some(({ start, end }) => start <= one && one < end)).toBe(true);
          expect(Object.values(parts).reduce((sum, part) => sum + part, 0)).toBeCloseTo(score, 8);
        }
        const { packing } = SKEIN.ranking as FamilyRanking;
        expect(recalled.length).toBeLessThanOrEqual(packing.families);
        const context = await memory.context(recalled);
        expect(context.map(({ index }) => index)).toEqual([...seen].sort((a, b) => a - b));
        const tokens = context.reduce((sum, { text }) => sum + 1.3 * text.split(' ').length, 0);
        const first = Math.max(...ranges.map(({ start, end }) => 1.3 * 60 * (end - start)));
        expect(tokens).toBeLessThanOrEqual(Math.max(packing.tokens, first));
      }),
      { numRuns: 40 },
    );
  });
});
