import { describe, expect, test } from 'vitest';
import { badgeOf } from '../../../src/extension/background/badge.ts';
import { countFitting, offeredEpisode } from '../../../src/extension/host/offered.ts';
import { recallFrom } from '../../../src/extension/host/recall.ts';
import { tellingTurns } from '../../../src/extension/telling.ts';
import type { RecalledEpisode } from '../../../src/store/records.ts';

function recalled(score: number, terms: string[] = ['bee'], decisive: number[] = []): RecalledEpisode {
  return { episode: 0, start: 0, end: 9, score, parts: {}, terms, decisive };
}

const turns = (texts: readonly string[]) =>
  texts.map((text, index) => ({ index, role: 'user' as const, text, time: index }));

describe('an offered episode', () => {
  test('holds its turns word for word, erased ones left out', () => {
    const all = turns(['one', 'two', 'three']);
    const erased = { ...all[2]!, text: '', erased: true };
    expect(offeredEpisode(recalled(1), [all[0]!, all[1]!, erased])).toEqual({
      at: 1,
      turns: [
        { turn: 0, role: 'user', text: 'one' },
        { turn: 1, role: 'user', text: 'two' },
      ],
    });
    expect(offeredEpisode(recalled(1), [erased])).toBeUndefined();
  });

  test('is cut to what a message can take, the decisive turns first', () => {
    const long = turns(Array.from({ length: 9 }, (_, i) => `${i} ${'x'.repeat(2_000)}`));
    const offered = offeredEpisode(recalled(1, [], [7]), long)!;
    expect(offered.turns.map(({ turn }) => turn)).toEqual([6, 7]);
    expect(offered.turns.every(({ text }) => text.length <= 1_500)).toBe(true);
    expect(offered.telling).toBe(7);
    expect(tellingTurns(offered).map(({ turn }) => turn)).toEqual([7]);
  });
});

describe('a hint', () => {
  test('counts episodes that share a telling word and score near the best', () => {
    expect(countFitting([])).toBe(0);
    expect(countFitting([recalled(4), recalled(3), recalled(1), recalled(4, [])])).toBe(2);
    expect(countFitting([recalled(4, []), recalled(1)])).toBe(0);
  });
});

describe('recall from several threads', () => {
  const engine = {
    listThreads: async () => [{ id: 'a' }, { id: 'b' }] as never,
    readTurns: async () => [],
    recall: async (threadId: string) => {
      if (threadId === 'b') throw new Error('other embedder');
      return [recalled(1), recalled(2)];
    },
  };

  test('goes on without a thread that is gone or can not be asked', async () => {
    const found = await recallFrom(engine, ['gone', 'b', 'a'], 'bees');
    expect(found.map(({ episode }) => episode.score)).toEqual([2, 1]);
    await expect(recallFrom(engine, ['b'], 'bees')).rejects.toThrow('other embedder');
    expect(await recallFrom(engine, ['a'], '  ')).toEqual([]);
  });
});

test('the badge counts, and says when capture is paused', () => {
  expect(badgeOf({ capture: 'on', kept: 0 }).text).toBe('');
  expect(badgeOf({ capture: 'on', kept: 999 }).text).toBe('999');
  expect(badgeOf({ capture: 'on', kept: 12_345 }).text).toBe('12k');
  expect(badgeOf({ capture: 'paused', kept: 3 })).toMatchObject({
    text: 'II',
    title: expect.stringContaining('paused'),
  });
  expect(badgeOf({ capture: 'off', kept: 3 }).text).toBe('');
});
