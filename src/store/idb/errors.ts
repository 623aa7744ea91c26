import { SkeinError } from '../../core/errors.ts';

/** `error` of an IndexedDB transaction as a SkeinError that says what to do. */
export function storageError(error: unknown): SkeinError {
  if (error instanceof SkeinError) return error;
  const cause = { cause: error };
  switch (nameOf(error)) {
    case 'QuotaExceededError':
      return new SkeinError(
        'quota',
        'The browser has no space left for Skein, so this was not saved. What was saved before is unchanged.',
        'Delete threads or downloaded models that you no longer need, or free space on the disk, then try again.',
        cause,
      );
    case 'InvalidStateError':
    case 'AbortError':
    case 'TransactionInactiveError':
      return new SkeinError(
        'storage-closed',
        'The browser closed the storage before it confirmed that this was done.',
        'Look whether it was saved, then try again; if it happens again, reload the page.',
        cause,
      );
    case 'DataCloneError':
      return new SkeinError(
        'bad-argument',
        `This cannot be stored: ${messageOf(error)}`,
        'Nothing was stored.',
        cause,
      );
    default:
      return new SkeinError(
        'internal',
        `The browser's storage failed: ${messageOf(error)}`,
        'Reload the page. If it stays, export your threads and erase the data of this site.',
        cause,
      );
  }
}

/** `error` of opening the database as a SkeinError that says what to do. */
export function openError(error: unknown): SkeinError {
  if (error instanceof SkeinError) return error;
  switch (nameOf(error)) {
    case 'VersionError':
      return new SkeinError(
        'storage-newer',
        'The stored threads were written by a newer version of Skein than this page.',
        'Reload the page to get the newest version. Nothing was changed.',
        { cause: error },
      );
    case 'QuotaExceededError':
      return storageError(error);
    default:
      return new SkeinError(
        'storage-unavailable',
        `The browser does not let Skein store anything here (${messageOf(error)}).`,
        'Leave private browsing, allow this site to store data, or free space on the disk; then reload the page.',
        { cause: error },
      );
  }
}

/** An upgrade waits for a tab that does not close its connection. */
export function blockedError(): SkeinError {
  return new SkeinError(
    'storage-blocked',
    'Another tab with an older version of Skein keeps the storage from being updated.',
    'Close the other tabs of Skein, then try again here. Nothing is lost.',
  );
}

/** This tab gave way to another one that upgrades (`deleted` false) or deletes the database. */
export function supersededError(deleted: boolean): SkeinError {
  return deleted
    ? new SkeinError('storage-closed', 'The storage was deleted in another tab.', 'Reload this page.')
    : new SkeinError(
        'storage-closed',
        'A newer version of Skein is open in another tab.',
        'Reload this page to get the newer version here too. Everything that was saved is kept.',
      );
}

/** The database was closed by `close()`. */
export function closedError(): SkeinError {
  return new SkeinError('storage-closed', 'The storage was closed.', 'Reload the page.');
}

function nameOf(error: unknown): string {
  return error instanceof Error || error instanceof DOMException ? error.name : '';
}

function messageOf(error: unknown): string {
  return error instanceof Error || error instanceof DOMException ? error.message : String(error);
}
