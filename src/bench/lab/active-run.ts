import { type SkeinError, toSkeinError } from '../../core/errors.ts';
import { CachingEmbedder } from '../../embed/caching-embedder.ts';
import type { Embedder } from '../../embed/embedder.ts';
import { findSystem } from '../../systems/registry.ts';
import type { BenchPackage } from '../builder.ts';
import type { BenchResult } from '../result.ts';
import { type BenchProgress, runBench } from '../runner.ts';
import { IdbJournal } from './idb-journal.ts';
import { IdbVectorCache } from './idb-vector-cache.ts';
import type { LabDatabase, RunRecord } from './lab-database.ts';

/** What a run needs besides its package. */
export interface RunGround {
  readonly database: LabDatabase;
  readonly engine: string;
  readonly machine: () => string;
  openEmbedder(model: string, signal: AbortSignal): Promise<Embedder>;
  onProgress(progress: BenchProgress): void;
}

/** One run under way: from its package to a result in the database, or to a state that it can go on from. */
export class ActiveRun {
  readonly ended: Promise<void>;
  private readonly controller = new AbortController();

  constructor(
    readonly record: RunRecord,
    private readonly pkg: BenchPackage,
    private readonly ground: RunGround,
  ) {
    this.ended = this.run();
  }

  /** Stops the run; settles when its state is kept. */
  async stop(): Promise<void> {
    this.controller.abort();
    await this.ended;
  }

  private async run(): Promise<void> {
    const { database } = this.ground;
    try {
      await database.finishRun({ ...this.record, state: 'done' }, await this.bench());
    } catch (error) {
      await this.keepFailure(toSkeinError(error)).catch(() => {
        // The storage itself failed: the run is found as interrupted.
      });
    }
  }

  private async bench(): Promise<BenchResult> {
    const { database, engine, machine, openEmbedder, onProgress } = this.ground;
    const { id, plan } = this.record;
    const { signal } = this.controller;
    const embedder = await openEmbedder(plan.model, signal);
    return runBench(this.pkg, {
      systems: plan.systems.map(findSystem),
      embedder: new CachingEmbedder(embedder, new IdbVectorCache(database, embedder.stamp)),
      modes: plan.modes,
      writeBack: plan.writeBack,
      journal: new IdbJournal(database, id),
      signal,
      onProgress,
      engine,
      machine: machine(),
    });
  }

  private async keepFailure({ code, message, remedy }: SkeinError): Promise<void> {
    const stopped = code === 'aborted' || this.controller.signal.aborted;
    await this.ground.database.putRun(
      stopped
        ? { ...this.record, state: 'paused' }
        : { ...this.record, state: 'failed', failure: { message, remedy } },
    );
  }
}
