import { estimateTokens } from '../core/tokens.ts';
import { words } from '../index/analyzers.ts';
import { sentences } from './sentences.ts';
import { STOP_WORDS } from './stop-words.ts';

/** Port: writes what several texts say in about `tokens` tokens. RAPTOR's own is a language model. */
export interface Summariser {
  summarise(texts: readonly string[], tokens: number, signal?: AbortSignal): Promise<string>;
}

/**
 * Without a language model: the sentences whose words the texts use most, each word's weight squared once it has
 * been said, so that nothing is said twice (SumBasic). They stand in the order of the texts.
 */
export const extractiveSummariser: Summariser = {
  async summarise(texts, tokens) {
    const pool = candidates(texts);
    const weights = wordWeights(pool);
    const chosen: Candidate[] = [];
    let left = tokens;
    while (pool.length > 0) {
      const { content, cost } = takeBest(pool, weights, chosen);
      left -= cost;
      for (const word of content) weights.set(word, weights.get(word)! ** 2);
      for (let i = pool.length - 1; i >= 0; i--) if (pool[i]!.cost > left) pool.splice(i, 1);
    }
    chosen.sort((a, b) => a.place - b.place);
    return chosen.map(({ sentence }) => sentence).join(' ');
  },
};

interface Candidate {
  readonly sentence: string;
  readonly place: number;
  readonly cost: number;
  readonly content: readonly string[];
}

/** The sentences of the texts, each once, without those that have no content. */
function candidates(texts: readonly string[]): Candidate[] {
  return [...new Set(texts.flatMap(sentences))]
    .map((sentence, place) => ({
      sentence,
      place,
      cost: estimateTokens(sentence),
      content: [...new Set(words(sentence))].filter((word) => !STOP_WORDS.has(word)),
    }))
    .filter(({ content }) => content.length > 0);
}

/** Share of each content word in all of them. */
function wordWeights(pool: readonly Candidate[]): Map<string, number> {
  const weights = new Map<string, number>();
  let total = 0;
  for (const { content } of pool) {
    for (const word of content) weights.set(word, (weights.get(word) ?? 0) + 1);
    total += content.length;
  }
  for (const [word, count] of weights) weights.set(word, count / total);
  return weights;
}

/** Moves the sentence with the highest mean weight from `pool` to `chosen`; the earliest of equals. */
function takeBest(pool: Candidate[], weights: ReadonlyMap<string, number>, chosen: Candidate[]): Candidate {
  let best = 0;
  let bestWeight = -1;
  for (const [i, { content }] of pool.entries()) {
    const weight = content.reduce((sum, word) => sum + weights.get(word)!, 0) / content.length;
    if (weight > bestWeight) [best, bestWeight] = [i, weight];
  }
  const [taken] = pool.splice(best, 1);
  chosen.push(taken!);
  return taken!;
}
