import { SkeinError } from '../core/errors.ts';
import type { IndexScore } from './index-score.ts';
import type { QuestionLine, QuestionTiming } from './result.ts';

/** What a run writes down as it goes, in order. */
export type JournalEntry =
  /** First of all: names the run, so that no other goes on from it. */
  | { readonly kind: 'run'; readonly key: string }
  | {
      readonly kind: 'memory';
      readonly system: string;
      readonly batch: string;
      readonly buildMs: number;
      readonly index?: IndexScore;
    }
  | {
      readonly kind: 'question';
      readonly system: string;
      readonly line: QuestionLine;
      readonly timing: QuestionTiming;
    };

/** Port: a log of finished work that outlives a crash. What was appended before is read back in order. */
export interface Journal {
  read(): Promise<readonly JournalEntry[]>;
  append(entry: JournalEntry): Promise<void>;
}

/** A journal that lasts as long as the object. */
export class MemoryJournal implements Journal {
  readonly entries: JournalEntry[] = [];

  async read(): Promise<readonly JournalEntry[]> {
    return [...this.entries];
  }

  async append(entry: JournalEntry): Promise<void> {
    this.entries.push(entry);
  }
}

/** The entries of the run `key`; starts the journal when it is empty. Rejects with `stamp-mismatch`. */
export async function openJournal(journal: Journal, key: string): Promise<readonly JournalEntry[]> {
  const [head, ...entries] = await journal.read();
  if (!head) {
    await journal.append({ kind: 'run', key });
    return [];
  }
  if (head.kind === 'run' && head.key === key) return entries;
  throw new SkeinError(
    'stamp-mismatch',
    'This journal belongs to another run.',
    'Repeat the package, systems and settings it was begun with, or start a new journal.',
  );
}
