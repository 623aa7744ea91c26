import type { Choice } from './answer-engine.ts';

/** A token that could begin the answer, and the natural logarithm of its probability. */
export interface TokenProbability {
  readonly token: string;
  readonly logprob: number;
}

/**
 * The likeliest of `letters` among the likeliest first tokens of an answer; a letter that is not among them counts 0.
 * Tokens that differ only in the white space around the letter are added up. Undefined when there is none of them.
 */
export function chooseByProbability(
  tokens: readonly TokenProbability[],
  letters: readonly string[],
): Choice | undefined {
  const sums = new Map(letters.map((letter) => [letter, 0]));
  for (const { token, logprob } of tokens) {
    const letter = token.replace(/[\s▁Ġ]/g, '');
    const sum = sums.get(letter);
    if (sum !== undefined) sums.set(letter, sum + Math.exp(logprob));
  }
  const total = [...sums.values()].reduce((a, b) => a + b, 0);
  if (total === 0) return undefined;
  const probabilities = Object.fromEntries([...sums].map(([letter, sum]) => [letter, sum / total]));
  const letter = letters.reduce((best, other) =>
    probabilities[other]! > probabilities[best]! ? other : best,
  );
  return { letter, how: 'probabilities', probabilities };
}

/** The letter that a free answer names ("Answer: B"), or else the first that stands alone ("B", "(B)"), or null. */
export function chooseByParsing(answer: string, letters: readonly string[]): Choice {
  const alone = new RegExp(`(?<![\\p{L}\\p{N}'’])(${letters.join('|')})(?![\\p{L}\\p{N}'’])`, 'gu');
  const named = new RegExp(`(?:[Aa]nswer|ANSWER|[Oo]ption|[Cc]hoice)\\W*(?:is\\W*)?${alone.source}`, 'u');
  const letter = named.exec(answer)?.[1] ?? [...answer.matchAll(alone)].find((match) => !isWord(match))?.[1];
  return { letter: letter ?? null, how: 'parsed' };
}

/** "A" and "I" are words of English, too, when another word follows. */
function isWord({ 0: letter, index, input }: RegExpExecArray): boolean {
  return /[AI]/.test(letter) && /^\s+\p{Ll}/u.test(input.slice(index + 1));
}
