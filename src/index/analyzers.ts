/**
 * From text to the terms of a lexical index. Texts are compared after compatibility normalisation (NFKC) and in
 * lower case, so that full-width letters, ligatures and capitals make no difference.
 */

/** Scripts that write words without spaces between them. */
const UNSPACED = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmr}\p{sc=Mymr}]/u;

const HAN = /\p{sc=Han}/u;

/** Scripts of which one character tells so much that pairs of them make better grams than longer ones. */
const DENSE_RUN = /[\p{sc=Han}\p{scx=Hira}\p{scx=Kana}\p{sc=Hang}]+/gu;

const DENSE_GRAM = 2;

/**
 * A flag, a pictograph (or several joined), or a run of letters, marks, digits and underscores.
 * Digits keep a point or comma between them. Apostrophes and points between letters separate, unlike in Unicode's
 * default rules, so that "Bob's", "l'eau" and a missing space after a full stop hide no word.
 */
const TERM = new RegExp(
  [
    '\\p{RI}{2}',
    '\\p{ExtPict}(?:\\u200d\\p{ExtPict})*',
    '[\\p{L}\\p{N}_][\\p{L}\\p{M}\\p{N}_\\u200d]*(?:(?<=\\p{Nd})[.,]\\p{Nd}[\\p{L}\\p{M}\\p{N}_]*)*',
  ].join('|'),
  'gu',
);

const PICTOGRAPH = /^[\p{RI}\p{ExtPict}]/u;

/** What only says how to show or break the text: soft hyphen, joining marks, variation selectors, skin tones. */
const INVISIBLE = /[\u00ad\u200b\u200c\u2060\ufeff\p{VS}\p{EMod}]/gu;

/**
 * The words of `text` in order. Chinese, Japanese, Thai, Lao, Khmer and Burmese are divided by Intl.Segmenter;
 * a Chinese or Japanese word of several characters is followed by its Han characters one by one, because the
 * same word may be divided otherwise in another sentence. An emoji is a word.
 */
export function words(text: string): string[] {
  const found: string[] = [];
  for (const run of runs(text)) {
    if (!UNSPACED.test(run)) {
      found.push(run);
      continue;
    }
    for (const word of segment(run)) {
      found.push(word);
      const characters = Array.from(word);
      if (characters.length > 1) found.push(...characters.filter((character) => HAN.test(character)));
    }
  }
  return found;
}

/**
 * Every `n` characters (code points) in a row inside each word of `text`; a shorter word is a gram itself.
 * No gram reaches across words. Chinese, Japanese and Korean give pairs, an emoji is a gram.
 */
export function charGrams(text: string, n = 4): string[] {
  const found: string[] = [];
  for (const run of runs(text)) {
    if (PICTOGRAPH.test(run)) {
      found.push(run);
      continue;
    }
    let from = 0;
    for (const dense of run.matchAll(DENSE_RUN)) {
      pushWordGrams(found, run.slice(from, dense.index), n);
      pushGrams(found, dense[0], Math.min(n, DENSE_GRAM));
      from = dense.index + dense[0].length;
    }
    pushWordGrams(found, run.slice(from), n);
  }
  return found;
}

function runs(text: string): string[] {
  return text.normalize('NFKC').toLowerCase().replace(INVISIBLE, '').match(TERM) ?? [];
}

function pushWordGrams(found: string[], run: string, n: number): void {
  if (run === '') return;
  if (!UNSPACED.test(run)) pushGrams(found, run, n);
  else for (const word of segment(run)) pushGrams(found, word, n);
}

function pushGrams(found: string[], word: string, n: number): void {
  if (word.length <= n) {
    found.push(word);
    return;
  }
  if (!/[\ud800-\udfff]/.test(word)) {
    for (let at = 0; at + n <= word.length; at++) found.push(word.slice(at, at + n));
    return;
  }
  const characters = Array.from(word);
  if (characters.length <= n) found.push(word);
  else for (let at = 0; at + n <= characters.length; at++) found.push(characters.slice(at, at + n).join(''));
}

let segmenter: Intl.Segmenter | undefined;

function segment(run: string): string[] {
  segmenter ??= new Intl.Segmenter('und', { granularity: 'word' });
  const found: string[] = [];
  for (const { segment, isWordLike } of segmenter.segment(run)) if (isWordLike) found.push(segment);
  return found;
}
