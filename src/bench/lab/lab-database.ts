import { type DBSchema, deleteDB, type IDBPDatabase, openDB } from 'idb';
import { SkeinError } from '../../core/errors.ts';
import { openError, storageError, supersededError } from '../../store/idb/errors.ts';
import type { BenchPackage } from '../builder.ts';
import type { JournalEntry } from '../journal.ts';
import type { BenchResult } from '../result.ts';
import type { BuildSummary, RunFailure, RunPlan } from './contract.ts';

export const LAB_DATABASE = 'skein-lab';

/** A run as it is kept. Whether it goes on at this moment is known by its lock alone. */
export interface RunRecord {
  readonly id: string;
  readonly name: string;
  readonly origin: 'here' | 'imported';
  readonly startedAt: number;
  readonly package: BuildSummary;
  readonly plan: RunPlan;
  readonly total: number;
  /** `started` until it ends in another state: found without its lock, it was interrupted. */
  readonly state: 'started' | 'paused' | 'failed' | 'done';
  readonly failure?: RunFailure;
}

export interface LabSchema extends DBSchema {
  /** Vectors by stamp and hash of the text. */
  vectors: { key: [stamp: string, hash: string]; value: Float32Array };
  packages: { key: string; value: BenchPackage };
  runs: { key: string; value: RunRecord };
  journal: { key: [run: string, place: number]; value: JournalEntry };
  results: { key: string; value: BenchResult };
}

type Store = 'vectors' | 'packages' | 'runs' | 'journal' | 'results';

/**
 * The lab's own database, apart from the threads: nothing here is a person's, and all of it can be made again.
 * Every call rejects with a SkeinError of the storage.
 */
export class LabDatabase {
  private ended: SkeinError | undefined;

  private constructor(private readonly db: IDBPDatabase<LabSchema>) {
    // A newer page upgrades, or everything is erased: this connection gives way and is of no more use.
    db.addEventListener('versionchange', ({ newVersion }) => {
      this.ended = supersededError(newVersion === null);
      db.close();
    });
  }

  static async open(name = LAB_DATABASE): Promise<LabDatabase> {
    try {
      const db = await openDB<LabSchema>(name, 1, {
        upgrade(fresh) {
          for (const store of ['vectors', 'packages', 'runs', 'journal', 'results'] as const) {
            fresh.createObjectStore(store);
          }
        },
      });
      return new LabDatabase(db);
    } catch (error) {
      throw openError(error);
    }
  }

  close(): void {
    this.db.close();
  }

  async vectors(keys: readonly [string, string][]): Promise<(Float32Array | undefined)[]> {
    return this.attempt(async () => {
      const { store } = this.db.transaction('vectors');
      return Promise.all(keys.map((key) => store.get(key)));
    });
  }

  async putVectors(keys: readonly [string, string][], vectors: readonly Float32Array[]): Promise<void> {
    await this.attempt(async () => {
      const tx = this.db.transaction('vectors', 'readwrite', { durability: 'relaxed' });
      await Promise.all([...keys.map((key, i) => tx.store.put(vectors[i]!, key)), tx.done]);
    });
  }

  async putPackage(pkg: BenchPackage): Promise<void> {
    await this.attempt(() => this.db.put('packages', pkg, pkg.hash));
  }

  /** Rejects with `not-found`. */
  async readPackage(hash: string): Promise<BenchPackage> {
    return this.found(
      await this.attempt(() => this.db.get('packages', hash)),
      'The package is not kept here.',
    );
  }

  /** The latest first. */
  async runs(): Promise<RunRecord[]> {
    const runs = await this.attempt(() => this.db.getAll('runs'));
    return runs.sort((a, b) => b.startedAt - a.startedAt);
  }

  /** Rejects with `not-found`. */
  async readRun(id: string): Promise<RunRecord> {
    return this.found(await this.attempt(() => this.db.get('runs', id)), 'The run is not kept here.');
  }

  async putRun(run: RunRecord): Promise<void> {
    await this.attempt(() => this.db.put('runs', run, run.id));
  }

  /** Keeps a finished run's result and drops its journal, which the result holds. */
  async finishRun(run: RunRecord, result: BenchResult): Promise<void> {
    await this.attempt(async () => {
      const tx = this.db.transaction(['runs', 'results', 'journal'], 'readwrite');
      await Promise.all([
        tx.objectStore('runs').put(run, run.id),
        tx.objectStore('results').put(result, run.id),
        tx.objectStore('journal').delete(ofRun(run.id)),
        tx.done,
      ]);
    });
  }

  /** Rejects with `not-found`. */
  async readResult(id: string): Promise<BenchResult> {
    return this.found(await this.attempt(() => this.db.get('results', id)), 'The run has no result yet.');
  }

  /** Removes a run with its result, its journal, and its package where no other run has the same. */
  async removeRun(id: string): Promise<void> {
    await this.attempt(async () => {
      const stores: Store[] = ['runs', 'results', 'journal', 'packages'];
      const tx = this.db.transaction(stores, 'readwrite');
      const runs = await tx.objectStore('runs').getAll();
      const hash = runs.find((run) => run.id === id)?.package.hash;
      const shared = runs.some((run) => run.id !== id && run.package.hash === hash);
      await Promise.all([
        tx.objectStore('runs').delete(id),
        tx.objectStore('results').delete(id),
        tx.objectStore('journal').delete(ofRun(id)),
        hash !== undefined && !shared ? tx.objectStore('packages').delete(hash) : undefined,
        tx.done,
      ]);
    });
  }

  async journal(run: string): Promise<JournalEntry[]> {
    return this.attempt(() => this.db.getAll('journal', ofRun(run)));
  }

  /** Relaxed: what a closed page or a dead worker wrote is kept, what a power cut takes is asked again. */
  async putJournalEntry(run: string, place: number, entry: JournalEntry): Promise<void> {
    await this.attempt(async () => {
      const tx = this.db.transaction('journal', 'readwrite', { durability: 'relaxed' });
      await Promise.all([tx.store.put(entry, [run, place]), tx.done]);
    });
  }

  private async attempt<T>(work: () => Promise<T>): Promise<T> {
    if (this.ended) throw this.ended;
    try {
      return await work();
    } catch (error) {
      throw this.ended ?? storageError(error);
    }
  }

  private found<T>(value: T | undefined, message: string): T {
    if (value !== undefined) return value;
    throw new SkeinError('not-found', message, 'Open or run the package again.');
  }
}

/** Erases all that the lab keeps; a tab that has it open gives way. */
export async function eraseLab(name = LAB_DATABASE): Promise<void> {
  await deleteDB(name);
}

/** All entries of a run: an array sorts after every number. */
function ofRun(id: string): IDBKeyRange {
  return IDBKeyRange.bound([id], [id, []]);
}
