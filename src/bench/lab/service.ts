import type { AnswerEngine, LoadProgress } from '../../answer/answer-engine.ts';
import type { AnswerModel } from '../../answer/models.ts';
import { SkeinError } from '../../core/errors.ts';
import type { EmbedderState } from '../../embed/contract.ts';
import type { Embedder } from '../../embed/embedder.ts';
import { findSystem, SYSTEMS } from '../../systems/registry.ts';
import { type Batch, type BenchPackage, buildPackage } from '../builder.ts';
import type { Pool } from '../pool.ts';
import type { BenchResult } from '../result.ts';
import { readResult } from '../result-files.ts';
import type { BenchProgress } from '../runner.ts';
import { planTrajectories } from '../trajectory.ts';
import { ActiveRun } from './active-run.ts';
import type {
  BuildPlan,
  BuildSummary,
  LabApi,
  LabEvent,
  PackageRequest,
  PoolSummary,
  RunPlan,
  RunState,
  RunView,
  SystemChoice,
} from './contract.ts';
import type { LabDatabase, RunRecord } from './lab-database.ts';
import { type Pools, summarisePool } from './pools.ts';
import type { RunLocks } from './run-locks.ts';

/** One run at a time, over all tabs: two would only share the processor. */
const LOCK = 'skein-lab-run';
/** Progress is told at most this often, in milliseconds. */
const TELL_EVERY = 200;

export interface LabPorts {
  readonly database: () => Promise<LabDatabase>;
  readonly pools: Pools;
  readonly locks: RunLocks;
  /** Version of the engine, and the machine in words, for the record of a run. */
  readonly engine: string;
  readonly machine: string;
  openEmbedder(
    model: string,
    onState: (state: EmbedderState) => void,
    signal: AbortSignal,
  ): Promise<Embedder>;
  /** An engine with the model loaded. `key` is for endpoints. */
  openAnswerEngine(
    model: AnswerModel,
    key: string | undefined,
    onProgress: (progress: LoadProgress) => void,
    signal: AbortSignal,
  ): Promise<AnswerEngine>;
}

/** The lab behind the page: packages, one run at a time, what earlier runs found. See `LabApi`. */
export class LabService implements LabApi {
  private readonly listeners = new Set<(event: LabEvent) => void>();
  private readonly database: Promise<LabDatabase>;
  private built: { readonly pool: Pool; readonly plan: string; readonly pkg: BenchPackage } | undefined;
  private active: ActiveRun | undefined;
  /** Finished retrievals of the active run, by system. */
  private readonly done = new Map<string, number>();
  private toldAt = 0;
  private toldOf = '';
  private backend = '';
  private answerKey: string | undefined;

  constructor(private readonly ports: LabPorts) {
    this.database = ports.database();
    // Every call that needs it rejects with its error.
    this.database.catch(() => {});
  }

  async subscribe(listener: (event: LabEvent) => void): Promise<void> {
    this.listeners.add(listener);
  }

  async listSystems(): Promise<SystemChoice[]> {
    return SYSTEMS.map(({ name, title, summary }) => ({ name, title, summary }));
  }

  async readPackage(request: PackageRequest): Promise<PoolSummary> {
    return summarisePool(await this.ports.pools.read(request));
  }

  async buildPackage(request: PackageRequest, build: BuildPlan): Promise<BuildSummary> {
    return summariseBuild(await this.build(request, build));
  }

  async setAnswerKey(key: string | undefined): Promise<void> {
    this.answerKey = key;
  }

  async startRun(request: PackageRequest, build: BuildPlan, plan: RunPlan): Promise<string> {
    const pkg = await this.build(request, build);
    const database = await this.database;
    const record: RunRecord = {
      id: crypto.randomUUID(),
      name: pkg.manifest.pool,
      origin: 'here',
      startedAt: Date.now(),
      package: summariseBuild(pkg),
      plan,
      total: retrievalsOf(pkg, plan),
      state: 'started',
    };
    await database.putPackage(pkg);
    await this.launch(record, pkg);
    return record.id;
  }

  async pauseRun(id: string): Promise<void> {
    if (this.active?.record.id === id) await this.active.stop();
  }

  async resumeRun(id: string): Promise<void> {
    const database = await this.database;
    const { failure: _, ...record } = await database.readRun(id);
    const pkg = await database.readPackage(record.package.hash);
    await this.launch({ ...record, state: 'started' }, pkg);
  }

  async removeRun(id: string): Promise<void> {
    await this.pauseRun(id);
    await (await this.database).removeRun(id);
    this.emit({ kind: 'runs' });
  }

  async listRuns(): Promise<RunView[]> {
    const database = await this.database;
    const held = await this.ports.locks.held();
    return Promise.all((await database.runs()).map((run) => this.view(run, held, database)));
  }

  async readResult(id: string): Promise<BenchResult> {
    return (await this.database).readResult(id);
  }

  async readThread(packageHash: string, batch: string): Promise<Batch> {
    const { batches } = await (await this.database).readPackage(packageHash);
    const found = batches.find(({ name }) => name === batch);
    if (found) return found;
    throw new SkeinError('not-found', `The package has no thread "${batch}".`);
  }

  async importResult(file: File): Promise<string> {
    const result = readResult(await file.text(), file.name);
    const { package: about, settings, systems } = checked(result, file.name);
    const id = crypto.randomUUID();
    const record: RunRecord = {
      id,
      name: file.name,
      origin: 'imported',
      startedAt: Date.now(),
      package: about,
      plan: {
        systems: systems.map(({ name }) => name),
        modes: settings.modes,
        writeBack: settings.writeBack,
        model: settings.embedder.model,
      },
      total: systems[0]?.questions.length ?? 0,
      state: 'done',
    };
    await (await this.database).finishRun(record, result);
    this.emit({ kind: 'runs' });
    return id;
  }

  /** The package of a plan; the one built last is kept, since it is looked at before it is run. */
  private async build(request: PackageRequest, build: BuildPlan): Promise<BenchPackage> {
    const pool = await this.ports.pools.read(request);
    const plan = JSON.stringify(build);
    if (this.built?.pool === pool && this.built.plan === plan) return this.built.pkg;
    const { target, selection, ...rest } = build;
    const pkg = await buildPackage(pool, {
      ...rest,
      ...(target !== undefined && { target }),
      ...(selection && { selection }),
    });
    this.built = { pool, plan, pkg };
    return pkg;
  }

  private async launch(record: RunRecord, pkg: BenchPackage): Promise<void> {
    const release = this.active ? undefined : await this.ports.locks.hold(LOCK);
    if (!release) {
      throw new SkeinError(
        'read-only',
        'The lab is running something already, here or in another tab.',
        'Wait for it, or pause it; then start this one.',
      );
    }
    const releaseOwn = await this.ports.locks.hold(lockOf(record.id));
    const database = await this.database;
    await database.putRun(record);
    this.done.clear();
    const { engine, machine, openEmbedder } = this.ports;
    const active = new ActiveRun(record, pkg, {
      database,
      engine,
      machine: () => `${machine}${this.backend}`,
      openEmbedder: (model, signal) => openEmbedder(model, (state) => this.onEmbedder(state), signal),
      openAnswerEngine: (model, signal) => this.openAnswerEngine(model, signal),
      onProgress: (progress) => this.onProgress(record.id, progress),
    });
    this.active = active;
    void active.ended.then(() => {
      this.active = undefined;
      releaseOwn?.();
      release();
      this.emit({ kind: 'runs' });
    });
    this.emit({ kind: 'runs' });
  }

  private async openAnswerEngine(model: AnswerModel, signal: AbortSignal): Promise<AnswerEngine> {
    const tell = (progress: LoadProgress | undefined) => this.emit({ kind: 'answer-model', progress });
    try {
      return await this.ports.openAnswerEngine(model, this.answerKey, tell, signal);
    } finally {
      tell(undefined);
    }
  }

  private onEmbedder(state: EmbedderState): void {
    if (state.kind === 'ready') this.backend = `, embedding on ${state.backend}`;
    this.emit({ kind: 'embedder', state });
  }

  private onProgress(run: string, progress: BenchProgress): void {
    const { system, phase, progress: count } = progress;
    if (phase === 'ask') this.done.set(system, count.done);
    const now = performance.now();
    const of = `${system} ${phase}`;
    const last = phase === 'ask' && count.done === count.total;
    if (of === this.toldOf && !last && now - this.toldAt < TELL_EVERY) return;
    this.toldAt = now;
    this.toldOf = of;
    this.emit({ kind: 'progress', run, progress });
  }

  private async view(
    { state, failure, ...record }: RunRecord,
    held: ReadonlySet<string>,
    database: LabDatabase,
  ): Promise<RunView> {
    const here = this.active?.record.id === record.id;
    const running = here || (state === 'started' && held.has(lockOf(record.id)));
    return {
      ...record,
      state: stateOf(state, failure, running),
      done: await this.doneOf(record, state, here, database),
    };
  }

  private async doneOf(
    { id, plan, total }: Omit<RunRecord, 'state' | 'failure'>,
    state: RunRecord['state'],
    here: boolean,
    database: LabDatabase,
  ): Promise<Record<string, number>> {
    if (state === 'done') return Object.fromEntries(plan.systems.map((system) => [system, total]));
    if (here && this.done.size > 0) return Object.fromEntries(this.done);
    const done: Record<string, number> = {};
    for (const entry of await database.journal(id)) {
      if (entry.kind === 'question') done[entry.system] = (done[entry.system] ?? 0) + 1;
    }
    return done;
  }

  private emit(event: LabEvent): void {
    for (const listener of this.listeners) listener(event);
  }
}

function lockOf(id: string): string {
  return `${LOCK}-${id}`;
}

function stateOf(state: RunRecord['state'], failure: RunRecord['failure'], running: boolean): RunState {
  if (running) return { kind: 'running' };
  if (state === 'started') return { kind: 'interrupted' };
  if (state === 'failed') return { kind: 'failed', failure: failure ?? { message: '', remedy: '' } };
  return { kind: state };
}

function summariseBuild({ hash, manifest, batches, shortBy }: BenchPackage): BuildSummary {
  return { hash, manifest, shortBy, batches: batches.map(({ name, stats }) => ({ name, ...stats })) };
}

/** Retrievals of one system. Rejects names that are no system before anything runs. */
function retrievalsOf(pkg: BenchPackage, { systems, modes, writeBack }: RunPlan): number {
  const [system] = systems.map(findSystem);
  if (!system) throw new SkeinError('bad-argument', 'No system is chosen.', 'Choose at least one.');
  const trajectories = planTrajectories(pkg, { systems: [system], modes, writeBack });
  return trajectories.reduce((sum, { askings }) => sum + askings.length, 0);
}

/** A result that names what the page reads of it. Throws `bad-file`. */
function checked(result: BenchResult, file: string): BenchResult {
  const { package: about, settings, questions, systems, timings } = result as Partial<BenchResult>;
  const lists = [questions, systems, about?.batches, settings?.modes, timings?.systems];
  if (about?.hash && about.manifest && settings?.embedder && lists.every(Array.isArray)) return result;
  throw new SkeinError('bad-file', `${file} is a result with parts missing.`, 'Export it again.');
}
