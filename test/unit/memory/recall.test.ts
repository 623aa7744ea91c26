import { describe, expect, test } from 'vitest';
import { FlatIndex } from '../../../src/index/flat/flat-index.ts';
import { explain } from '../../../src/memory/recall.ts';
import { ThreadViews } from '../../../src/memory/thread-views.ts';
import { vec } from './support.ts';

const QUERY = { text: 'when is the harbour fee due', vector: vec(1, 0) };

function viewsOf(turns: readonly (readonly [text: string, cosine: number])[], starts: readonly number[]) {
  const views = new ThreadViews(2, (dimension) => new FlatIndex(dimension));
  for (const [text, cosine] of turns) views.addTurn('user', text, vec(cosine, Math.sqrt(1 - cosine ** 2)));
  for (const start of starts.slice(1)) views.openEpisode(start);
  return views;
}

function explained(views: ThreadViews, episode: number) {
  return explain({ episode, score: 1, parts: {} }, QUERY, views);
}

describe('what explains a recalled episode', () => {
  test('its place', () => {
    const views = viewsOf(
      [
        ['a', 0],
        ['b', 0],
        ['c', 0],
      ],
      [0, 1],
    );
    expect(explained(views, 0)).toMatchObject({ episode: 0, start: 0, end: 1 });
    expect(explained(views, 1)).toMatchObject({ episode: 1, start: 1, end: 3 });
  });

  test("the question's rare words that it holds, rarest first", () => {
    // "harbour" stands in one turn, "fee" in two, "the" in five: more than three turns, so it tells nothing.
    const views = viewsOf(
      [
        ['the harbour fee', 0],
        ['the fee', 0],
        ['the one', 0],
        ['the two', 0],
        ['the three', 0],
      ],
      [0, 2],
    );
    expect(explained(views, 0).terms).toEqual(['harbour', 'fee']);
    expect(explained(views, 1).terms).toEqual([]);
  });

  test('the turn that fits best by meaning when no word is shared', () => {
    const views = viewsOf(
      [
        ['alpha', 0.2],
        ['beta', 0.9],
        ['gamma', 0.3],
      ],
      [0],
    );
    expect(explained(views, 0).decisive).toEqual([1]);
  });

  test('a second turn only when it comes to 0.6 of the first', () => {
    const near = viewsOf(
      [
        ['alpha', 0.9],
        ['beta', 0.55],
      ],
      [0],
    );
    expect(explained(near, 0).decisive).toEqual([0, 1]);
    const far = viewsOf(
      [
        ['alpha', 0.9],
        ['beta', 0.53],
      ],
      [0],
    );
    expect(explained(far, 0).decisive).toEqual([0]);
  });

  test('a turn that holds the rare word, before one a little nearer in meaning', () => {
    // Turn 1 holds the only matched word: its share of the rarity is 1, so 0.3 + 1 > 0.9.
    const views = viewsOf(
      [
        ['alpha', 0.9],
        ['harbour', 0.3],
        ['beta', 0.8],
      ],
      [0],
    );
    expect(explained(views, 0).decisive).toEqual([1, 0]);
  });

  test('a turn without a vector (erased) never decides', () => {
    const views = viewsOf(
      [
        ['alpha', 0.9],
        ['beta', 0.8],
      ],
      [0],
    );
    views.replaceTurn(0, '', undefined);
    expect(explained(views, 0).decisive).toEqual([1]);
    views.replaceTurn(1, '', undefined);
    expect(explained(views, 0).decisive).toEqual([]);
  });
});
