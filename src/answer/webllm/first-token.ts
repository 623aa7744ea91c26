import type { LogitProcessor } from '@mlc-ai/web-llm';
import type { TokenProbability } from '../letters.ts';

/** Token ids that begin an answer with a letter. */
export type LetterTokens = ReadonlyMap<number, string>;

/**
 * The tokens that each letter may be at the start of an answer: the letter, and the letter behind a space. Undefined
 * where the tokenizer has none of its own for one of them.
 */
export function letterTokens(
  encode: (text: string) => ArrayLike<number>,
  letters: readonly string[],
): LetterTokens | undefined {
  const found = new Map<number, string>();
  for (const letter of letters) {
    const own = [letter, ` ${letter}`].map(encode).filter((ids) => ids.length === 1);
    if (own.length === 0) return undefined;
    for (const ids of own) found.set(ids[0]!, letter);
  }
  return found;
}

/** Reads the scores of an answer's first token and changes nothing. web-llm's own log-probabilities stop at five. */
export class FirstTokenReader implements LogitProcessor {
  /** Of the letters' tokens, as logarithms on a common scale; empty before the first token, or if it has no scores. */
  scores: readonly TokenProbability[] = [];
  private seen = false;

  constructor(private readonly tokens: LetterTokens) {}

  processLogits(logits: Float32Array): Float32Array {
    if (this.seen) return logits;
    this.seen = true;
    const highest = Math.max(...[...this.tokens.keys()].map((id) => logits[id]!));
    if (!Number.isFinite(highest)) return logits;
    this.scores = [...this.tokens].map(([id, token]) => ({ token, logprob: logits[id]! - highest }));
    return logits;
  }

  processSampledToken(): void {}

  resetState(): void {}
}
