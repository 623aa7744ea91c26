import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SkeinError } from '../../../src/core/errors.ts';
import { findJsonError, parseJson } from '../../../src/import/json.ts';

describe('where JSON is broken', () => {
  test.each([
    ['{"a": 1,}', 1, 9, 'expected a name in double quotes'],
    ['[1, 2', 1, 6, 'it ends too early; the file may be cut off'],
    ['[\n  {"a": "b" "c": 1}\n]', 2, 13, 'expected "," or "}"'],
    ['[1 2]', 1, 4, 'expected "," or "]"'],
    ['{"a" 1}', 1, 6, 'expected ":"'],
    ["{'a': 1}", 1, 2, 'expected a name in double quotes'],
    ['[1,]', 1, 4, 'expected a value'],
    ['[NaN]', 1, 2, 'expected a value'],
    ['[01]', 1, 3, 'expected "," or "]"'],
    ['{} {}', 1, 4, 'something follows after the end'],
    ['["a\nb"]', 1, 4, 'a line break or control character inside a text'],
    ['["\\x"]', 1, 4, 'an unknown escape "\\x"'],
    ['["\\u12"]', 1, 4, 'a broken \\u escape'],
    ['["ab', 1, 5, 'a text is not closed; the file may be cut off'],
    ['\n\n  ]', 3, 3, 'expected a value'],
    ['', 1, 1, 'it ends too early; the file may be cut off'],
  ])('%j', (text, line, column, problem) => {
    expect(findJsonError(text)).toEqual({ line, column, problem });
    expect(() => parseJson(text)).toThrow(
      new SkeinError('bad-file', `Not valid JSON: line ${line}, column ${column}: ${problem}.`),
    );
  });

  test('agrees with JSON.parse on what is JSON, also after any cut or swap', () => {
    const damaged = fc.tuple(
      fc.json(),
      fc.nat(),
      fc.constantFrom('', ',', '"', '}', ']', '{', '0', '\\', ' '),
    );
    fc.assert(
      fc.property(damaged, ([json, seed, insert]) => {
        const at = seed % (json.length + 1);
        for (const text of [json, json.slice(0, at), json.slice(0, at) + insert + json.slice(at + 1)]) {
          let valid = true;
          try {
            JSON.parse(text);
          } catch {
            valid = false;
          }
          expect(findJsonError(text) === undefined, text).toBe(valid);
        }
      }),
      { numRuns: 500 },
    );
  });

  test('megabytes of text and deep nesting take no recursion', () => {
    const deep = '['.repeat(200_000);
    expect(findJsonError(deep)?.column).toBe(200_001);
    expect(findJsonError(`["${'x'.repeat(3_000_000)}"`)?.column).toBe(3_000_004);
  });
});
