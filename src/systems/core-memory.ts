import { estimateTokens } from '../core/tokens.ts';
import type { NewTurn } from '../core/turn.ts';
import { sentences } from './sentences.ts';

/**
 * Port: keeps MemGPT's core memory, a short block of facts about the person that always stands in the prompt.
 * MemGPT's own editor is a language model that appends and replaces.
 */
export interface CoreEditor {
  /** The block after `turns` were said. */
  edit(facts: readonly string[], turns: readonly NewTurn[], signal?: AbortSignal): Promise<readonly string[]>;
}

/** Tokens of the block. */
export const CORE_TOKENS = 200;

/** How people say what stays true of them. */
const LASTING =
  /\b(?:my name is|call me|i am an?|i'm an?|i work|i live|i was born|i prefer|i always|i never|i'm allergic|i am allergic|my (?:wife|husband|partner|son|daughter|mother|father|sister|brother|boss|dog|cat|job|birthday))\b/i;

/** Without a language model: the user's sentences of lasting facts, each once; the oldest make room for new ones. */
export const patternEditor: CoreEditor = {
  async edit(facts, turns) {
    const block = [...facts];
    for (const { role, text } of turns) {
      if (role !== 'user') continue;
      for (const sentence of sentences(text)) {
        if (!LASTING.test(sentence) || estimateTokens(sentence) > CORE_TOKENS) continue;
        const known = block.indexOf(sentence);
        if (known >= 0) block.splice(known, 1);
        block.push(sentence);
        while (estimateTokens(block.join('\n')) > CORE_TOKENS) block.shift();
      }
    }
    return block;
  },
};
