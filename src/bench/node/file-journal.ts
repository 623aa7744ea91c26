import { appendFile, readFile, truncate } from 'node:fs/promises';
import { SkeinError } from '../../core/errors.ts';
import type { Journal, JournalEntry } from '../journal.ts';

/** A journal in a file, a JSON line an entry. A line torn by a kill is cut off when the file is read. */
export class FileJournal implements Journal {
  constructor(private readonly path: string) {}

  async read(): Promise<readonly JournalEntry[]> {
    const text = await readFile(this.path, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return '';
      throw error;
    });
    const whole = text.slice(0, text.lastIndexOf('\n') + 1);
    if (whole.length < text.length) await truncate(this.path, Buffer.byteLength(whole));
    return whole
      .split('\n')
      .slice(0, -1)
      .map((line, i) => this.parse(line, i + 1));
  }

  async append(entry: JournalEntry): Promise<void> {
    await appendFile(this.path, `${JSON.stringify(entry)}\n`);
  }

  private parse(line: string, number: number): JournalEntry {
    try {
      return JSON.parse(line) as JournalEntry;
    } catch {
      throw new SkeinError(
        'bad-file',
        `${this.path}, line ${number}: this is no journal.`,
        'Name a new file.',
      );
    }
  }
}
