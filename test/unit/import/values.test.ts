import { describe, expect, test } from 'vitest';
import { decodeText } from '../../../src/import/decode-text.ts';
import { asTime, asTitle } from '../../../src/import/values.ts';

describe('time', () => {
  const noon = Date.UTC(2024, 5, 1, 12);

  test.each([
    [noon / 1000, noon],
    [noon / 1000 + 0.0006, noon + 1],
    [noon, noon],
    [noon * 1000 + 400, noon],
    ['2024-06-01T12:00:00Z', noon],
    ['2024-06-01T12:00:00.000000Z', noon],
    ['2024-06-01T14:00:00+02:00', noon],
    ['2024-06-01T14:00:00+0200', noon],
    ['2024-06-01T12:00:00', noon],
    ['2024-06-01 12:00', noon],
    ['2024-06-01', noon - 12 * 3_600_000],
    [`${noon / 1000}.5`, noon + 500],
    [String(noon), noon],
    [0, undefined],
    [-5, undefined],
    [Number.NaN, undefined],
    [Number.POSITIVE_INFINITY, undefined],
    ['', undefined],
    ['yesterday', undefined],
    ['2024-13-45', undefined],
    ['10:32', undefined],
    [null, undefined],
    [{}, undefined],
    [true, undefined],
  ])('%j', (value, expected) => {
    expect(asTime(value)).toBe(expected);
  });
});

test('a title is one line of at most 120 characters without half a pair', () => {
  expect(asTitle(' a\n\tb ')).toBe('a b');
  const long = asTitle(`${'x'.repeat(118)}😀${'y'.repeat(400)}`);
  expect(long).toBe(`${'x'.repeat(118)}…`);
  expect(asTitle('\ud83d').isWellFormed()).toBe(true);
});

describe('text of bytes', () => {
  const utf16 = (text: string, littleEndian: boolean) => {
    const view = new DataView(new ArrayBuffer(text.length * 2));
    for (let i = 0; i < text.length; i++) view.setUint16(i * 2, text.charCodeAt(i), littleEndian);
    return new Uint8Array(view.buffer);
  };
  const text = '{"a": "Zürich 😀"}';

  test.each([
    ['UTF-8', new TextEncoder().encode(text)],
    ['UTF-8 with a mark', new TextEncoder().encode(`\ufeff${text}`)],
    ['UTF-16 LE with a mark', utf16(`\ufeff${text}`, true)],
    ['UTF-16 BE with a mark', utf16(`\ufeff${text}`, false)],
    ['UTF-16 LE', utf16(text, true)],
    ['UTF-16 BE', utf16(text, false)],
  ])('%s', (_, bytes) => {
    expect(decodeText(bytes)).toEqual({ text });
  });

  test('Windows-1252 and damaged JSON are read with a note', () => {
    const latin = Uint8Array.from([85, 115, 101, 114, 58, 32, 252]);
    expect(decodeText(latin)).toEqual({
      text: 'User: ü',
      note: 'read as Windows-1252, since it is not UTF-8',
    });
    const damaged = Uint8Array.from([91, 34, 255, 34, 93]);
    expect(decodeText(damaged)).toEqual({
      text: '["\ufffd"]',
      note: 'bytes that are not UTF-8 were replaced by U+FFFD',
    });
  });

  test('what is no text is refused', () => {
    expect(() => decodeText(Uint8Array.from([137, 80, 78, 71, 0, 0, 0, 13]))).toThrow(
      'This is not a text file.',
    );
  });
});
