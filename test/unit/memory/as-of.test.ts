import { describe, expect, test } from 'vitest';
import type { NewTurn } from '../../../src/core/turn.ts';
import { withinReach } from '../../../src/memory/as-of.ts';
import { keptTurns, reachOfPlace, reachOfTime } from '../../../src/memory/reach.ts';
import { periodOf, timesOf } from '../../../src/memory/turn-times.ts';
import { CONFIGURATION_NAMES, type RecalledEpisode } from '../../../src/store/records.ts';
import { memoryOf } from './memory-support.ts';
import { topicThread, wordsOf } from './support.ts';

const QUESTIONS = ['topic0word3 topic1word5', 'topic2word1', 'later3 topic0word1', 'something else'];

function user(text: string, time?: number, source?: string): NewTurn {
  return { role: 'user', text, ...(time !== undefined && { time }), ...(source && { source }) };
}

/** Turns that a recalled episode names in any way. */
function named({ start, end, ranges = [], decisive }: RecalledEpisode): number[] {
  const continued = ranges.flatMap(({ continuedAt }) => (continuedAt === undefined ? [] : [continuedAt]));
  return [...[{ start, end }, ...ranges].flatMap((run) => turnsOf(run)), ...decisive, ...continued];
}

function turnsOf({ start, end }: { start: number; end: number }): number[] {
  return Array.from({ length: end - start }, (_, i) => start + i);
}

function withoutSince(recalled: readonly RecalledEpisode[]): RecalledEpisode[] {
  return recalled.map(({ ranges, ...rest }) => ({
    ...rest,
    ...(ranges && { ranges: ranges.map(({ sinceAt: _, ...range }) => range) }),
  }));
}

describe('recall up to a time', () => {
  test('skein recalls what a memory that ends there recalls, to the last digit of its scores', async () => {
    const turns = topicThread(60);
    const { memory } = await memoryOf('skein', turns);
    const ends = memory.episodes.map(({ start }) => start).filter((start) => start > 0);
    expect(ends.length).toBeGreaterThan(3);
    for (const end of ends) {
      const past = await memoryOf('skein', turns.slice(0, end));
      for (const question of QUESTIONS) {
        const recalled = await memory.recall(question, { until: { turns: end } });
        expect(withoutSince(recalled)).toEqual(await past.memory.recall(question));
      }
    }
  });

  test.each(CONFIGURATION_NAMES)('%s: what came later changes nothing', async (name) => {
    const turns = topicThread(40);
    const loud = wordsOf(60, 'later');
    const futures = [
      [user(loud), user(`${loud} topic0word3`), ...topicThread(12)],
      [user(loud), user('topic0word3 topic1word5 topic2word1 '.repeat(30)), ...topicThread(40)],
    ];
    const memories = await Promise.all(futures.map((future) => memoryOf(name, [...turns, ...future])));
    const [first, second] = memories.map(({ memory }) => memory);
    const startsOf = (memory: typeof first) =>
      memory!.episodes.map(({ start }) => start).filter((start) => start <= turns.length);
    expect(startsOf(first)).toEqual(startsOf(second));
    for (const turn of [7, 25, turns.length]) {
      for (const question of QUESTIONS) {
        const until = { turns: turn };
        const recalled = await first!.recall(question, { until });
        expect(recalled.length).toBeGreaterThan(0);
        expect(withoutSince(recalled)).toEqual(withoutSince(await second!.recall(question, { until })));
        expect(recalled.flatMap(named).filter((named) => named >= turn)).toEqual([]);
      }
    }
  });

  test('what was superseded since names the later turn apart, and only when it is out of reach', async () => {
    const filler = topicThread(30);
    const turns = [
      user('The ledger database is SQLite, kept beside the ledger service.'),
      ...filler,
      user('The ledger database is PostgreSQL now, kept beside the ledger service.'),
      ...filler.slice(0, 6),
    ];
    const { memory } = await memoryOf('skein', turns);
    const question = 'Which database does the ledger service use?';
    const rangeOf = (recalled: readonly RecalledEpisode[], turn: number) =>
      recalled.flatMap(({ ranges = [] }) => ranges).find(({ start, end }) => start <= turn && turn < end);

    const now = rangeOf(await memory.recall(question), 0)!;
    expect(now.continuedAt).toBe(31);
    expect(now.sinceAt).toBeUndefined();

    const then = await memory.recall(question, { until: { turns: 31 } });
    expect(rangeOf(then, 0)).toMatchObject({ sinceAt: 31 });
    expect(rangeOf(then, 0)!.continuedAt).toBeUndefined();
    expect(then.flatMap(named).every((turn) => turn < 31)).toBe(true);

    const after = await memory.recall(question, { until: { turns: 34 } });
    expect(rangeOf(after, 0)).toMatchObject({ continuedAt: 31 });
    expect(rangeOf(after, 0)!.sinceAt).toBeUndefined();
  });

  test.each(CONFIGURATION_NAMES)(
    '%s: a thread that goes back in time leads to no later turn',
    async (name) => {
      // Two conversations of the same days, one imported behind the other; the days of the first end in an exchange.
      const days = (first: number) => topicThread(24).map((turn, i) => ({ ...turn, time: first + i }));
      const turns = [...days(100), ...days(103)];
      const { memory } = await memoryOf(name, turns);
      for (let before = 101; before < 130; before += 7) {
        const reach = await memory.reach({ before });
        const kept = keptTurns(reach);
        expect([...kept].filter((mark) => mark === 1)).toHaveLength(reach.turns);
        for (const question of QUESTIONS) {
          const recalled = await memory.recall(question, { until: { before } });
          expect(recalled).toEqual(await memory.recall(question, { until: reach }));
          expect(recalled.length).toBeGreaterThan(0);
          expect(recalled.flatMap(named).filter((turn) => kept[turn] !== 1)).toEqual([]);
        }
      }
    },
  );

  test('before the first turn nothing is recalled, after the last one everything', async () => {
    const turns = topicThread(20).map((turn, i) => ({ ...turn, time: 1_000 + i }));
    const { memory } = await memoryOf('skein', turns);
    expect(await memory.recall('topic0word3', { until: { before: 1_000 } })).toEqual([]);
    expect(await memory.recall('topic0word3', { until: { turns: 0 } })).toEqual([]);
    const all = await memory.recall('topic0word3');
    expect(await memory.recall('topic0word3', { until: { before: 9_000 } })).toEqual(all);
    expect(await memory.recall('topic0word3', { until: { turns: 99 } })).toEqual(all);
    expect(await memory.period()).toEqual({ first: 1_000, last: 1_019 });
    await memory.append([{ role: 'user', text: 'not read yet', time: 2_000 }]);
    expect(await memory.period()).toEqual({ first: 1_000, last: 2_000 });
  });

  test('forgotten and erased episodes stay out of the past, too', async () => {
    const { memory } = await memoryOf('skein', topicThread(40));
    const until = { turns: 20 };
    const [best] = await memory.recall('topic0word3', { until });
    await memory.setForgotten(best!.episode, true);
    const episodes = (await memory.recall('topic0word3', { until })).flatMap(({ ranges = [] }) => ranges);
    expect(episodes.some(({ episode }) => episode === best!.episode)).toBe(false);
    await memory.erase(0, 20);
    expect(await memory.recall('topic0word3', { until })).toEqual([]);
  });

  test('a thread without dates is asked up to a turn', async () => {
    const { memory } = await memoryOf('skein', topicThread(10));
    await expect(memory.recall('topic0word3', { until: { before: 5 } })).rejects.toMatchObject({
      code: 'bad-argument',
      message: 'No turn of this thread has a date.',
    });
    await expect(memory.recall('x', { until: { turns: -1 } })).rejects.toMatchObject({
      code: 'bad-argument',
    });
    expect(await memory.period()).toBeUndefined();
    await memory.append([user('dated', 77)]);
    await memory.catchUp();
    expect(await memory.period()).toEqual({ first: 77, last: 77 });
  });
});

describe('reach', () => {
  test('a turn without a time has that of the turn before it, of its own conversation first', () => {
    const turns = [
      { source: 'a' },
      { source: 'a', time: 10 },
      { source: 'b' },
      { source: 'a' },
      { source: 'b', time: 30 },
      { source: 'c' },
      { source: 'a' },
    ];
    expect(timesOf(turns)!.map(({ time }) => time)).toEqual([10, 10, 30, 10, 30, 30, 10]);
    expect(timesOf(turns)!.map(({ placed }) => placed)).toEqual([true, false, true, true, false, true, true]);
    expect(timesOf([{ source: 'a' }, {}])).toBeUndefined();
    expect(timesOf([{}, { time: 5 }])!.map(({ time }) => time)).toEqual([5, 5]);
  });

  test('it is told as runs of turns', () => {
    const turns = [{ time: 1 }, {}, { time: 9 }, { time: 2 }, { time: 3 }];
    expect(reachOfTime(3, turns)).toEqual({
      runs: [
        { start: 0, end: 2 },
        { start: 3, end: 4 },
      ],
      turns: 3,
      placed: 1,
    });
    expect([...keptTurns(reachOfTime(3, turns))]).toEqual([1, 1, 0, 1]);
    expect(reachOfPlace(3, 2)).toEqual({ runs: [{ start: 0, end: 2 }], turns: 2, placed: 0 });
    expect(keptTurns(reachOfPlace(0, 2))).toHaveLength(0);
    expect(periodOf([{}, { time: 4 }, { time: 2 }])).toEqual({ first: 2, last: 4 });
  });

  test('ranges are cut at turns out of reach, and what continues them moves along', () => {
    const recalled: RecalledEpisode = {
      episode: 0,
      start: 0,
      end: 6,
      score: 1,
      parts: {},
      ranges: [
        { episode: 0, start: 1, end: 5, continuedAt: 8 },
        { episode: 2, start: 8, end: 11 },
      ],
      terms: [],
      decisive: [9, 4],
    };
    const kept = Uint8Array.from([1, 1, 1, 0, 1, 1, 1, 1, 0, 1, 1]);
    expect(withinReach(recalled, kept)).toEqual({
      ...recalled,
      start: 4,
      end: 6,
      ranges: [
        { episode: 0, start: 1, end: 3, continuedAt: 9 },
        { episode: 0, start: 4, end: 5, continuedAt: 9 },
        { episode: 2, start: 9, end: 11 },
      ],
    });
  });
});
