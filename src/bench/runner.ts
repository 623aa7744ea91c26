import { SkeinError, throwIfAborted } from '../core/errors.ts';
import { type Progress, ProgressMeter } from '../core/progress.ts';
import { yieldToEvents } from '../core/yield.ts';
import type { Embedder } from '../embed/embedder.ts';
import type { Builders } from '../systems/model-builders.ts';
import type { SystemDescription } from '../systems/system.ts';
import type { Answerer } from './answerer.ts';
import { type AskingGround, askQuestion, writtenBack } from './ask.ts';
import type { BenchPackage } from './builder.ts';
import { canonicalJson, sha256 } from './canonical.ts';
import type { QueryMode } from './exchange.ts';
import { scoreIndex } from './index-score.ts';
import { type Journal, type JournalEntry, MemoryJournal, openJournal } from './journal.ts';
import { keyOf } from './metrics.ts';
import { observed } from './observed-embedder.ts';
import type { BenchResult, QuestionLine, RunSettings, Shard } from './result.ts';
import { resultOf } from './result-of.ts';
import { RetrievalScorer } from './retrieval-score.ts';
import type { Selection } from './select.ts';
import { planTrajectories, type Trajectory } from './trajectory.ts';

/** How far a run has come. */
export interface BenchProgress {
  readonly system: string;
  readonly batch: string;
  /** `build` counts embedded texts, without a known total; `ask` counts the system's questions of this run. */
  readonly phase: 'build' | 'ask';
  readonly progress: Progress;
  readonly systemsDone: number;
  readonly systems: number;
}

export interface RunOptions {
  readonly systems: readonly SystemDescription[];
  /** Best one that caches: all systems then share their vectors. */
  readonly embedder: Embedder;
  /** Default: both. */
  readonly modes?: readonly QueryMode[];
  /** Default: off. Without an answerer the question alone is written back. */
  readonly writeBack?: boolean;
  /** Left out: retrieval only. */
  readonly answerer?: Answerer;
  /** A language model that builds the systems which take one, and its name for the record. */
  readonly builder?: { readonly name: string; readonly builders: Builders };
  /** Which questions of the package are asked; left out: all. */
  readonly ask?: Selection;
  readonly shard?: Shard;
  /** Units kept of each retrieval; default 10. */
  readonly keptUnits?: number;
  /** Where finished questions are written down; a run that finds its own there goes on behind them. */
  readonly journal?: Journal;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: BenchProgress) => void;
  /** Version of the engine, and the machine in words, for the record. */
  readonly engine: string;
  readonly machine: string;
}

const KEPT_UNITS = 10;
const MODES: readonly QueryMode[] = ['query', 'query+options'];
/** The event loop has a turn after so many milliseconds, so that an abort is heard. */
const PAUSE_AFTER_MS = 30;

/**
 * Runs systems over a package. Memories are reset between batches. Rejects with `aborted` when stopped: what the
 * journal holds is not asked again. What a system throws ends the run and names system and question.
 */
export async function runBench(pkg: BenchPackage, options: RunOptions): Promise<BenchResult> {
  const { systems, modes = MODES, writeBack = false, ask, answerer, shard, keptUnits = KEPT_UNITS } = options;
  const settings: RunSettings = {
    embedder: options.embedder.stamp,
    modes,
    writeBack,
    ...(ask && { ask }),
    keptUnits,
    ...(answerer && { answerer: answerer.name }),
    ...(options.builder && { builtBy: options.builder.name }),
    engine: options.engine,
  };
  const trajectories = planTrajectories(pkg, { systems, modes, writeBack, ask, shard });
  if (trajectories.length === 0) {
    throw new SkeinError(
      'bad-argument',
      'This run asks no question.',
      'Choose more systems, topics or questions.',
    );
  }
  const journal = options.journal ?? new MemoryJournal();
  const configurations = systems.map(({ name, configuration }) => ({ name, configuration }));
  const key = await sha256(canonicalJson({ package: pkg.hash, settings, configurations, shard }));
  const run = new BenchRun(options, settings, journal, await openJournal(journal, key), trajectories);
  for (const trajectory of trajectories) await run.follow(trajectory);
  return resultOf(pkg, { systems, settings, shard, entries: run.entries, machine: options.machine });
}

class BenchRun {
  readonly entries: JournalEntry[];
  private readonly lines = new Map<string, QuestionLine>();
  private readonly built = new Set<string>();
  private readonly meters = new Map<string, { meter: ProgressMeter; done: number }>();
  private readonly systems: readonly string[];
  private pausedAt = performance.now();

  constructor(
    private readonly options: RunOptions,
    private readonly settings: RunSettings,
    private readonly journal: Journal,
    finished: readonly JournalEntry[],
    trajectories: readonly Trajectory[],
  ) {
    this.entries = [...finished];
    for (const entry of finished) this.remember(entry);
    this.systems = [...new Set(trajectories.map(({ system }) => system.name))];
    for (const name of this.systems) {
      const own = trajectories.filter(({ system }) => system.name === name);
      const total = own.reduce((sum, { askings }) => sum + askings.length, 0);
      this.meters.set(name, { meter: new ProgressMeter(total), done: 0 });
    }
  }

  async follow(trajectory: Trajectory): Promise<void> {
    const { system, batch, askings } = trajectory;
    const lineOf = ({ question, mode }: (typeof askings)[number]) =>
      this.lines.get(lineKey(system.name, { batch: batch.name, id: question.id, mode }));
    if (askings.every(lineOf)) {
      for (const _ of askings) this.count(trajectory);
      return;
    }
    const ground = await this.build(trajectory);
    const turns = ground.turns as (typeof batch.turns)[number][];
    for (const asking of askings) {
      throwIfAborted(this.options.signal);
      const done = lineOf(asking) ?? (await this.ask(trajectory, asking, ground));
      if (this.settings.writeBack) {
        const written = writtenBack(asking, done);
        await ground.memory.append(written, this.options.signal);
        ground.scorer.append(written);
        turns.push(...written);
      }
      this.count(trajectory);
      await this.pause();
    }
  }

  /** A fresh memory of the batch's thread. */
  private async build(trajectory: Trajectory): Promise<AskingGround> {
    const { system, batch } = trajectory;
    const { signal, answerer, onProgress } = this.options;
    throwIfAborted(signal);
    const meter = new ProgressMeter(0);
    const embedder = observed(this.options.embedder, (done) =>
      onProgress?.({
        ...this.stateOf(trajectory),
        phase: 'build',
        progress: { ...meter.at(done), secondsLeft: undefined },
      }),
    );
    const started = performance.now();
    const memory = await named(system.name, 'building its memory', async () => {
      const fresh = await system.create({ embedder, builders: this.options.builder?.builders });
      await fresh.append(batch.turns, signal);
      return fresh;
    });
    const buildMs = performance.now() - started;
    const index = memory.index?.();
    if (!this.built.has(`${system.name}/${batch.name}`)) {
      const score = index && scoreIndex(index, batch);
      await this.record({
        kind: 'memory',
        system: system.name,
        batch: batch.name,
        buildMs,
        ...(score && { index: score }),
      });
    }
    return {
      batch: batch.name,
      memory,
      scorer: new RetrievalScorer(batch.turns),
      turns: [...batch.turns],
      index,
      embedder,
      answerer,
      keptUnits: this.settings.keptUnits,
      signal,
    };
  }

  private async ask(
    { system }: Trajectory,
    asking: Trajectory['askings'][number],
    ground: AskingGround,
  ): Promise<QuestionLine> {
    const { line, timing } = await named(system.name, `question ${asking.question.id}`, () =>
      askQuestion(asking, ground),
    );
    await this.record({ kind: 'question', system: system.name, line, timing });
    return line;
  }

  private async record(entry: JournalEntry): Promise<void> {
    await this.journal.append(entry);
    this.entries.push(entry);
    this.remember(entry);
  }

  private remember(entry: JournalEntry): void {
    if (entry.kind === 'memory') this.built.add(`${entry.system}/${entry.batch}`);
    if (entry.kind === 'question') this.lines.set(lineKey(entry.system, entry.line), entry.line);
  }

  private stateOf({ system, batch }: Trajectory) {
    const systemsDone = this.systems.indexOf(system.name);
    return { system: system.name, batch: batch.name, systemsDone, systems: this.systems.length };
  }

  private count(trajectory: Trajectory): void {
    const own = this.meters.get(trajectory.system.name)!;
    own.done++;
    this.options.onProgress?.({
      ...this.stateOf(trajectory),
      phase: 'ask',
      progress: own.meter.at(own.done),
    });
  }

  private async pause(): Promise<void> {
    if (performance.now() - this.pausedAt < PAUSE_AFTER_MS) return;
    await yieldToEvents();
    this.pausedAt = performance.now();
  }
}

function lineKey(system: string, line: Pick<QuestionLine, 'batch' | 'id' | 'mode'>): string {
  return `${system}/${line.mode}/${keyOf(line)}`;
}

/** Runs `work`; what it throws says where it happened, and stays what it was. */
async function named<T>(system: string, doing: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof SkeinError) {
      if (error.code === 'aborted') throw error;
      throw new SkeinError(error.code, `${system}, ${doing}: ${error.message}`, error.remedy, {
        cause: error,
      });
    }
    throw new SkeinError('internal', `${system}, ${doing}: ${(error as Error).message}`, '', {
      cause: error,
    });
  }
}
