/** Tokens a whitespace word counts for (TSIM section 4; SCALE-QA appendix B). */
export const TOKENS_PER_WORD = 1.3;

// What Python calls white space, so that counts agree with the original's.
// biome-ignore lint/suspicious/noControlCharactersInRegex: four ASCII separators are white space there.
const WORD = /[^\p{White_Space}\x1c-\x1f]+/gu;

/** Number of words of `text` that white space separates. */
export function countWords(text: string): number {
  let words = 0;
  WORD.lastIndex = 0;
  while (WORD.test(text)) words++;
  return words;
}

/** Token estimate used everywhere: 1.3 for each whitespace word, not rounded. */
export function estimateTokens(text: string): number {
  return TOKENS_PER_WORD * countWords(text);
}
