import { expect, test } from 'vitest';
import { asOfDay, asOfLabel, localDay, questionAsOf, withoutAsOf } from '../../../src/store/as-of.ts';
import type { AsOfChoice } from '../../../src/store/records.ts';

test('a day ends at the next midnight where the person is', () => {
  for (const day of ['2026-03-14', '2026-03-29', '2026-10-25', '2024-02-29', '2025-12-31']) {
    const choice = asOfDay(day) as Extract<AsOfChoice, { kind: 'day' }>;
    const end = new Date(choice.before);
    expect([end.getHours(), end.getMinutes(), end.getMilliseconds()]).toEqual([0, 0, 0]);
    expect(localDay(choice.before - 1)).toBe(day);
    expect(localDay(choice.before)).not.toBe(day);
  }
});

test('a question says once up to when it was asked, and can be had without', () => {
  const day = asOfDay('2026-03-04');
  expect(asOfLabel(day)).toBe('4 March 2026');
  expect(asOfLabel({ kind: 'turn', turns: 1490 })).toBe('turn 1,490');
  const told = questionAsOf('Which database?', day);
  expect(told).toBe('As of 4 March 2026: Which database?');
  expect(questionAsOf(told, day)).toBe(told);
  expect(withoutAsOf(told, day)).toBe('Which database?');
  expect(questionAsOf('Which database?', undefined)).toBe('Which database?');
  expect(withoutAsOf(told, undefined)).toBe(told);
});
