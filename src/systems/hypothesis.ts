import { words } from '../index/analyzers.ts';
import { sentences } from './sentences.ts';
import { STOP_WORDS } from './stop-words.ts';

/**
 * Port: writes the passage that an answer might be found in, which is then searched for (HyDE). The paper's is a
 * language model; it sees the question alone and may leave `passages` aside.
 */
export interface Hypothesiser {
  /** @param passages the best of a first search, best first. */
  write(question: string, passages: readonly string[], signal?: AbortSignal): Promise<string>;
}

/** Sentences that follow the question in the passage. */
const SENTENCES = 3;

/**
 * Without a language model: the question, and from the first passages the sentences that share most words with it.
 * So the passage speaks the thread's own words (pseudo relevance feedback).
 */
export const extractiveHypothesiser: Hypothesiser = {
  async write(question, passages) {
    const wanted = contentWords(question);
    const scored = passages.flatMap(sentences).map((sentence, place) => {
      const found = contentWords(sentence);
      let shared = 0;
      for (const word of found) if (wanted.has(word)) shared++;
      return { sentence, place, score: shared / Math.sqrt(1 + found.size) };
    });
    scored.sort((a, b) => b.score - a.score || a.place - b.place);
    return [question, ...scored.slice(0, SENTENCES).map(({ sentence }) => sentence)].join('\n');
  },
};

function contentWords(text: string): Set<string> {
  return new Set(words(text).filter((word) => !STOP_WORDS.has(word)));
}
