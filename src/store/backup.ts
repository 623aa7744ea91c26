import { abortedError, SkeinError, throwIfAborted, toSkeinError } from '../core/errors.ts';
import { type Progress, ProgressMeter } from '../core/progress.ts';
import type { ImportReport } from '../import/contract.ts';
import { ImportAccount } from './backup-account.ts';
import {
  BACKUP_FORMAT,
  BACKUP_MAGIC,
  BACKUP_VERSION,
  type BackupHeader,
  claimedKind,
  decodeLine,
  encodeLine,
} from './backup-lines.ts';
import { packLines, readLines } from './backup-stream.ts';
import { ThreadCollector } from './backup-thread.ts';
import type { SkeinDatabase } from './idb/database.ts';
import type { ThreadRecord } from './records.ts';

export { isBackup } from './backup-stream.ts';

export interface BackupOptions {
  readonly signal?: AbortSignal;
  /** For an export in threads, for an import in bytes of the file. */
  readonly onProgress?: (progress: Progress) => void;
}

/** What an import made: the new threads, and an account of every thread and turn in the file. */
export interface ImportedBackup {
  readonly threads: readonly ThreadRecord[];
  readonly report: ImportReport;
}

/**
 * Some threads (all unless told) as one file: JSON lines in gzip, with everything that is stored of them but
 * caches. One thread at a time is held in memory, each as it is at one moment.
 * Errors: `not-found`, `aborted`, and those of the database.
 */
export async function exportBackup(
  db: SkeinDatabase,
  threadIds?: readonly string[],
  options: BackupOptions = {},
): Promise<Blob> {
  const ids = threadIds ?? (await db.listThreads()).map((thread) => thread.id);
  return packLines(backupLines(db, ids, options));
}

/**
 * Adds the threads of a backup, each in one transaction, under a new id where its own is taken. A line that can't
 * be read is named in the report and costs only itself: a lost turn leaves an erased one in its place, and a lost
 * episode or vector has the thread's memory rebuilt. Aborting removes what was added.
 * Errors: `unknown-format` for another kind of file, `aborted`, and those of the database except `quota`, which
 * fails the threads that don't fit.
 */
export async function importBackup(
  db: SkeinDatabase,
  file: Blob & { readonly name?: string },
  options: BackupOptions = {},
): Promise<ImportedBackup> {
  const importer = new BackupImporter(db, file.name ?? 'backup');
  try {
    await importer.run(file, options);
  } catch (error) {
    if (options.signal?.aborted) {
      await importer.undo();
      throw abortedError();
    }
    throw error;
  }
  return { threads: importer.threads, report: importer.account.report() };
}

async function* backupLines(
  db: SkeinDatabase,
  ids: readonly string[],
  { signal, onProgress }: BackupOptions,
): AsyncGenerator<string> {
  const header: BackupHeader = {
    format: BACKUP_FORMAT,
    version: BACKUP_VERSION,
    madeAt: Date.now(),
    threads: ids.length,
  };
  yield JSON.stringify(header);
  const meter = new ProgressMeter(ids.length);
  for (const [n, id] of ids.entries()) {
    throwIfAborted(signal);
    onProgress?.(meter.at(n));
    const { thread, turns, episodes, clusters, asks, blocks } = await db.readThread(id);
    const counts = {
      turns: turns.length,
      episodes: episodes.length,
      clusters: clusters.length,
      asks: asks.length,
      vectors: blocks.length,
    };
    yield encodeLine({ kind: 'thread', thread, counts });
    // What can't be made again comes first, in case the file is cut off.
    for (const turn of turns) yield encodeLine({ kind: 'turn', turn });
    for (const ask of asks) yield encodeLine({ kind: 'ask', ask });
    for (const episode of episodes) yield encodeLine({ kind: 'episode', episode });
    for (const cluster of clusters) yield encodeLine({ kind: 'cluster', cluster });
    for (const block of blocks) yield encodeLine({ kind: 'vectors', block });
  }
  yield encodeLine({ kind: 'end' });
  onProgress?.(meter.at(ids.length));
}

/** Reads a backup line by line and adds each thread as soon as it is complete. */
class BackupImporter {
  readonly threads: ThreadRecord[] = [];
  readonly account = new ImportAccount();
  private current: ThreadCollector | undefined;
  private line = 0;
  private ended = false;

  constructor(
    private readonly db: SkeinDatabase,
    private readonly fileName: string,
  ) {}

  async run(file: Blob, { signal, onProgress }: BackupOptions): Promise<void> {
    const meter = new ProgressMeter(file.size);
    const lines = readLines(file, (bytes) => onProgress?.(meter.at(bytes)));
    try {
      for await (const text of lines) {
        throwIfAborted(signal);
        this.line++;
        if (this.line === 1) checkHeader(text, this.fileName);
        else if (text !== '') await this.take(text);
      }
    } catch (error) {
      if (error instanceof SkeinError) throw error;
      if (this.line === 0) throw notABackup(this.fileName, error);
      // Unpacking fails where the file is damaged or cut off; what was read up to there counts.
      this.lose(this.line + 1, `the file is damaged or cut off here (${toSkeinError(error).message})`);
      this.ended = true;
    }
    if (this.line === 0) throw notABackup(this.fileName);
    if (!this.ended) this.lose(this.line + 1, 'the file ends here, before its last line');
    await this.finishThread();
  }

  /** Removes the threads added so far. */
  async undo(): Promise<void> {
    for (const thread of this.threads) await this.db.deleteThread(thread.id);
  }

  private async take(text: string): Promise<void> {
    const kind = claimedKind(text);
    if (kind === 'thread' || kind === 'end') await this.finishThread();
    try {
      const line = decodeLine(text);
      if (line.kind === 'thread') this.current = new ThreadCollector(line.thread, line.counts);
      else if (line.kind === 'end') this.ended = true;
      else this.collector().add(line);
    } catch (error) {
      this.lose(this.line, toSkeinError(error).message, kind === 'turn' ? 1 : 0);
      if (kind === 'turn') this.collector().loseTurn();
    }
  }

  private lose(line: number, reason: string, turns = 0): void {
    this.account.problem(`${this.fileName}, line ${line}`, `It can't be read: ${reason}.`, turns);
  }

  /** The thread that a line belongs to; one whose own line was lost is gathered under a new name. */
  private collector(): ThreadCollector {
    this.current ??= ThreadCollector.recovered();
    return this.current;
  }

  private async finishThread(): Promise<void> {
    const collector = this.current;
    this.current = undefined;
    if (!collector) return;
    const { snapshot, found, imported, losses } = collector.finish();
    const place = `${this.fileName}, thread "${snapshot.thread.name}"`;
    for (const { reason, turns } of losses) this.account.problem(place, reason, turns);
    try {
      this.threads.push(await this.db.addThread(snapshot));
      this.account.addedThread(found, imported);
    } catch (error) {
      if (!(error instanceof SkeinError && error.code === 'quota')) throw error;
      this.account.problem(place, `${error.message} ${error.remedy}`, imported);
      this.account.lostThread(found);
    }
  }
}

function checkHeader(text: string, fileName: string): void {
  if (!text.startsWith(BACKUP_MAGIC)) throw notABackup(fileName);
  const header = parseHeader(text, fileName);
  if (header.version === BACKUP_VERSION) return;
  throw new SkeinError(
    'unknown-format',
    `${fileName} is a backup of version ${header.version}; this page reads version ${BACKUP_VERSION}.`,
    'Reload the page to get the newest Skein, then import it again.',
  );
}

function parseHeader(text: string, fileName: string): BackupHeader {
  try {
    return JSON.parse(text) as BackupHeader;
  } catch (error) {
    throw notABackup(fileName, error);
  }
}

function notABackup(fileName: string, cause?: unknown): SkeinError {
  return new SkeinError(
    'unknown-format',
    `${fileName} is not a backup that Skein wrote, or its beginning is damaged.`,
    'Choose a file that was exported from Skein.',
    { cause },
  );
}
