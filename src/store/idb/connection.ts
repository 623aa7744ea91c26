import { type IDBPDatabase, openDB } from 'idb';
import { SkeinError } from '../../core/errors.ts';
import { readOnlyError } from '../thread-rules.ts';
import { blockedError, closedError, openError, storageError, supersededError } from './errors.ts';
import { MIGRATIONS, type Migration, migrate } from './migrations.ts';
import type { SkeinIdb, SkeinSchema, StoreName, Transaction } from './schema.ts';

export interface ConnectionOptions {
  /** Name of the database; `skein` unless told. */
  readonly name?: string;
  /** Called once when this connection had to give way to another tab and can't be used any more. */
  readonly onSuperseded?: (error: SkeinError) => void;
  /** How long another tab may take to give way before opening rejects, in milliseconds; 3,000 unless told. */
  readonly patience?: number;
  /** The schema's versions; only tests pass others. */
  readonly migrations?: readonly Migration[];
}

/** An opening database, and a promise that rejects once another tab has kept it from being upgraded for too long. */
interface Opening {
  readonly db: Promise<SkeinIdb>;
  readonly blocked: Promise<never>;
}

/**
 * One connection to the database, opened on first use. It gives way to a newer tab, reopens when the browser
 * closed it (as iOS does in the background), and runs transactions that are done entirely or not at all.
 */
export class Connection {
  private opening: Opening | undefined;
  private ended: SkeinError | undefined;
  private readonly name: string;
  /** While true, every write rejects with `read-only`. */
  readOnly = false;
  private readonly migrations: readonly Migration[];

  constructor(private readonly options: ConnectionOptions = {}) {
    this.name = options.name ?? 'skein';
    this.migrations = options.migrations ?? MIGRATIONS;
  }

  /**
   * Resolves with the open database. Rejects with `storage-blocked` while another tab holds up the upgrade; the
   * upgrade stays requested, so calling again after that tab is gone resolves.
   */
  async open(): Promise<SkeinIdb> {
    if (this.ended) throw this.ended;
    this.opening ??= this.start();
    const { db, blocked } = this.opening;
    // Once the database is there, it comes first, whatever held it up before.
    return Promise.race([db, blocked]);
  }

  /** Closes after the running transactions; later calls reject with `storage-closed`. */
  close(): void {
    this.end(closedError());
  }

  /** Runs `work` in a transaction that only reads. Retried once when the browser closed the database. */
  async read<const Names extends readonly StoreName[], T>(
    stores: Names,
    work: (tx: Transaction<Names, 'readonly'>) => Promise<T>,
  ): Promise<T> {
    try {
      return await this.run(stores, 'readonly', work);
    } catch (error) {
      const closed = error instanceof SkeinError && error.code === 'storage-closed';
      if (!closed || this.ended) throw error;
      return this.run(stores, 'readonly', work);
    }
  }

  /**
   * Runs `work` in one transaction and resolves when the browser has flushed it to the disk. When `work` or the
   * browser fails, nothing of it is stored. Not retried once begun: whether it was flushed may be unknown.
   */
  async write<const Names extends readonly StoreName[], T>(
    stores: Names,
    work: (tx: Transaction<Names, 'readwrite'>) => Promise<T>,
  ): Promise<T> {
    if (this.readOnly) throw readOnlyError();
    return this.run(stores, 'readwrite', work);
  }

  private async run<const Names extends readonly StoreName[], Mode extends 'readonly' | 'readwrite', T>(
    stores: Names,
    mode: Mode,
    work: (tx: Transaction<Names, Mode>) => Promise<T>,
  ): Promise<T> {
    const tx = await this.begin(stores, mode);
    // The same failure surfaces below; without this it would also count as unhandled.
    tx.done.catch(() => {});
    try {
      const result = await work(tx);
      await tx.done;
      return result;
    } catch (error) {
      abort(tx);
      await tx.done.catch(() => {});
      // A full disk aborts the transaction: its requests then report only the abort, the transaction the reason.
      throw storageError(tx.error ?? error);
    }
  }

  /** A fresh transaction; reopens the database once when the browser has closed it. */
  private async begin<const Names extends readonly StoreName[], Mode extends 'readonly' | 'readwrite'>(
    stores: Names,
    mode: Mode,
  ): Promise<Transaction<Names, Mode>> {
    const attempt = async () =>
      (await this.open()).transaction([...stores], mode, { durability: 'strict' }) as Transaction<
        Names,
        Mode
      >;
    try {
      return await attempt();
    } catch (error) {
      if (this.ended) throw this.ended;
      if (!(error instanceof DOMException && error.name === 'InvalidStateError')) throw storageError(error);
      this.letGo();
    }
    try {
      return await attempt();
    } catch (error) {
      throw storageError(error);
    }
  }

  private start(): Opening {
    const { promise: blocked, reject: reportBlocked } = Promise.withResolvers<never>();
    blocked.catch(() => {});
    // A tab that gives way may first have a write to finish.
    const wait = () => setTimeout(() => reportBlocked(blockedError()), this.options.patience ?? 3_000);
    const opening: Opening = { db: this.openDatabase(wait), blocked };
    const forget = () => {
      if (this.opening === opening) this.opening = undefined;
    };
    opening.db.then((db) => {
      if (this.ended) db.close();
      db.addEventListener('close', forget);
    }, forget);
    return opening;
  }

  private async openDatabase(onBlocked: () => void): Promise<SkeinIdb> {
    let failure: unknown;
    try {
      return await openDB<SkeinSchema>(this.name, this.migrations.length, {
        upgrade: (db, oldVersion, _newVersion, tx) => {
          // A failure is reported as the failed opening.
          tx.done.catch(() => {});
          const untyped = db as unknown as IDBPDatabase<unknown>;
          return migrate(untyped, tx as never, oldVersion, this.migrations).catch((error) => {
            failure = error;
            abort(tx);
          });
        },
        blocked: onBlocked,
        blocking: (_current, wanted) => this.giveWay(supersededError(wanted === null)),
      });
    } catch (error) {
      throw openError(failure ?? error);
    }
  }

  private giveWay(error: SkeinError): void {
    if (this.ended) return;
    this.end(error);
    this.options.onSuperseded?.(error);
  }

  private end(error: SkeinError): void {
    this.ended ??= error;
    this.letGo();
  }

  /** Closes the database once it is open and its transactions are through. */
  private letGo(): void {
    this.opening?.db.then(
      (db) => db.close(),
      () => {},
    );
    this.opening = undefined;
  }
}

/** Aborts `tx` unless it has ended by itself. */
function abort(tx: { abort(): void }): void {
  try {
    tx.abort();
  } catch {
    // It had ended already: there is nothing left to take back.
  }
}
