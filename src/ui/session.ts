import type { ReactiveControllerHost } from 'lit';
import { type SkeinError, toSkeinError } from '../core/errors.ts';
import type { Progress } from '../core/progress.ts';
import type { EmbedderState, EngineApi, EngineEvent, TabRole, ThreadView } from '../engine/contract.ts';
import { SourceListener } from './parts/source-listener.ts';

/** How far the embedding of a thread has come. */
export interface Ingest {
  readonly progress: Progress;
  readonly paused: boolean;
  readonly problem?: { readonly message: string; readonly remedy: string };
}

export interface ToastAction {
  readonly label: string;
  /** The message stays until it is closed. */
  readonly stays?: boolean;
  run(): void | Promise<void>;
}

export interface Toast {
  readonly id: number;
  readonly text: string;
  readonly remedy?: string;
  readonly problem: boolean;
  readonly action?: ToastAction;
}

export type SessionEvent = EngineEvent | { readonly kind: 'toasts' };

/**
 * What the page knows of the engine: threads, embedder, role and running ingests, kept current by the
 * engine's events; and the messages shown to the person. Every view reads from here and calls `engine`.
 */
export class Session {
  threads: readonly ThreadView[] = [];
  embedder: EmbedderState = { kind: 'idle', model: '' };
  role: TabRole = 'leader';
  readonly ingests = new Map<string, Ingest>();
  toasts: readonly Toast[] = [];
  /** Settles when the first list of threads has been read, or could not be. */
  readonly ready: Promise<void>;
  private readonly listeners = new Set<(event: SessionEvent) => void>();
  private nextToast = 1;

  constructor(readonly engine: EngineApi) {
    this.ready = this.start();
  }

  /** Calls `listener` on every event until the returned function is called. */
  listen(listener: (event: SessionEvent) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  thread(id: string): ThreadView | undefined {
    return this.threads.find((thread) => thread.id === id);
  }

  /** True while this tab may not write. */
  get readOnly(): boolean {
    return this.role === 'reader';
  }

  toast(text: string, action?: ToastAction): void {
    this.addToast(action ? { text, action, problem: false } : { text, problem: false });
  }

  /** Shows what went wrong and what to do. Work that the person stopped is not an error. */
  fail(error: unknown): SkeinError {
    const problem = toSkeinError(error);
    if (problem.code !== 'aborted') {
      this.addToast({ text: problem.message, remedy: problem.remedy, problem: true });
    }
    return problem;
  }

  dismiss(id: number): void {
    this.toasts = this.toasts.filter((toast) => toast.id !== id);
    this.notify({ kind: 'toasts' });
  }

  /** Runs `work`; a failure becomes a toast and `undefined`. */
  async attempt<T>(work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      this.fail(error);
      return undefined;
    }
  }

  async refreshThreads(): Promise<void> {
    this.threads = await this.engine.listThreads();
    this.notify({ kind: 'threads' });
  }

  private async start(): Promise<void> {
    try {
      await this.engine.subscribe((event) => this.receive(event));
      this.embedder = await this.engine.embedderState();
      await this.refreshThreads();
    } catch (error) {
      this.fail(error);
    }
  }

  private receive(event: EngineEvent): void {
    if (event.kind === 'threads') {
      void this.attempt(() => this.refreshThreads());
      return;
    }
    this.absorb(event);
    this.notify(event);
  }

  private absorb(event: Exclude<EngineEvent, { kind: 'threads' }>): void {
    switch (event.kind) {
      case 'turns':
        this.threads = this.threads.map((thread) =>
          thread.id === event.threadId ? { ...thread, turns: event.turns } : thread,
        );
        break;
      case 'ingest':
        this.ingests.set(event.threadId, { progress: event.progress, paused: event.paused });
        break;
      case 'ingest-done':
        this.ingests.delete(event.threadId);
        break;
      case 'ingest-failed': {
        const progress = this.ingests.get(event.threadId)?.progress ?? { done: 0, total: 0, rate: 0 };
        this.ingests.set(event.threadId, {
          progress,
          paused: true,
          problem: { message: event.message, remedy: event.remedy },
        });
        break;
      }
      case 'embedder':
        this.embedder = event.state;
        break;
      case 'tab':
        this.role = event.role;
        break;
      case 'engine-restarted':
        this.ingests.clear();
        this.toast('The engine had stopped and was started again. What was saved is all there.');
        void this.attempt(() => this.refreshThreads());
        break;
      default:
        // Episodes, asks and imports are read by the views that show them.
        break;
    }
  }

  private addToast(toast: Omit<Toast, 'id'>): void {
    const kept = this.toasts.filter((old) => old.text !== toast.text).slice(-2);
    this.toasts = [...kept, { ...toast, id: this.nextToast++ }];
    this.notify({ kind: 'toasts' });
  }

  private notify(event: SessionEvent): void {
    for (const listener of [...this.listeners]) listener(event);
  }
}

/** Keeps an element current: hears the session while the element is on the page. */
export class SessionListener extends SourceListener<SessionEvent> {
  /** `onEvent` says whether the element has to be drawn again. */
  constructor(
    host: ReactiveControllerHost & { readonly session: Session },
    onEvent: (event: SessionEvent) => boolean = () => true,
  ) {
    super(host, () => host.session, onEvent);
  }
}
