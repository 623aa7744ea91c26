import { STOP_WORDS } from './stop-words.ts';

/** Port: the things a text speaks of, as the nodes of a graph are named. HippoRAG's own is a language model. */
export interface Extractor {
  /** One list a text; equal names are one node. */
  extract(texts: readonly string[], signal?: AbortSignal): Promise<string[][]>;
}

/** Words of a noun phrase at most. */
const LONGEST = 3;

/** Where a phrase ends for sure: punctuation other than a hyphen, an apostrophe or a point within a word. */
const BREAK = /[^\p{L}\p{M}\p{N}\s'’.\-_]+|\.(?!\p{N})|\s[-–—]\s/gu;
const WORD = /[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}_]|[.-](?=[\p{L}\p{N}]))*/gu;

/**
 * Without a language model: entities and noun phrases by rule. Runs of words that no stop word or punctuation
 * parts are phrases (the last three words of a longer run), and each of their words is a name of its own: it joins
 * the phrases that share it, as HippoRAG joins synonyms. Words are lower-cased and lose a plural s.
 */
export const phraseExtractor: Extractor = {
  async extract(texts) {
    return texts.map(phrases);
  },
};

function phrases(text: string): string[] {
  const found = new Set<string>();
  for (const stretch of text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/['’]\p{L}{1,2}\b/gu, '')
    .split(BREAK)) {
    let run: string[] = [];
    for (const [word] of stretch.matchAll(WORD)) {
      if (!STOP_WORDS.has(word)) {
        run.push(singular(word));
        continue;
      }
      addRun(found, run);
      run = [];
    }
    addRun(found, run);
  }
  return [...found];
}

function addRun(found: Set<string>, run: readonly string[]): void {
  for (const word of run) found.add(word);
  if (run.length > 1) found.add(run.slice(-LONGEST).join(' '));
}

function singular(word: string): string {
  return word.length > 3 && /[^su]s$/.test(word) ? word.slice(0, -1) : word;
}
