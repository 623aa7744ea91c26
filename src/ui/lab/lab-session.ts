import type { ReactiveController, ReactiveControllerHost } from 'lit';
import type { LoadProgress } from '../../answer/answer-engine.ts';
import type { AnswerModel } from '../../answer/models.ts';
import type { Batch } from '../../bench/builder.ts';
import type {
  BenchProgress,
  BenchResult,
  LabApi,
  LabEvent,
  RunView,
  SystemChoice,
} from '../../bench/lab/contract.ts';
import type { EmbedderState } from '../../embed/contract.ts';
import type { ModelsSession } from '../models/models-session.ts';
import type { Session } from '../session.ts';
import { Setup } from './setup.ts';

export type LabSessionEvent = LabEvent['kind'] | 'setup';

/** What the page knows of the lab: its runs, how far the running one is, and the form of the next. */
export class LabSession {
  systems: readonly SystemChoice[] = [];
  runs: readonly RunView[] = [];
  /** Latest progress of each system of a run. */
  readonly progress = new Map<string, Map<string, BenchProgress>>();
  embedder: EmbedderState | undefined;
  /** How far the language model of the running run is loaded; undefined when none is loading. */
  answerModel: LoadProgress | undefined;
  readonly setup: Setup;
  /** Settles when the first list of runs has been read, or could not be. */
  readonly ready: Promise<void>;
  private readonly listeners = new Set<(event: LabSessionEvent) => void>();
  private readonly results = new Map<string, Promise<BenchResult>>();
  private readonly threads = new Map<string, Promise<Batch>>();

  constructor(
    readonly api: LabApi,
    /** The page's session, which shows messages. */
    readonly page: Session,
    /** The page's language models; a test may leave them out. */
    readonly models?: ModelsSession,
  ) {
    this.setup = new Setup(api, () => this.notify('setup'));
    this.ready = this.start();
  }

  listen(listener: (event: LabSessionEvent) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  run(id: string): RunView | undefined {
    return this.runs.find((run) => run.id === id);
  }

  /** A system's title; its own name when this version has none of that name (an imported result). */
  titleOf(system: string): string {
    return this.systems.find(({ name }) => name === system)?.title ?? system;
  }

  /** Runs `work`; a failure becomes a message and `undefined`. */
  attempt<T>(work: () => Promise<T>): Promise<T | undefined> {
    return this.page.attempt(work);
  }

  /** A finished run's result, read once. */
  result(id: string): Promise<BenchResult> {
    const known = this.results.get(id);
    if (known) return known;
    const result = this.api.readResult(id);
    this.results.set(id, result);
    result.catch(() => this.results.delete(id));
    return result;
  }

  /** A thread of a package that was run here, read once. */
  thread(packageHash: string, batch: string): Promise<Batch> {
    const key = `${packageHash}/${batch}`;
    const known = this.threads.get(key);
    if (known) return known;
    const thread = this.api.readThread(packageHash, batch);
    this.threads.set(key, thread);
    thread.catch(() => this.threads.delete(key));
    return thread;
  }

  /** Language models that a run can use: they are here already or need no download, and run in a worker. */
  async answerModels(): Promise<readonly AnswerModel[]> {
    await this.models?.ready;
    return (this.models?.models ?? [])
      .filter(({ model, files, fit }) => {
        const here = files.kind === 'kept' || files.kind === 'none' || model.source.kind === 'site';
        return here && model.engine !== 'prompt-api' && fit.verdict !== 'cannot-run';
      })
      .map(({ model }) => model);
  }

  async refresh(): Promise<void> {
    this.runs = await this.api.listRuns();
    this.notify('runs');
  }

  private async start(): Promise<void> {
    await this.attempt(async () => {
      await this.api.subscribe((event) => this.receive(event));
      this.systems = await this.api.listSystems();
      await this.refresh();
    });
  }

  private receive(event: LabEvent): void {
    switch (event.kind) {
      case 'progress': {
        const own = this.progress.get(event.run) ?? new Map<string, BenchProgress>();
        this.progress.set(event.run, own.set(event.progress.system, event.progress));
        break;
      }
      case 'embedder':
        this.embedder = event.state;
        break;
      case 'answer-model':
        this.answerModel = event.progress;
        break;
      case 'lab-restarted':
        this.page.toast('The lab had stopped and was started again. What it ran can be resumed.');
        void this.attempt(() => this.refresh());
        break;
      case 'runs':
        void this.attempt(() => this.refresh());
        return;
    }
    this.notify(event.kind);
  }

  private notify(event: LabSessionEvent): void {
    for (const listener of this.listeners) listener(event);
  }
}

/** Draws its host anew on the lab's events of `kinds` while it is in the page. */
export class LabListener implements ReactiveController {
  private stop: (() => void) | undefined;

  constructor(
    private readonly host: ReactiveControllerHost & { lab: LabSession },
    private readonly kinds: readonly LabSessionEvent[],
  ) {
    host.addController(this);
  }

  hostConnected(): void {
    this.host.requestUpdate();
  }

  /** The session is a property, so it may come after the host is connected. */
  hostUpdate(): void {
    this.stop ??= this.host.lab.listen((event) => {
      if (this.kinds.includes(event)) this.host.requestUpdate();
    });
  }

  hostDisconnected(): void {
    this.stop?.();
    this.stop = undefined;
  }
}
