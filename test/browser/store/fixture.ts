import { deleteDB } from 'idb';
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
}
