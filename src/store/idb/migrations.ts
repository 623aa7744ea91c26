import type { IDBPDatabase, IDBPTransaction } from 'idb';

/**
 * Brings the database from one version to the next. It may await nothing but requests of `transaction`;
 * when it fails, the browser takes the whole upgrade back. A migration that was ever released is never edited:
 * a change of the schema is a new one at the end.
 */
export type Migration = (
  db: IDBPDatabase<unknown>,
  transaction: IDBPTransaction<unknown, string[], 'versionchange'>,
) => void | Promise<void>;

/** `MIGRATIONS[n]` leads from version n to version n + 1; their number is the database's version. */
export const MIGRATIONS: readonly Migration[] = [createStores];

/** Runs the migrations that lead from `oldVersion` (0: no database yet) to the newest. */
export async function migrate(
  db: IDBPDatabase<unknown>,
  transaction: IDBPTransaction<unknown, string[], 'versionchange'>,
  oldVersion: number,
  migrations: readonly Migration[],
): Promise<void> {
  for (const migration of migrations.slice(oldVersion)) await migration(db, transaction);
}

/** Version 1. */
function createStores(db: IDBPDatabase<unknown>): void {
  db.createObjectStore('threads', { keyPath: 'id' });
  db.createObjectStore('turns', { keyPath: ['threadId', 'index'] }).createIndex('hash', 'hash');
  db.createObjectStore('vectors', { keyPath: ['threadId', 'block'] });
  db.createObjectStore('episodes', { keyPath: ['threadId', 'id'] });
  db.createObjectStore('clusters', { keyPath: ['threadId', 'id'] });
  db.createObjectStore('asks', { keyPath: ['threadId', 'id'] });
  db.createObjectStore('caches', { keyPath: ['threadId', 'kind'] });
  db.createObjectStore('settings');
}
