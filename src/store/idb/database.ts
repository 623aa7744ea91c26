import type { ConfigurationName, ThreadRecord, ThreadSnapshot } from '../records.ts';
import { newThread, requireThread } from '../thread-rules.ts';
import type { ThreadStore } from '../thread-store.ts';
import { Connection, type ConnectionOptions } from './connection.ts';
import { putAll, recordOf, snapshotRows, turnOf } from './rows.ts';
import { ALL_STORES, type Settings, THREAD_STORES, threadRange } from './schema.ts';
import { IdbThreadStore } from './thread-store.ts';

const ALL_OF_A_THREAD = ['threads', ...THREAD_STORES] as const;

/** How a thread begins. */
export interface NewThreadOptions {
  /** `skein` unless told. */
  readonly configuration?: ConfigurationName;
  /** Example questions that the thread comes with. */
  readonly questions?: readonly string[];
}

/**
 * Every thread and setting of this site, in IndexedDB. Each call is one transaction: it is done entirely or not
 * at all, and a write is on the disk when it resolves.
 *
 * Errors: `storage-blocked`, `storage-closed`, `storage-newer`, `storage-unavailable`, `quota`, `not-found`,
 * and `read-only` for every write while `readOnly` is set.
 */
export class SkeinDatabase {
  private constructor(private readonly connection: Connection) {}

  /** Opens the database, and brings an older one to the newest version. */
  static async open(options: ConnectionOptions = {}): Promise<SkeinDatabase> {
    const connection = new Connection(options);
    try {
      await connection.open();
    } catch (error) {
      // An upgrade that another tab holds up stays requested: let go of it as soon as it is through.
      connection.close();
      throw error;
    }
    return new SkeinDatabase(connection);
  }

  /** While true, every write rejects with `read-only`: a tab that is not the leader. Reading is not touched. */
  get readOnly(): boolean {
    return this.connection.readOnly;
  }

  set readOnly(readOnly: boolean) {
    this.connection.readOnly = readOnly;
  }

  /** Closes after the running transactions; later calls reject with `storage-closed`. */
  close(): void {
    this.connection.close();
  }

  /** Every thread, the one changed last first. */
  async listThreads(): Promise<ThreadRecord[]> {
    const threads = await this.connection.read(['threads'], (tx) => tx.objectStore('threads').getAll());
    return threads.sort((a, b) => b.updatedAt - a.updatedAt || b.createdAt - a.createdAt);
  }

  async getThread(id: string): Promise<ThreadRecord> {
    return this.connection.read(['threads'], async (tx) =>
      requireThread(await tx.objectStore('threads').get(id), id),
    );
  }

  async createThread(name: string, options: NewThreadOptions = {}): Promise<ThreadRecord> {
    const { configuration = 'skein', questions } = options;
    const head = newThread(crypto.randomUUID(), name, configuration, Date.now());
    const thread = questions ? { ...head, questions } : head;
    await this.connection.write(['threads'], (tx) => tx.objectStore('threads').add(thread));
    return thread;
  }

  async renameThread(id: string, name: string): Promise<void> {
    await this.connection.write(['threads'], async (tx) => {
      const head = requireThread(await tx.objectStore('threads').get(id), id);
      await tx.objectStore('threads').put({ ...head, name: name.toWellFormed(), updatedAt: Date.now() });
    });
  }

  /** Erases the thread and everything derived from it. A thread that is gone already is no error. */
  async deleteThread(id: string): Promise<void> {
    await this.connection.write(ALL_OF_A_THREAD, async (tx) => {
      await Promise.all([
        tx.objectStore('threads').delete(id),
        ...THREAD_STORES.map((name) => tx.objectStore(name).delete(threadRange(id))),
      ]);
    });
  }

  /** The facts of thread `id`; its calls reject with `not-found` when there is no such thread. */
  getThreadStore(id: string): ThreadStore {
    return new IdbThreadStore(id, this.connection);
  }

  /** Everything stored of one thread but its caches, as it is at one moment. */
  async readThread(id: string): Promise<ThreadSnapshot> {
    return this.connection.read(ALL_OF_A_THREAD, async (tx) => {
      const thread = requireThread(await tx.objectStore('threads').get(id), id);
      const range = threadRange(id);
      const [turns, episodes, clusters, asks, blocks] = await Promise.all([
        tx.objectStore('turns').getAll(range),
        tx.objectStore('episodes').getAll(range),
        tx.objectStore('clusters').getAll(range),
        tx.objectStore('asks').getAll(range),
        tx.objectStore('vectors').getAll(range),
      ]);
      return {
        thread,
        turns: turns.map(turnOf),
        episodes: episodes.map(recordOf),
        clusters: clusters.map(recordOf),
        asks: asks.map(recordOf),
        blocks: blocks.map(recordOf),
      };
    });
  }

  /** Stores a whole thread as a new one, under its own id where that is free, with its `caches`; returns its head. */
  async addThread(
    snapshot: ThreadSnapshot,
    caches: Readonly<Record<string, unknown>> = {},
  ): Promise<ThreadRecord> {
    return this.connection.write(ALL_OF_A_THREAD, async (tx) => {
      const taken = await tx.objectStore('threads').getKey(snapshot.thread.id);
      const id = taken === undefined ? snapshot.thread.id : crypto.randomUUID();
      const thread = { ...snapshot.thread, id };
      const rows = snapshotRows({ ...snapshot, thread });
      await Promise.all([
        tx.objectStore('threads').put(thread),
        putAll(tx.objectStore('turns'), rows.turns),
        putAll(tx.objectStore('vectors'), rows.vectors),
        putAll(tx.objectStore('episodes'), rows.episodes),
        putAll(tx.objectStore('clusters'), rows.clusters),
        putAll(tx.objectStore('asks'), rows.asks),
        putAll(
          tx.objectStore('caches'),
          Object.entries(caches).map(([kind, value]) => ({ threadId: id, kind, value })),
        ),
      ]);
      return thread;
    });
  }

  async readSetting<Key extends keyof Settings>(key: Key): Promise<Settings[Key] | undefined> {
    const value = await this.connection.read(['settings'], (tx) => tx.objectStore('settings').get(key));
    return value as Settings[Key] | undefined;
  }

  async writeSetting<Key extends keyof Settings>(key: Key, value: Settings[Key]): Promise<void> {
    await this.connection.write(['settings'], (tx) => tx.objectStore('settings').put(value, key));
  }

  /** Erases every thread and setting. */
  async eraseEverything(): Promise<void> {
    await this.connection.write(ALL_STORES, async (tx) => {
      await Promise.all(ALL_STORES.map((name) => tx.objectStore(name).clear()));
    });
  }
}
