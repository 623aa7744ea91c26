import type { ReactiveControllerHost } from 'lit';
import type { AnswerEngine } from '../../answer/answer-engine.ts';
import type { Device, Fit } from '../../answer/device.ts';
import type { FetchOptions, KeptModel, ModelFiles } from '../../answer/files/model-files.ts';
import type { AnswerModel } from '../../answer/models.ts';
import { abortedError, SkeinError, toSkeinError } from '../../core/errors.ts';
import { SourceListener } from '../parts/source-listener.ts';
import type { ModelSettings } from './model-settings.ts';
import type { FilesState, LoadState, ModelView } from './model-view.ts';

/** `models`: the list, its files or the choice changed; `load`: the chosen model's engine did. */
export type ModelsEvent = 'models' | 'load';

/** What the session stands on; a test gives its own. */
export interface ModelsPorts {
  readonly files: ModelFiles;
  readonly settings: ModelSettings;
  detectDevice(): Promise<Device>;
  /** Every model that can be chosen, best first. */
  catalogue(own: readonly AnswerModel[], device: Device): Promise<readonly AnswerModel[]>;
  fits(model: AnswerModel, device: Device, kept: boolean): Fit;
  /** Downloads what is missing of a model's files and checks them, as its engine does when it loads. */
  download(model: AnswerModel, options: FetchOptions): Promise<void>;
  /** The engine for models of this kind; the same one again for kinds that share a worker. */
  connect(model: AnswerModel, endpointKey: string | undefined): Promise<AnswerEngine>;
  /** Asks the browser to keep this site's data; whether it does. */
  persist(): Promise<boolean>;
}

const SHOW_EACH_MS = 100;

/**
 * What the page knows of language models: the list with what fits this device, the choice, running downloads, and
 * the engine of the chosen model. The Models view and the chat read from here.
 */
export class ModelsSession {
  models: readonly ModelView[] = [];
  device: Device | undefined;
  load: LoadState = { kind: 'idle' };
  /** Whether the browser promised to keep this site's data; undefined until it was asked. */
  persisted: boolean | undefined;
  private listed: readonly AnswerModel[] = [];
  private kept: readonly KeptModel[] = [];
  /** States that are not read from the files: of downloads that run or failed. */
  private readonly work = new Map<string, FilesState>();
  private readonly downloads = new Map<
    string,
    { readonly control: AbortController; readonly ended: Promise<void> }
  >();
  private readonly listeners = new Set<(event: ModelsEvent) => void>();
  private current:
    | {
        readonly id: string;
        readonly engine: Promise<AnswerEngine>;
        readonly control: AbortController;
        loading: boolean;
      }
    | undefined;
  private started: Promise<void> | undefined;
  private shownAt = 0;
  private connected: AnswerEngine | undefined;
  /** Keys of endpoints that are not kept beyond this page. */
  private readonly keys = new Map<string, string>();

  constructor(private readonly ports: ModelsPorts) {
    // Callers that wait for it hear of a failure.
    if (ports.settings.chosen !== undefined) this.ready.catch(() => {});
  }

  /** Settles when the first list is there, which nobody makes before it is needed. */
  get ready(): Promise<void> {
    if (!this.started) {
      this.started = this.refresh();
      this.started.catch(() => {
        this.started = undefined;
      });
    }
    return this.started;
  }

  /** Calls `listener` on every event until the returned function is called. */
  listen(listener: (event: ModelsEvent) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** The chosen model; undefined: recall only. */
  get chosen(): AnswerModel | undefined {
    const { chosen } = this.ports.settings;
    return this.listed.find(({ id }) => id === chosen);
  }

  /** The chosen model once the list is there; where none was chosen, at once and without a list. */
  async choice(): Promise<AnswerModel | undefined> {
    if (this.ports.settings.chosen === undefined) return undefined;
    await this.ready;
    return this.chosen;
  }

  /** Chooses a model, or recall only. The engine is loaded when `engine` is first called. */
  choose(id: string | undefined): void {
    if (id !== undefined) this.require(id);
    if (id !== this.ports.settings.chosen) this.letGo();
    this.ports.settings.chosen = id;
    this.show();
  }

  /**
   * The engine with the chosen model loaded, again where its worker died; `load` tells how far it is. Calls while it
   * loads share that load, and an abort of `signal` ends it. Rejects as `AnswerEngine.load` does, and with `not-found` where none is chosen.
   */
  async engine(signal?: AbortSignal): Promise<AnswerEngine> {
    await this.ready;
    if (signal?.aborted) throw abortedError();
    const model = this.chosen;
    if (!model) throw new SkeinError('not-found', 'No language model is chosen.', 'Choose one under Models.');
    if (this.current?.id === model.id && this.current.loading) return this.current.engine;
    const control = new AbortController();
    const engine = this.start(model, control, signal);
    const entry = { id: model.id, engine, control, loading: true };
    this.current = entry;
    engine.then(
      () => {
        entry.loading = false;
      },
      () => {
        if (this.current === entry) this.current = undefined;
      },
    );
    return engine;
  }

  /** Downloads what is missing of a model; resolves when it is whole, was paused or failed: `models` tells which. */
  async download(id: string): Promise<void> {
    const model = this.require(id);
    const running = this.downloads.get(id);
    if (running) return running.ended;
    const control = new AbortController();
    const ended = this.run(model, control.signal);
    this.downloads.set(id, { control, ended });
    await ended;
  }

  /** Stops a download; what came stays. */
  pause(id: string): void {
    this.downloads.get(id)?.control.abort();
  }

  /** Deletes a model's files, and a model of one's own from the list; a chosen one is no longer chosen. */
  async remove(id: string): Promise<void> {
    await this.stop(id);
    if (this.ports.settings.chosen === id) {
      this.choose(undefined);
      // A load that was under way holds the files until the engine has let go of them.
      await this.connected?.unload().catch(() => {});
    }
    await this.ports.files.remove(id);
    this.work.delete(id);
    this.setEndpointKey(id, undefined, false);
    const { own } = this.ports.settings;
    this.ports.settings.own = own.filter((model) => model.id !== id);
    await this.refresh();
  }

  /** Adds a model of one's own, with the files that were dropped for it, in place of one of the same id. */
  async add(
    model: AnswerModel,
    files: readonly { readonly path: string; readonly blob: Blob }[] = [],
  ): Promise<void> {
    if (this.ports.settings.chosen === model.id) {
      this.letGo();
      await this.connected?.unload().catch(() => {});
    }
    if (files.length > 0) await this.ports.files.put(model.id, files, { whole: true });
    const others = this.ports.settings.own.filter(({ id }) => id !== model.id);
    this.ports.settings.own = [...others, model];
    await this.refresh();
  }

  /** The key that is sent to the endpoint of model `id`; kept on the device only where `keep` says so. */
  setEndpointKey(id: string, key: string | undefined, keep: boolean): void {
    if (key === undefined) this.keys.delete(id);
    else this.keys.set(id, key);
    this.ports.settings.keepEndpointKey(id, keep ? key : undefined);
    if (this.ports.settings.chosen === id) this.letGo();
  }

  /** Forgets every choice and frees the engine; the files are erased with everything else. */
  async erase(): Promise<void> {
    await Promise.all([...this.downloads.keys()].map((id) => this.stop(id)));
    this.letGo();
    this.ports.settings.erase();
    this.keys.clear();
    for (const { modelId } of await this.ports.files.list()) {
      // Files that another tab works on go with the whole cache, which the engine deletes.
      await this.ports.files.remove(modelId).catch(() => {});
    }
    this.work.clear();
    await this.refresh();
  }

  /** Reads again what this device has and holds. */
  async refresh(): Promise<void> {
    this.device = await this.ports.detectDevice();
    this.listed = await this.ports.catalogue(this.ports.settings.own, this.device);
    const held = this.load.kind === 'failed' ? this.load.model.id : this.current?.id;
    // Another tab has chosen another model.
    if (held !== undefined && held !== this.ports.settings.chosen) this.letGo();
    await this.readFiles();
  }

  private async readFiles(): Promise<void> {
    this.kept = await this.ports.files.list();
    this.show();
  }

  private async run(model: AnswerModel, signal: AbortSignal): Promise<void> {
    const { id } = model;
    this.setWork(id, { kind: 'starting', elsewhere: false });
    let end: FilesState | undefined;
    try {
      // Not waited for: some browsers ask the person, who need not answer at once.
      void this.ports.persist().then((persisted) => {
        this.persisted = persisted;
      });
      await this.ports.download(model, {
        signal,
        onProgress: (loadedBytes, totalBytes) =>
          this.setWork(id, { kind: 'downloading', loadedBytes, totalBytes }),
        onWaiting: () => this.setWork(id, { kind: 'starting', elsewhere: true }),
      });
    } catch (error) {
      const { code, message, remedy } = toSkeinError(error, 'download-failed');
      if (code !== 'aborted') end = { kind: 'failed', keptBytes: 0, message, remedy };
    }
    this.downloads.delete(id);
    if (end) this.work.set(id, end);
    else this.work.delete(id);
    await this.readFiles();
  }

  private async stop(id: string): Promise<void> {
    this.pause(id);
    await this.downloads.get(id)?.ended;
  }

  private async start(
    model: AnswerModel,
    control: AbortController,
    signal: AbortSignal | undefined,
  ): Promise<AnswerEngine> {
    // A model that was ready most likely still is: then nothing is shown of a load.
    const before = this.load.kind === 'ready' ? this.load.loaded : undefined;
    if (before?.model.id !== model.id) this.setLoad({ kind: 'loading', model, progress: undefined });
    // Another choice has been made: what this load says counts no more.
    const stale = () => this.current?.control !== control;
    try {
      const engine = await this.ports.connect(model, this.keyOf(model.id));
      if (this.connected !== engine) await this.connected?.unload();
      this.connected = engine;
      const loaded = await engine.load(model, {
        onProgress: (progress) => {
          if (!stale()) this.setLoad({ kind: 'loading', model, progress });
        },
        signal: signal ? AbortSignal.any([signal, control.signal]) : control.signal,
      });
      if (loaded === before && this.load.kind === 'ready') return engine;
      if (!stale()) this.setLoad({ kind: 'ready', loaded });
      void this.readFiles().catch(() => {});
      return engine;
    } catch (error) {
      const { code, message, remedy } = toSkeinError(error);
      if (!stale()) {
        this.setLoad(code === 'aborted' ? { kind: 'idle' } : { kind: 'failed', model, message, remedy });
      }
      throw error;
    }
  }

  /** The key of an endpoint that the person gave, if any. */
  keyOf(id: string): string | undefined {
    return this.keys.get(id) ?? this.ports.settings.endpointKey(id);
  }

  /** Frees the engine of the model that was chosen. */
  private letGo(): void {
    this.current?.control.abort();
    this.current = undefined;
    void this.connected?.unload().catch(() => {});
    this.setLoad({ kind: 'idle' });
  }

  private require(id: string): AnswerModel {
    const model = this.listed.find((listed) => listed.id === id);
    if (model) return model;
    throw new SkeinError(
      'not-found',
      `There is no language model "${id}".`,
      'Choose another one under Models.',
    );
  }

  private setWork(id: string, state: FilesState): void {
    const before = this.work.get(id)?.kind;
    this.work.set(id, state);
    const now = performance.now();
    // A download tells of every piece, which is far more often than anybody can see.
    if (state.kind === before && now - this.shownAt < SHOW_EACH_MS) return;
    this.shownAt = now;
    this.show();
  }

  private setLoad(load: LoadState): void {
    this.load = load;
    this.notify('load');
  }

  private show(): void {
    const { device } = this;
    if (!device) return;
    const { chosen } = this.ports.settings;
    this.models = this.listed.map((model) => {
      const files = this.filesState(model);
      const fit = this.ports.fits(model, device, files.kind === 'kept');
      return { model, fit, files, chosen: model.id === chosen };
    });
    this.notify('models');
  }

  private filesState(model: AnswerModel): FilesState {
    const kept = this.kept.find(({ modelId }) => modelId === model.id);
    const work = this.work.get(model.id);
    if (work) return work.kind === 'failed' ? { ...work, keptBytes: kept?.bytes ?? 0 } : work;
    if (kept) {
      return kept.complete ? { kind: 'kept', bytes: kept.bytes } : { kind: 'paused', keptBytes: kept.bytes };
    }
    const { kind } = model.source;
    return kind === 'browser' || kind === 'endpoint' ? { kind: 'none' } : { kind: 'absent' };
  }

  private notify(event: ModelsEvent): void {
    for (const listener of [...this.listeners]) listener(event);
  }
}

/** Draws its host anew on the session's events while it is on the page. */
export class ModelsListener extends SourceListener<ModelsEvent> {
  constructor(
    host: ReactiveControllerHost & { readonly models: ModelsSession | undefined },
    kinds: readonly ModelsEvent[] = ['models', 'load'],
  ) {
    super(
      host,
      () => host.models,
      (event) => kinds.includes(event),
    );
  }
}
