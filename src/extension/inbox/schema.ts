import { type DBSchema, type IDBPDatabase, type IDBPTransaction, openDB } from 'idb';
import type { Role } from '../../core/turn.ts';
import type { KnownTurn } from './branches.ts';

/** A captured turn. Once it stands in a thread, text and source are dropped here and only its name remains. */
export interface InboxRow extends KnownTurn {
  /** Counts captured turns in the order they came. */
  readonly seq: number;
  readonly site: string;
  readonly conversation: string;
  /** Key of the turn before; empty for the first. */
  readonly after: string;
  readonly role: Role;
  /** Present until it stands in a thread. */
  readonly pending?: PendingTurn;
  /** Its number in the thread of captured turns. */
  readonly turn?: number;
}

export interface PendingTurn {
  readonly text: string;
  readonly source: string;
  readonly at: number;
  /** Milliseconds since 1970 when it came in, by this machine's clock. */
  readonly receivedAt: number;
}

/** What a drain is about to do, written before it does it. */
export interface DrainIntent {
  readonly threadId: string;
  /** Turns that the thread had: what is appended stands at this number or later. */
  readonly from: number;
  readonly seqs: readonly number[];
}

export interface InboxSchema extends DBSchema {
  turns: {
    key: number;
    value: InboxRow;
    indexes: {
      key: [string, string, string];
      after: [string, string, string];
      conversation: [string, string];
      site: string;
      /** Only rows that have not been moved. */
      pending: number;
    };
  };
  meta: { key: 'thread' | 'recalled' | 'intent'; value: string | DrainIntent };
}

export type InboxDatabase = IDBPDatabase<InboxSchema>;
export type InboxTransaction = IDBPTransaction<InboxSchema, ('turns' | 'meta')[], 'readwrite'>;

/** Opens the database; `onClosed` when it has to be opened again before its next use. */
export async function openInbox(name: string, onClosed: () => void): Promise<InboxDatabase> {
  return openDB<InboxSchema>(name, 1, {
    upgrade(db) {
      const turns = db.createObjectStore('turns', { keyPath: 'seq', autoIncrement: true });
      turns.createIndex('key', ['site', 'conversation', 'key'], { unique: true });
      turns.createIndex('after', ['site', 'conversation', 'after']);
      turns.createIndex('conversation', ['site', 'conversation']);
      turns.createIndex('site', 'site');
      turns.createIndex('pending', 'pending.at');
      db.createObjectStore('meta');
    },
    blocking: (_current, _wanted, event) => {
      // A newer version of the extension waits; this page or worker goes soon.
      (event.target as IDBDatabase).close();
      onClosed();
    },
    terminated: onClosed,
  });
}
