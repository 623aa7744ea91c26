/** A piece of text, and whether it is one of the words looked for. */
export interface Piece {
  readonly text: string;
  readonly hit: boolean;
}

/** Scripts that put no space between words: a term counts wherever it stands. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u;

/**
 * Splits `text` at the whole words or phrases among `terms`, whatever their case and white space; the pieces join
 * to `text` again.
 */
export function splitAtTerms(text: string, terms: readonly string[]): Piece[] {
  const pattern = termPattern(terms);
  if (!pattern) return [{ text, hit: false }];
  const pieces: Piece[] = [];
  let end = 0;
  for (const match of text.matchAll(pattern)) {
    if (match.index > end) pieces.push({ text: text.slice(end, match.index), hit: false });
    pieces.push({ text: match[0], hit: true });
    end = match.index + match[0].length;
  }
  if (end < text.length || pieces.length === 0) pieces.push({ text: text.slice(end), hit: false });
  return pieces;
}

function termPattern(terms: readonly string[]): RegExp | undefined {
  const words = terms.filter((term) => term.trim() !== '').sort((a, b) => b.length - a.length);
  if (words.length === 0) return undefined;
  const alternatives = words.map((word) => {
    const literal = word.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&').replace(/\s+/g, '\\s+');
    // A phrase is found wherever it stands: it may have been cut out of a longer text.
    const anywhere = UNSPACED.test(word) || /\s/.test(word);
    return anywhere ? literal : `(?<![\\p{L}\\p{N}])${literal}(?![\\p{L}\\p{N}])`;
  });
  return new RegExp(alternatives.join('|'), 'giu');
}
