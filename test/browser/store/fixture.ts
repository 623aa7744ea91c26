import { deleteDB, openDB } from 'idb';
import type { ConnectionOptions } from '../../../src/store/idb/connection.ts';
import { SkeinDatabase } from '../../../src/store/idb/database.ts';

/** A database of its own for one test; `end` closes every connection to it and deletes it. */
export class TestDatabase {
  readonly name = `test-${crypto.randomUUID()}`;
  private readonly opened: SkeinDatabase[] = [];

  async open(options: ConnectionOptions = {}): Promise<SkeinDatabase> {
    const db = await SkeinDatabase.open({ name: this.name, ...options });
    this.opened.push(db);
    return db;
  }

  async end(): Promise<void> {
    for (const db of this.opened) db.close();
    await deleteDB(this.name);
  }

  /** Every record of every store, as text: vectors as their numbers, index keys included. */
  async dump(): Promise<string> {
    const raw = await openDB(this.name);
    const stores: Record<string, unknown> = {};
    for (const name of raw.objectStoreNames) {
      const tx = raw.transaction(name);
      const { store } = tx;
      stores[name] = [await store.getAllKeys(), await store.getAll()];
      for (const index of store.indexNames) {
        const keys: IDBValidKey[] = [];
        let cursor = await store.index(index).openKeyCursor();
        for (; cursor; cursor = await cursor.continue()) keys.push(cursor.key);
        stores[`${name}/${index}`] = keys;
      }
      await tx.done;
    }
    raw.close();
    return JSON.stringify(stores);
  }
}
