import { describe, expect, test } from 'vitest';
import { estimateTokens } from '../../../src/core/tokens.ts';
import { FlatIndex } from '../../../src/index/flat/flat-index.ts';
import { EpisodeList } from '../../../src/memory/episode-list.ts';
import { marksOf, withMarks } from '../../../src/memory/marks.ts';
import { clusterText, recencyTag, SUMMARY_CHARACTERS, summaryText } from '../../../src/memory/summaries.ts';
import { ThreadViews } from '../../../src/memory/thread-views.ts';
import { episodeOf } from '../../../src/memory/views.ts';
import { vec, wordsOf } from './support.ts';

describe('summary text (TSIM, M2)', () => {
  const turn = (text: string, index = 0) => ({ index, role: index % 2 ? 'model' : 'user', text }) as const;

  test('recency tag, episode id, then what was said', () => {
    expect(summaryText(7, [turn('where?'), turn('here', 1)])).toBe(
      '[latest] episode 7\nuser: where?\nmodel: here',
    );
    expect(summaryText(7, [turn('where?')], 3)).toBe('[recent] episode 7\nuser: where?');
  });

  test('tags are coarse buckets of age in episodes', () => {
    expect([0, 1, 7, 8, 63, 64, 5000].map(recencyTag)).toEqual([
      'latest',
      'recent',
      'recent',
      'earlier',
      'earlier',
      'old',
      'old',
    ]);
  });

  test('is cut to 1,200 characters, a surrogate pair never in two', () => {
    expect(SUMMARY_CHARACTERS).toBe(1200);
    expect(summaryText(1, [turn('x'.repeat(5000))])).toHaveLength(1200);
    for (const shift of [0, 1]) {
      const text = summaryText(1, [turn('x'.repeat(shift) + '🙂'.repeat(2000))]);
      expect(text.isWellFormed()).toBe(true);
      expect(text.length).toBeGreaterThanOrEqual(1199);
    }
    expect(clusterText(['🙂'.repeat(599), '🙂'.repeat(9)]).isWellFormed()).toBe(true);
  });

  test('a cluster joins the summaries of its members in the order given', () => {
    expect(clusterText(['later', 'earlier'])).toBe('later\nearlier');
    expect(clusterText(['x'.repeat(900), 'y'.repeat(900)])).toHaveLength(1200);
  });
});

describe('episode list', () => {
  function listOf(tokens: readonly number[]): EpisodeList {
    const list = new EpisodeList();
    for (const [index, count] of tokens.entries()) list.addTurn(index, count);
    return list;
  }

  test('turns gather in one open episode', () => {
    expect(listOf([10, 20]).all).toEqual([{ id: 0, start: 0, end: 2, tokens: 30, closed: false }]);
  });

  test('a cut closes what stands before it and opens the rest, with their tokens', () => {
    const list = listOf([10, 20, 5]);
    list.cut(2);
    expect(list.all).toEqual([
      { id: 0, start: 0, end: 2, tokens: 30, closed: true },
      { id: 1, start: 2, end: 3, tokens: 5, closed: false },
    ]);
    list.addTurn(3, 7);
    list.cut(3);
    expect(list.all.slice(1)).toEqual([
      { id: 1, start: 2, end: 3, tokens: 5, closed: true },
      { id: 2, start: 3, end: 4, tokens: 7, closed: false },
    ]);
  });

  test('tells what changed once', () => {
    const list = listOf([10, 20]);
    list.cut(1);
    expect(list.takeChanged().map(({ id }) => id)).toEqual([0, 1]);
    expect(list.takeChanged()).toEqual([]);
    list.addTurn(2, 1);
    expect(list.takeChanged()).toEqual([{ id: 1, start: 1, end: 3, tokens: 21, closed: false }]);
  });

  test('brought back from the store it cuts as before', () => {
    const texts = [wordsOf(3), wordsOf(5), wordsOf(2)];
    const list = listOf(texts.map(estimateTokens));
    const again = new EpisodeList();
    again.restore([...list.all], texts);
    for (const each of [list, again]) each.cut(1);
    expect(again.all).toEqual(list.all);
    expect(again.takeChanged()).toHaveLength(2);
  });
});

describe('marks over a rebuild', () => {
  const episode = (start: number, end: number) => ({ id: 0, start, end, tokens: 0, closed: true });

  test('only what was pinned or forgotten is marked', () => {
    expect(
      marksOf([episode(0, 2), { ...episode(2, 5), pinned: true }, { ...episode(5, 9), forgottenAt: 77 }]),
    ).toEqual([
      { start: 2, end: 5, pinned: true },
      { start: 5, end: 9, forgottenAt: 77 },
    ]);
  });

  test('any forgotten turn makes an episode forgotten, most of a pinned stretch makes it pinned', () => {
    const forgotten = [{ start: 4, end: 8, forgottenAt: 77 }];
    expect(withMarks(episode(0, 4), forgotten)).toEqual(episode(0, 4));
    expect(withMarks(episode(0, 5), forgotten)).toMatchObject({ forgottenAt: 77 });
    const pinned = [{ start: 4, end: 8, pinned: true }];
    expect(withMarks(episode(0, 6), pinned)).toEqual(episode(0, 6));
    expect(withMarks(episode(0, 7), pinned)).toMatchObject({ pinned: true });
  });
});

describe('views of a thread', () => {
  function views(texts: readonly string[]): ThreadViews {
    const made = new ThreadViews(2, (dimension) => new FlatIndex(dimension));
    texts.forEach((text, i) => {
      made.addTurn('user', text, i % 2 ? vec(0, 1) : vec(1, 0));
    });
    return made;
  }

  test('the episode of a turn is the last that starts at or before it', () => {
    const starts = [0, 3, 4, 9];
    expect([0, 2, 3, 4, 8, 9, 100].map((turn) => episodeOf(starts, turn))).toEqual([0, 0, 1, 2, 2, 3, 3]);
  });

  test("an episode's mean is that of the turns that have a vector", () => {
    const made = views(['a', 'b', 'c']);
    made.setMean(0); // (2, 1) / sqrt 5
    expect([...made.episodes.get(0)!]).toEqual([...vec(2 / Math.sqrt(5), 1 / Math.sqrt(5))]);
    made.replaceTurn(1, '', undefined);
    made.setMean(0);
    expect([...made.episodes.get(0)!]).toEqual([1, 0]);
    for (const turn of [0, 2]) made.replaceTurn(turn, '', undefined);
    made.setMean(0);
    expect(made.episodes.get(0)).toBeUndefined();
  });

  test('the lexical cache brings back the words of its turns', () => {
    const made = views(['red apple', 'green pear', '']);
    const again = new ThreadViews(2, (dimension) => new FlatIndex(dimension));
    again.restore(vec(1, 0, 0, 1, 1, 0, 0, 1), [{ id: 0, start: 0, end: 4, tokens: 0, closed: false }]);
    expect(again.restoreTexts(structuredClone(made.lexicalCache()))).toBe(3);
    expect([...again.words.scoreGroups('pear', [0, 1, 2])]).toEqual([
      ...made.words.scoreGroups('pear', [0, 1, 2]),
    ]);
    expect(again.exchanges).toEqual(made.exchanges);
    expect([0, 1, 2].map((turn) => again.tokensOf(turn))).toEqual([2.6, 2.6, 0]);
  });

  test('an exchange begins where a user speaks and where an episode does', () => {
    const made = new ThreadViews(2, (dimension) => new FlatIndex(dimension));
    for (const role of ['model', 'user', 'model', 'model', 'user'] as const)
      made.addTurn(role, 'x', vec(1, 0));
    made.openEpisode(3);
    expect(made.exchanges).toEqual([0, 1, 3, 4]);
  });

  test('a cache that does not fit is not taken', () => {
    const cache = views(['red apple', 'green pear', 'blue plum']).lexicalCache();
    const shorter = views(['red apple', 'green pear']).lexicalCache();
    for (const bad of [
      undefined,
      null,
      'text',
      {},
      { ...cache, turns: 2 },
      { ...cache, turns: Number.NaN },
      { ...cache, words: undefined },
      // As it was written before there were exchanges.
      { turns: cache.turns, words: cache.words, grams: cache.grams },
      { ...cache, tokens: shorter.tokens },
      { ...cache, grams: shorter.grams },
    ]) {
      const again = new ThreadViews(2, (dimension) => new FlatIndex(dimension));
      again.restore(vec(1, 0, 0, 1, 1, 0), [{ id: 0, start: 0, end: 3, tokens: 0, closed: false }]);
      expect(again.restoreTexts(bad)).toBe(0);
      expect(again.words.documents).toBe(0);
    }
    const fewer = new ThreadViews(2, (dimension) => new FlatIndex(dimension));
    fewer.restore(vec(1, 0, 0, 1), [{ id: 0, start: 0, end: 2, tokens: 0, closed: false }]);
    expect(fewer.restoreTexts(cache)).toBe(0);
  });

  test('a stored zero vector (erased turn) is no item of the raw view', () => {
    const made = new ThreadViews(2, (dimension) => new FlatIndex(dimension));
    made.restore(vec(1, 0, 0, 0, 0, 1), [{ id: 0, start: 0, end: 3, tokens: 0, closed: false }]);
    expect(made.turns.get(1)).toBeUndefined();
    expect(made.turns.size).toBe(2);
    expect(made.size).toBe(3);
  });
});
