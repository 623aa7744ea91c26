import { type SkeinError, toSkeinError } from '../core/errors.ts';
import { type Progress, ProgressMeter } from '../core/progress.ts';
import type { EmbedderStamp } from '../embed/embedder.ts';
import type { EpisodicMemory } from '../memory/episodic-memory.ts';
import type { EngineEvent } from './contract.ts';

/** Milliseconds between two reports of progress. */
const REPORT_EVERY = 200;

interface Job {
  readonly stop: AbortController;
  readonly finished: Promise<void>;
  progress: Progress;
}

/** The ready-made vector of a turn, if there is one by the embedder with `stamp`. */
export type VectorSource = (turn: number, stamp: EmbedderStamp) => Float32Array | undefined;

/** Embeds and segments threads in the background, one job a thread, each of which can be paused and go on. */
export class IngestJobs {
  private readonly jobs = new Map<string, Job>();
  private readonly paused = new Map<string, Progress>();

  constructor(
    private readonly memoryOf: (threadId: string) => Promise<EpisodicMemory>,
    private readonly emit: (event: EngineEvent) => void,
    private readonly onFailure: (threadId: string) => void,
  ) {}

  isRunning(threadId: string): boolean {
    return this.jobs.has(threadId);
  }

  isPaused(threadId: string): boolean {
    return this.paused.has(threadId);
  }

  /** What a listener that comes late has to know: every running and every paused ingest. */
  current(): EngineEvent[] {
    const event = (threadId: string, progress: Progress, paused: boolean): EngineEvent => ({
      kind: 'ingest',
      threadId,
      progress,
      paused,
    });
    return [
      ...[...this.jobs].map(([threadId, { progress }]) => event(threadId, progress, false)),
      ...[...this.paused].map(([threadId, progress]) => event(threadId, progress, true)),
    ];
  }

  /** Starts, or goes on after a pause; a job that runs goes on to whatever was appended meanwhile. */
  start(threadId: string, vectors?: VectorSource): void {
    this.paused.delete(threadId);
    if (this.jobs.has(threadId)) return;
    const stop = new AbortController();
    const job: Job = {
      stop,
      progress: { done: 0, total: 0, rate: 0 },
      finished: Promise.resolve().then(() => this.run(threadId, job, vectors)),
    };
    this.jobs.set(threadId, job);
  }

  /** Stops after the texts in hand; what is durable stays. */
  async pause(threadId: string): Promise<void> {
    const job = this.jobs.get(threadId);
    if (!job) return;
    this.paused.set(threadId, job.progress);
    await this.stop(threadId);
    this.emit({ kind: 'ingest', threadId, progress: { ...job.progress, rate: 0 }, paused: true });
  }

  /** Stops without keeping the thread as paused: it is about to change or go. */
  async stop(threadId: string): Promise<void> {
    const job = this.jobs.get(threadId);
    job?.stop.abort();
    await job?.finished;
  }

  async stopAll(): Promise<void> {
    await Promise.all([...this.jobs.keys()].map((threadId) => this.stop(threadId)));
    this.paused.clear();
  }

  /** Resolves when the thread's present job has ended. */
  async settled(threadId: string): Promise<void> {
    await this.jobs.get(threadId)?.finished;
  }

  private async run(threadId: string, job: Job, vectors?: VectorSource): Promise<void> {
    try {
      const memory = await this.memoryOf(threadId);
      const vectorOf = vectors && ((turn: number) => vectors(turn, memory.stamp));
      const onProgress = this.reporter(threadId, job, memory);
      // Ready-made vectors cost nothing: longer steps mean fewer writes.
      const stepTurns = vectorOf ? 1024 : undefined;
      // Turns may be appended until the very end.
      do await memory.catchUp({ signal: job.stop.signal, vectorOf, stepTurns, onProgress });
      while (memory.ingested < memory.turns);
      this.jobs.delete(threadId);
      this.emit({ kind: 'ingest-done', threadId });
      this.emit({ kind: 'threads' });
    } catch (error) {
      this.jobs.delete(threadId);
      this.fail(threadId, toSkeinError(error));
    }
  }

  private reporter(
    threadId: string,
    job: Job,
    memory: EpisodicMemory,
  ): (done: number, total: number) => void {
    let meter = new ProgressMeter(memory.turns);
    let meterTotal = memory.turns;
    let reported = Number.NEGATIVE_INFINITY;
    let episodesFor = memory.ingested;
    return (done, total) => {
      if (total !== meterTotal) {
        meter = new ProgressMeter(total);
        meterTotal = total;
      }
      job.progress = meter.at(done);
      const now = performance.now();
      if (now - reported < REPORT_EVERY && done < total) return;
      reported = now;
      this.emit({ kind: 'ingest', threadId, progress: job.progress, paused: false });
      if (memory.ingested === episodesFor) return;
      episodesFor = memory.ingested;
      this.emit({ kind: 'episodes', threadId });
    };
  }

  private fail(threadId: string, error: SkeinError): void {
    if (error.code === 'aborted') return;
    this.onFailure(threadId);
    this.emit({ kind: 'ingest-failed', threadId, message: error.message, remedy: error.remedy });
  }
}
