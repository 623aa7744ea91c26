import type { Journal, JournalEntry } from '../journal.ts';
import type { LabDatabase } from './lab-database.ts';

/** A run's journal in the lab's database. It outlives the page and the worker. */
export class IdbJournal implements Journal {
  private next: number | undefined;

  constructor(
    private readonly database: LabDatabase,
    private readonly run: string,
  ) {}

  async read(): Promise<readonly JournalEntry[]> {
    const entries = await this.database.journal(this.run);
    this.next = entries.length;
    return entries;
  }

  async append(entry: JournalEntry): Promise<void> {
    this.next ??= (await this.database.journal(this.run)).length;
    await this.database.putJournalEntry(this.run, this.next, entry);
    this.next++;
  }
}
