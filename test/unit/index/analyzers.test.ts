import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { charGrams, words } from '../../../src/index/analyzers.ts';

describe('words', () => {
  it.each([
    ['The fox, the FOX!', ['the', 'fox', 'the', 'fox']],
    ["Bob's l’eau a.End", ['bob', 's', 'l', 'eau', 'a', 'end']],
    ['pi is 3.14, max_tokens=1,200.', ['pi', 'is', '3.14', 'max_tokens', '1,200']],
    ['Привет, МИР! ёлка', ['привет', 'мир', 'ёлка']],
    ['ＦＵＬＬ ﬁne co\u00adoperate', ['full', 'fine', 'cooperate']],
    ['naïve nai\u0308ve', ['naïve', 'naïve']],
    ['서울에서 만나요', ['서울에서', '만나요']],
    ['👍🏽 ok 👩‍💻 ❤️ ❤ 🇩🇪🇫🇷', ['👍', 'ok', '👩‍💻', '❤', '❤', '🇩🇪', '🇫🇷']],
    ['', []],
    ['… — !?', []],
  ])('of %j', (text, expected) => {
    expect(words(text)).toEqual(expected);
  });

  it('divides scripts without spaces, and gives each Han character too', () => {
    expect(words('我在东京吃拉面')).toEqual(expect.arrayContaining(['东京', '东', '京', '拉面', '面']));
    expect(words('東京でねこを買った')).toEqual(expect.arrayContaining(['東京', '京', '買']));
    expect(words('猫')).toEqual(['猫']);
    expect(words('สวัสดีครับ')).toEqual(['สวัสดี', 'ครับ']);
    expect(words('iPhoneを5台')).toEqual(expect.arrayContaining(['iphone', '5', '台']));
  });
});

describe('charGrams', () => {
  it.each([
    ['Waters, to be', ['wate', 'ater', 'ters', 'to', 'be']],
    ['Привет', ['прив', 'риве', 'ивет']],
    ['東京都庁', ['東京', '京都', '都庁']],
    ['서울에서', ['서울', '울에', '에서']],
    ['👨‍👩‍👧 𠮷', ['👨‍👩‍👧', '𠮷']],
    ['𐐨𐐩𐐪𐐫𐐬', ['𐐨𐐩𐐪𐐫', '𐐩𐐪𐐫𐐬']],
  ])('of %j', (text, expected) => {
    expect(charGrams(text)).toEqual(expected);
  });

  it('takes another length', () => {
    expect(charGrams('abcd', 3)).toEqual(['abc', 'bcd']);
  });
});

describe.each([words, charGrams])('%o', (analyzer) => {
  it('never splits a surrogate pair and drops lone surrogates', () => {
    const text = fc.string({
      unit: fc.oneof(fc.string({ unit: 'binary', maxLength: 3 }), fc.constant('\ud83d')),
    });
    fc.assert(
      fc.property(text, (text) => {
        for (const term of analyzer(text)) {
          expect(term.isWellFormed()).toBe(true);
          expect(term).not.toBe('');
        }
      }),
      { numRuns: 300 },
    );
  });

  it('does not mind case and width', () => {
    expect(analyzer('Ｔｏｋｙｏ TOWER')).toEqual(analyzer('tokyo tower'));
  });
});
