import { words } from '../index/analyzers.ts';
import type { Dialogue } from './pool.ts';

/** The words of a thread, by the dialogues that hold them. */
export class WordOwners {
  /** The one dialogue that holds a word; null for a word of several. */
  private readonly owners = new Map<string, string | null>();

  constructor(dialogues: Iterable<Dialogue>) {
    for (const { id, turns } of dialogues) {
      for (const { text } of turns) for (const word of words(text)) this.add(word, id);
    }
  }

  private add(word: string, dialogue: string): void {
    const owner = this.owners.get(word);
    if (owner === undefined) this.owners.set(word, dialogue);
    else if (owner !== dialogue) this.owners.set(word, null);
  }

  /** `question` without the words that only one of `dialogues` holds, mostly made-up names. */
  mask(question: string, dialogues: ReadonlySet<string>): string {
    const masked = question.replace(/[\p{L}\p{N}_][\p{L}\p{M}\p{N}_]*(?:['’]s\b)?/gu, (match) => {
      const word = words(match.replace(/['’]s$/u, ''))[0];
      const owner = word === undefined ? undefined : this.owners.get(word);
      return owner && dialogues.has(owner) ? '' : match;
    });
    const tidy = masked
      .replace(/[ \t]+/g, ' ')
      .replace(/ (?=[,.;:!?])/g, '')
      .trim();
    // Nothing can be asked without a word.
    return words(tidy).length > 0 ? tidy : question;
  }
}
