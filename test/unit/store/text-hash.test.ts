import { expect, test } from 'vitest';
import { textHash } from '../../../src/store/text-hash.ts';

test('a hash is a safe integer that depends on the text alone', () => {
  for (const text of ['', 'a', 'ok, thanks', 'привет', '👋🏽', 'x'.repeat(100_000)]) {
    expect(Number.isSafeInteger(textHash(text))).toBe(true);
    expect(textHash(text)).toBeGreaterThanOrEqual(0);
    expect(textHash(`${text} `.slice(0, -1))).toBe(textHash(text));
  }
});

test('small differences change it: 200,000 texts alike have as many hashes', () => {
  const hashes = new Set<number>();
  for (let i = 0; i < 100_000; i++) {
    hashes.add(textHash(`turn ${i}`));
    hashes.add(textHash(`${i} turn`));
  }
  expect(hashes.size).toBe(200_000);
});

test('its bits are spread over the whole range', () => {
  const buckets = new Int32Array(16);
  for (let i = 0; i < 16_000; i++) buckets[Math.floor((textHash(`text ${i}`) / 2 ** 53) * 16)]!++;
  for (const count of buckets) expect(Math.abs(count - 1000)).toBeLessThan(200);
});
