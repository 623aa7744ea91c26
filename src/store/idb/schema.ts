import type { DBSchema, IDBPDatabase, IDBPTransaction, StoreNames } from 'idb';
import type {
  AskRecord,
  BackendChoice,
  ClusterRecord,
  ConfigurationName,
  EpisodeRecord,
  StoredTurn,
  ThreadRecord,
  VectorBlock,
} from '../records.ts';

/** A record of one thread; its key starts with the thread's id, so that a thread is one key range. */
export type OfThread<T> = T & { readonly threadId: string };

/** A turn with the hash of its text (see `textHash`); an erased turn has none, so that nothing hints at it. */
export type TurnRow = OfThread<StoredTurn> & { readonly hash?: number };

export interface CacheRow {
  readonly threadId: string;
  readonly kind: string;
  readonly value: unknown;
}

/** What a person chose, by name. None of it belongs to a thread. */
export interface Settings {
  /** The embedder of threads from now on: a name of the model registry. */
  readonly embedder: string;
  /** Where the embedder computes. */
  readonly backend: BackendChoice;
  /** The configuration of threads from now on. */
  readonly configuration: ConfigurationName;
  /** When the browser was last asked to keep the storage, in milliseconds since 1970. */
  readonly persistenceAskedAt: number;
}

/** The database as the newest version has it; `migrations.ts` builds it. */
export interface SkeinSchema extends DBSchema {
  threads: { key: string; value: ThreadRecord };
  turns: { key: [string, number]; value: TurnRow; indexes: { hash: number } };
  vectors: { key: [string, number]; value: OfThread<VectorBlock> };
  episodes: { key: [string, number]; value: OfThread<EpisodeRecord> };
  clusters: { key: [string, number]; value: OfThread<ClusterRecord> };
  asks: { key: [string, number]; value: OfThread<AskRecord> };
  caches: { key: [string, string]; value: CacheRow };
  settings: { key: keyof Settings; value: Settings[keyof Settings] };
}

export type StoreName = StoreNames<SkeinSchema>;
export type SkeinIdb = IDBPDatabase<SkeinSchema>;
export type Transaction<
  Names extends readonly StoreName[],
  Mode extends IDBTransactionMode,
> = IDBPTransaction<SkeinSchema, [...Names], Mode>;

/** The stores whose keys start with a thread's id. */
export const THREAD_STORES = ['turns', 'vectors', 'episodes', 'clusters', 'asks', 'caches'] as const;
/** Every store there is. */
export const ALL_STORES = ['threads', ...THREAD_STORES, 'settings'] as const;

/** All records of thread `id` in one of `THREAD_STORES`: an array sorts after every number and string. */
export function threadRange(id: string): IDBKeyRange {
  return IDBKeyRange.bound([id], [id, []]);
}

/** Records of thread `id` whose second key part is `from` to `to - 1`; `from` must be below `to`. */
export function rowRange(id: string, from: number, to: number): IDBKeyRange {
  return IDBKeyRange.bound([id, from], [id, to], false, true);
}
