import type { Progress } from '../core/progress.ts';
import type { NewTurn } from '../core/turn.ts';
import { unreachable } from '../core/unreachable.ts';
import type { ImportedConversation } from '../import/contract.ts';
import { importFiles } from '../import/import-files.ts';
import { mergeByTime } from '../import/merge.ts';
import { importBackup, isBackup } from '../store/backup.ts';
import type { SkeinDatabase } from '../store/idb/database.ts';
import type { ImportOutcome, ImportTarget } from './contract.ts';
import { addReports } from './import-totals.ts';

export interface ImportRun {
  readonly database: SkeinDatabase;
  readonly target: ImportTarget;
  readonly signal?: AbortSignal;
  readonly onProgress: (file: string, progress: Progress) => void;
}

/** Bytes that tell a backup from other files. */
const SNIFF_BYTES = 1024;

/**
 * Reads files of any known kind and stores what they hold: chat exports as `target` says, Skein's own backups as
 * the threads they were. Resolves with one account of all files and the threads that were made or grew.
 */
export async function runImport(files: readonly File[], run: ImportRun): Promise<ImportOutcome> {
  const { backups, exports } = await sortOut(files);
  const restored = await Promise.all(backups.map((file) => restoreBackup(file, run)));
  const read = exports.length > 0 ? await readExports(exports, run) : undefined;
  return {
    report: addReports([...restored.map((r) => r.report), ...(read ? [read.report] : [])]),
    threadIds: [...restored.flatMap((r) => r.threadIds), ...(read?.threadIds ?? [])],
  };
}

async function sortOut(files: readonly File[]): Promise<{ backups: File[]; exports: File[] }> {
  const backups: File[] = [];
  const exports: File[] = [];
  for (const file of files) {
    const head = new Uint8Array(await file.slice(0, SNIFF_BYTES).arrayBuffer());
    ((await isBackup(head)) ? backups : exports).push(file);
  }
  return { backups, exports };
}

async function restoreBackup(
  file: File,
  { database, signal, onProgress }: ImportRun,
): Promise<ImportOutcome> {
  const { threads, report } = await importBackup(database, file, {
    signal,
    onProgress: (progress) => onProgress(file.name, progress),
  });
  return { report, threadIds: threads.map((thread) => thread.id) };
}

async function readExports(files: readonly File[], run: ImportRun): Promise<ImportOutcome> {
  const { conversations, report } = await importFiles(files, {
    signal: run.signal,
    onProgress: (progress) => run.onProgress(labelOf(files), progress),
  });
  return { report, threadIds: await store(conversations, run) };
}

function labelOf(files: readonly File[]): string {
  return files.length === 1 ? files[0]!.name : `${files.length} files`;
}

async function store(conversations: readonly ImportedConversation[], run: ImportRun): Promise<string[]> {
  const { database, target } = run;
  if (conversations.length === 0) return [];
  switch (target.kind) {
    case 'append':
      return [await append(database, target.threadId, mergeByTime(conversations))];
    case 'one-thread': {
      const { id } = await database.createThread(target.name);
      return [await append(database, id, mergeByTime(conversations))];
    }
    case 'thread-each': {
      const ids: string[] = [];
      for (const { title, turns } of conversations) {
        const { id } = await database.createThread(title);
        ids.push(await append(database, id, turns));
      }
      return ids;
    }
    default:
      return unreachable(target);
  }
}

async function append(database: SkeinDatabase, threadId: string, turns: readonly NewTurn[]): Promise<string> {
  await database.getThreadStore(threadId).append(turns);
  return threadId;
}
