import type { ChatMessage } from '../answer-engine.ts';

/** What a chat template adds: at the start, and for each message its role and marks. */
const START = 8;
const PER_MESSAGE = 8;

/** Letters of a token, at the least. */
const LETTERS = 4;

/** A word; a space that belongs to the word or mark behind it; a digit, mark or other white space; anything else. */
const PIECES = /([A-Za-z]+)|( (?=[A-Za-z!-/:-@]))|([!-~]|\s+)|([\s\S])/gu;

/**
 * Tokens of a prompt whose tokenizer is not at hand, on the safe side: a word counts one token for every four letters
 * begun, each digit and mark one, each character of another script two, each emoji four. Measured against SmolLM2's
 * tokenizer, which needs more tokens than most, it says a quarter too many, and for no eight turns in a row too few
 * (docs/local-models.md).
 */
export function estimatePromptTokens(messages: readonly ChatMessage[]): number {
  return messages.reduce((sum, { content }) => sum + PER_MESSAGE + estimate(content), START);
}

function estimate(text: string): number {
  let tokens = 0;
  for (const [, word, space, , other] of text.matchAll(PIECES)) {
    if (word !== undefined) tokens += Math.ceil(word.length / LETTERS);
    else if (other !== undefined) tokens += other.codePointAt(0)! > 0xffff ? 4 : 2;
    else if (space === undefined) tokens += 1;
  }
  return tokens;
}
