import { expect, test } from 'vitest';
import type { AskRecord } from '../../../src/store/records.ts';
import { Rows } from '../../../src/ui/chat/rows.ts';
import { TurnPages } from '../../../src/ui/chat/turn-pages.ts';
import {
  formatBytes,
  formatDistance,
  formatRemaining,
  formatScore,
  turnSpan,
} from '../../../src/ui/format.ts';
import { splitAtTerms } from '../../../src/ui/parts/highlight.ts';
import { partBar } from '../../../src/ui/parts/score-parts.ts';
import { formatRoute, parseRoute } from '../../../src/ui/router.ts';

const ask = (id: number, position: number): AskRecord => ({
  id,
  text: 'Question',
  askedAt: id,
  position,
  ingested: position,
  configuration: 'skein',
  episodes: [],
  milliseconds: 1,
});

test('Questions stand before the turn at their position, the one under way last', () => {
  const rows = new Rows(3, [ask(7, 3), ask(8, 1), ask(9, 1)], true);
  const keys = Array.from({ length: rows.count }, (_, row) => rows.key(row));
  expect(keys).toEqual(['t0', 'a8', 'a9', 't1', 't2', 'a7', 'pending']);
  for (const [row, key] of keys.entries()) expect(rows.rowOfKey(key)).toBe(row);
  expect(rows.rowOfKey('a99')).toBeUndefined();
  expect(rows.rowOfKey('t3')).toBeUndefined();
});

test('Words are marked whole, whatever their case and script, and nothing is lost', () => {
  const marked = (text: string, terms: string[]) =>
    splitAtTerms(text, terms)
      .map(({ text: piece, hit }) => (hit ? `[${piece}]` : piece))
      .join('');
  expect(marked('Late later LATE', ['late'])).toBe('[Late] later [LATE]');
  expect(marked('Ключ у Марты', ['ключ'])).toBe('[Ключ] у Марты');
  expect(marked('鍵は引き出しにある', ['鍵'])).toBe('[鍵]は引き出しにある');
  expect(marked('c++ (c) (', ['c++', '('])).toBe('[c++] (c) [(]');
  expect(marked('A part-time post, part time', ['part-time'])).toBe('A [part-time] post, part time');
  expect(marked('seen up to\n12  minutes late', ['to 12 minutes'])).toBe('seen up [to\n12  minutes] late');
  expect(marked('', ['a'])).toBe('');
  expect(marked('no terms', [])).toBe('no terms');
});

test('Routes survive the address', () => {
  for (const route of [
    { kind: 'home' },
    { kind: 'settings' },
    { kind: 'memory', threadId: 'a/b ü' },
    { kind: 'thread', threadId: 'x' },
    { kind: 'thread', threadId: 'x', turn: 0 },
    { kind: 'thread', threadId: 'x', turn: 122 },
  ] as const) {
    expect(parseRoute(formatRoute(route))).toEqual(route);
  }
  expect(formatRoute({ kind: 'thread', threadId: 'x', turn: 122 })).toBe('#/t/x/turn/123');
  expect(parseRoute('#/t/x/turn/0')).toEqual({ kind: 'thread', threadId: 'x' });
  expect(parseRoute('#/t/%E0%A4%A')).toEqual({ kind: 'home' });
});

test('Figures read as a person says them', () => {
  expect([999, 1_000, 24_000_000, 1_340_000_000].map(formatBytes)).toEqual([
    '999 bytes',
    '1.0 kB',
    '24 MB',
    '1.3 GB',
  ]);
  expect([0, 1, 49, 52, 987, 1_243, 48_721].map(formatDistance)).toEqual([
    'the latest turns',
    '1 turn ago',
    '49 turns ago',
    'about 50 turns ago',
    'about 990 turns ago',
    'about 1,240 turns ago',
    'about 48,700 turns ago',
  ]);
  expect([3, 42, 200, 8_000].map(formatRemaining)).toEqual([
    'a few seconds',
    'about 40 s',
    'about 3 min',
    'about 2 h 13 min',
  ]);
  expect([turnSpan(0, 1), turnSpan(11, 30)]).toEqual(['Turn 1', 'Turns 12–30']);
});

test('A part is drawn on the scale of its kind, and below zero on the other side of the zero line', () => {
  const positive = [{ words: 4 }, { words: 1 }, { words: 0 }];
  expect(positive.map(({ words }) => partBar('words', words, positive))).toEqual([
    { zero: 0, from: 0, width: 1 },
    { zero: 0, from: 0, width: 0.25 },
    { zero: 0, from: 0, width: 0 },
  ]);
  const mixed = [{ words: 3 }, { words: -1 }];
  expect(mixed.map(({ words }) => partBar('words', words, mixed))).toEqual([
    { zero: 0.25, from: 0.25, width: 0.75 },
    { zero: 0.25, from: 0, width: 0.25 },
  ]);
  expect([0.314, -1.2, -0.001].map(formatScore)).toEqual(['0.31', '−1.20', '0.00']);
});

test('Turns are read a page at a time, once, and again after a change', async () => {
  const reads: [number, number][] = [];
  let version = 'old';
  const pages = new TurnPages(
    async (from, to) => {
      reads.push([from, to]);
      return Array.from({ length: to - from }, (_, i) => ({
        index: from + i,
        role: 'user' as const,
        text: version,
      }));
    },
    () => {},
    () => {},
  );
  pages.want(60, 70);
  await expect.poll(() => pages.get(69)?.index).toBe(69);
  expect(reads).toEqual([
    [0, 64],
    [64, 128],
  ]);
  pages.want(10, 100);
  version = 'new';
  pages.invalidate(64);
  expect(pages.get(69)?.text).toBe('old');
  pages.want(60, 70);
  await expect.poll(() => pages.get(69)?.text).toBe('new');
  expect(reads).toHaveLength(3);
});
