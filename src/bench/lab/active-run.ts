import type { AnswerEngine } from '../../answer/answer-engine.ts';
import type { AnswerModel } from '../../answer/models.ts';
import { type SkeinError, toSkeinError } from '../../core/errors.ts';
import { CachingEmbedder } from '../../embed/caching-embedder.ts';
import type { Embedder } from '../../embed/embedder.ts';
import { modelBuilders } from '../../systems/model-builders.ts';
import { findSystem } from '../../systems/registry.ts';
import type { BenchPackage } from '../builder.ts';
import { EngineAnswerer } from '../engine-answerer.ts';
import type { BenchResult } from '../result.ts';
import { type BenchProgress, type RunOptions, runBench } from '../runner.ts';
import type { AnswerPlan } from './contract.ts';
import { IdbJournal } from './idb-journal.ts';
import { IdbVectorCache } from './idb-vector-cache.ts';
import type { LabDatabase, RunRecord } from './lab-database.ts';

/** What a run needs besides its package. */
export interface RunGround {
  readonly database: LabDatabase;
  readonly engine: string;
  readonly machine: () => string;
  openEmbedder(model: string, signal: AbortSignal): Promise<Embedder>;
  /** An engine with the model loaded. */
  openAnswerEngine(model: AnswerModel, signal: AbortSignal): Promise<AnswerEngine>;
  onProgress(progress: BenchProgress): void;
}

/** One run under way: from its package to a result in the database, or to a state that it can go on from. */
export class ActiveRun {
  readonly ended: Promise<void>;
  private readonly controller = new AbortController();
  private engine: AnswerEngine | undefined;

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
    } finally {
      await this.engine?.unload().catch(() => {});
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
      ...(plan.answer && (await this.answering(plan.answer))),
      modes: plan.modes,
      writeBack: plan.writeBack,
      journal: new IdbJournal(database, id),
      signal,
      onProgress,
      engine,
      machine: machine(),
    });
  }

  private async answering({
    model,
    buildsSystems,
    ...options
  }: AnswerPlan): Promise<Pick<RunOptions, 'answerer' | 'builder'>> {
    const engine = await this.ground.openAnswerEngine(model, this.controller.signal);
    this.engine = engine;
    const answerer = new EngineAnswerer(engine, options);
    const { name } = answerer;
    return { answerer, ...(buildsSystems && { builder: { name, builders: modelBuilders(engine) } }) };
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
