import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { words } from '../../../src/index/analyzers.ts';
import { Bm25Index } from '../../../src/index/bm25.ts';
import { bestFirst } from '../../../src/memory/best-first.ts';
import type { Exchanges } from '../../../src/memory/exchanges.ts';
import { type MatterScoring, matterScores } from '../../../src/memory/matter-scores.ts';
import { scoreColumns } from '../../../src/memory/score-columns.ts';
import { TermTies } from '../../../src/memory/term-ties.ts';

const MATTER: MatterScoring = {
  weight: 2,
  seeds: 2,
  sharpness: 1,
  exchangeWeight: 10,
  agreement: 0.15,
  leastEpisodes: 4,
};

interface Part {
  readonly text: string;
  readonly fit: number;
  readonly episode: number;
  readonly eligible?: boolean;
}

/** Words weigh alike, however rare; those that stand in one part only tie nothing. */
function scored(parts: readonly Part[], constants: Partial<MatterScoring> = {}) {
  const index = new Bm25Index(words);
  for (const [id, { text }] of parts.entries()) index.set(id, text);
  const starts = parts.map((_, i) => i);
  const tying = { commonShare: 1, power: 0 };
  const episodeStarts = starts.filter((x) => x === 0 || parts[x]!.episode !== parts[x - 1]!.episode);
  const ties = {
    episodes: new TermTies(index.termGroups(episodeStarts), tying),
    exchanges: new TermTies(index.termGroups(starts), tying),
  };
  const exchanges: Exchanges = {
    starts,
    size: parts.length,
    ends: Int32Array.from(starts, (start) => start + 1),
    episodes: Int32Array.from(parts, ({ episode }) => episode),
    tokens: new Float64Array(parts.length).fill(10),
    eligible: Uint8Array.from(parts, ({ eligible = true }) => (eligible ? 1 : 0)),
    common: { values: new Float64Array(parts.length), mean: 0, deviation: 0 },
  };
  const fit = Float64Array.from(parts, (part) => part.fit);
  return matterScores(fit, exchanges, ties, { ...MATTER, ...constants }, scoreColumns(parts.length));
}

const one = (text: string, fit: number, episode: number): Part => ({ text, fit, episode });

describe('the matter', () => {
  // Two speakers with voices of 3/4 and 1/4, tied in full; the third part shares one of their two words.
  const agreeing = [
    one('gwenda rota', Math.log(3), 0),
    one('gwenda rota', 0, 1),
    one('gwenda', -9, 2),
    one('x', -9, 3),
  ];

  test('an exchange gets the root of its ties to the leads, by their voices', () => {
    const { byExchange } = scored(agreeing);
    // Ties: 1, 1, 1 / sqrt 2 and 0.
    expect(byExchange[0]).toBeCloseTo(10, 5);
    expect(byExchange[1]).toBeCloseTo(10, 5);
    expect(byExchange[2]).toBeCloseTo(10 * 2 ** -0.25, 5);
    expect(byExchange[3]).toBe(0);
  });

  test('an episode gets the standard score of the root of its ties', () => {
    const { byEpisode } = scored(agreeing);
    const roots = [1, 1, 2 ** -0.25, 0];
    const mean = roots.reduce((sum, x) => sum + x, 0) / 4;
    const deviation = Math.sqrt(roots.reduce((sum, x) => sum + (x - mean) ** 2, 0) / 4);
    roots.forEach((root, x) => {
      expect(byEpisode[x]).toBeCloseTo((2 * (root - mean)) / deviation, 5);
    });
  });

  test('ties of exchanges count for as much as the speakers are tied to each other', () => {
    expect(scored(agreeing, { agreement: 2 }).byExchange[0]).toBeCloseTo(5, 5);
    const apart = [
      one('gwenda rota', 1, 0),
      one('choir key', 1, 1),
      one('gwenda rota', -9, 2),
      one('choir key', -9, 3),
    ];
    expect([...scored(apart).byExchange]).toEqual([0, 0, 0, 0]);
    expect([...scored(agreeing, { seeds: 1 }).byExchange]).toEqual([0, 0, 0, 0]);
    expect([...scored(agreeing, { leastEpisodes: 5 }).byExchange]).toEqual([0, 0, 0, 0]);
  });

  test('the mean tie of speakers is weighed by both voices', () => {
    // Voices 1/2, 1/4, 1/4; the first two are tied in full, the third to nobody: (1/8) / (1/8 + 1/8 + 1/16) = 0.4.
    const three = [
      one('gwenda rota', Math.log(2), 0),
      one('gwenda rota', 0, 1),
      one('choir', 0, 2),
      one('choir', -9, 3),
    ];
    const { byExchange } = scored(three, { seeds: 3, agreement: 0.8 });
    // The first two have ties of 3/4: 10 x (0.4 / 0.8) x sqrt(0.75).
    expect(byExchange[0]).toBeCloseTo(5 * Math.sqrt(0.75), 5);
    expect(byExchange[3]).toBeCloseTo(5 * Math.sqrt(0.25), 5);
  });

  test('of an episode, the exchange that fits best is the lead; what may not be recalled neither speaks nor gets', () => {
    const parts: Part[] = [
      one('choir', -1, 0),
      one('gwenda rota', 2, 0),
      one('gwenda rota', 2, 1),
      { text: 'gwenda rota', fit: 99, episode: 2, eligible: false },
      one('choir', -9, 3),
      one('key', -9, 4),
    ];
    const { byExchange, byEpisode } = scored(parts);
    expect(byExchange[1]).toBeCloseTo(10, 5);
    expect(byExchange[0]).toBe(0);
    expect(byExchange[3]).toBe(0);
    expect(byEpisode[3]).toBe(0);
    // Its episode is tied over the word that it shares, itself to no lead.
    expect(byEpisode[4]).toBeGreaterThan(byEpisode[5]!);
    expect(byExchange[4]).toBe(0);
  });

  test('nothing at all is scored without an error', () => {
    expect([...scored([]).byExchange]).toEqual([]);
    expect([...scored([{ ...one('a', 1, 0), eligible: false }]).byEpisode]).toEqual([0]);
  });
});

describe('best first', () => {
  test('a candidate whose value fell goes back to its place', () => {
    const values = [9, 8, 7, 6];
    const seen: number[] = [];
    for (const candidate of bestFirst([0, 1, 2, 3], (c) => values[c]!)) {
      seen.push(candidate);
      if (candidate === 0) values[1] = 6.5;
    }
    expect(seen).toEqual([0, 2, 1, 3]);
  });

  test('hands out what a search for the best would, while values fall', () => {
    const kinds = fc.array(fc.record({ kind: fc.nat(3), value: fc.integer({ min: 1, max: 1000 }) }), {
      maxLength: 30,
    });
    fc.assert(
      fc.property(kinds, (items) => {
        const order = items.map((_, i) => i).sort((a, b) => items[b]!.value - items[a]!.value || a - b);
        const walk = (next: (worth: (c: number) => number) => Iterable<number>) => {
          const taken = [0, 0, 0, 0];
          const worth = (c: number) => items[c]!.value / (1 + taken[items[c]!.kind]!);
          const values: number[] = [];
          for (const c of next(worth)) {
            values.push(worth(c));
            taken[items[c]!.kind]!++;
          }
          return values;
        };
        const searched = function* (worth: (c: number) => number) {
          const left = new Set(order);
          while (left.size > 0) {
            const best = [...left].reduce((a, b) => (worth(b) > worth(a) ? b : a));
            left.delete(best);
            yield best;
          }
        };
        expect(walk((worth) => bestFirst(order, worth))).toEqual(walk(searched));
      }),
    );
  });
});
