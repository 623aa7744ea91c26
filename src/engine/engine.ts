import { ANSWER_CACHE } from '../answer/files/cache-part-store.ts';
import { eraseLab } from '../bench/lab/lab-database.ts';
import { Mutex } from '../core/mutex.ts';
import type { NewTurn, Turn } from '../core/turn.ts';
import type { EmbedClient } from '../embed/client.ts';
import { HUB_CACHE } from '../embed/hub-files.ts';
import { type Backend, embeddingModel, SHIPPED_MODEL } from '../embed/registry.ts';
import { exportBackup } from '../store/backup.ts';
import { SkeinDatabase } from '../store/idb/database.ts';
import type {
  AskRecord,
  AsOfChoice,
  BackendChoice,
  ConfigurationName,
  EpisodeRecord,
  RecalledEpisode,
  ThreadRecord,
} from '../store/records.ts';
import { readStorageState, type StorageState } from '../store/storage-state.ts';
import { Asks } from './asks.ts';
import type {
  EmbedderChoice,
  EmbedderState,
  EngineApi,
  EngineEvent,
  EpisodeView,
  ImportOutcome,
  ImportTarget,
  NewAnswer,
  Period,
  Reach,
  SearchHit,
  ThreadView,
} from './contract.ts';
import { fetchDemo } from './demo.ts';
import { Embedders, embedderChoices } from './embedders.ts';
import { EventHub } from './event-hub.ts';
import { runImport } from './imports.ts';
import { IngestJobs, type VectorSource } from './ingest-jobs.ts';
import { Leadership } from './leadership.ts';
import { Memories } from './memories.ts';
import { episodeViews, searchHits } from './thread-reading.ts';
import { ThreadWriting } from './thread-writing.ts';

/** Starts the embed worker's client; it tells its state to `onState`. */
export type CreateEmbedClient = (model: string, onState: (state: EmbedderState) => void) => EmbedClient;

/**
 * The engine behind the page: threads, their memories, background ingest, import and export, and which tab
 * leads. A worker exposes it; it is tested without one. See `EngineApi` for what each call does.
 */
export class Engine implements EngineApi {
  private database!: SkeinDatabase;
  private readonly events = new EventHub((event) => this.heardFromOtherTab(event));
  private readonly leadership = new Leadership(() => this.changeRole());
  private readonly roleChanges = new Mutex();
  private readonly embed: EmbedClient;
  private readonly embedders: Embedders;
  private readonly memories: Memories;
  private readonly jobs: IngestJobs;
  private readonly writing: ThreadWriting;
  private readonly asks: Asks;
  private readonly started: Promise<void>;

  constructor(createEmbedClient: CreateEmbedClient) {
    this.embed = createEmbedClient(SHIPPED_MODEL, (state) => this.events.emit({ kind: 'embedder', state }));
    this.embedders = new Embedders(this.embed, SHIPPED_MODEL);
    this.memories = new Memories(
      () => this.database,
      this.embedders,
      (threadId) => this.jobs.isRunning(threadId),
    );
    this.jobs = new IngestJobs(
      (threadId) => this.memories.get(threadId),
      (event) => this.events.emit(event),
      (threadId) => this.memories.drop(threadId),
    );
    const { memories, jobs, events } = this;
    const parts = { database: () => this.database, memories, jobs, events };
    this.writing = new ThreadWriting(parts);
    this.asks = new Asks(parts, this.writing);
    this.started = this.start();
    // Every call waits for the start and rejects with its error.
    this.started.catch(() => {});
  }

  async subscribe(listener: (event: EngineEvent) => void): Promise<void> {
    this.events.listen(listener);
    await this.started;
    listener({ kind: 'tab', role: this.leadership.role });
    for (const event of this.jobs.current()) listener(event);
  }

  async listThreads(): Promise<ThreadView[]> {
    await this.started;
    return (await this.database.listThreads()).map((thread) => this.view(thread));
  }

  async createThread(name: string): Promise<ThreadView> {
    await this.started;
    const configuration = await this.database.readSetting('configuration');
    const thread = await this.database.createThread(name, configuration ? { configuration } : {});
    this.embedders.warmUp();
    this.events.emit({ kind: 'threads' });
    return this.view(thread);
  }

  async renameThread(threadId: string, name: string): Promise<void> {
    await this.started;
    await this.database.renameThread(threadId, name);
    this.events.emit({ kind: 'threads' });
  }

  async deleteThread(threadId: string): Promise<void> {
    await this.started;
    await this.jobs.stop(threadId);
    this.memories.drop(threadId);
    await this.database.deleteThread(threadId);
    this.events.emit({ kind: 'threads' });
  }

  async branchThread(threadId: string, turns: number, name: string): Promise<ThreadView> {
    await this.started;
    const thread = await this.writing.branch(threadId, turns, name);
    // Ready-made vectors take no time, and the first question is to find everything.
    await this.jobs.settled(thread.id);
    return this.view(await this.database.getThread(thread.id));
  }

  async configureThread(threadId: string, configuration: ConfigurationName): Promise<void> {
    await this.started;
    await this.writing.rebuild(threadId, configuration, true);
  }

  async reembedThread(threadId: string): Promise<void> {
    await this.started;
    const { configuration } = await this.database.getThread(threadId);
    await this.writing.rebuild(threadId, configuration, false);
  }

  async loadDemo(signal?: AbortSignal): Promise<{ threadId: string; questions: string[] }> {
    await this.started;
    this.embedders.warmUp();
    const demo = await fetchDemo(signal);
    const { name, questions, turns } = demo.thread;
    const { stamp } = await this.embedders.forThread(undefined);
    const vectors = await demo.vectorsFor(stamp);
    const { id } = await this.database.createThread(name, { questions });
    await this.database.getThreadStore(id).append(turns);
    this.events.emit({ kind: 'threads' });
    this.ingest(id, vectors);
    await this.jobs.settled(id);
    return { threadId: id, questions: [...questions] };
  }

  async exampleQuestions(threadId: string): Promise<string[]> {
    await this.started;
    return [...((await this.database.getThread(threadId)).questions ?? [])];
  }

  async append(threadId: string, turns: readonly NewTurn[]): Promise<{ from: number; to: number }> {
    await this.started;
    return this.writing.append(threadId, turns);
  }

  async readTurns(threadId: string, from: number, to: number): Promise<Turn[]> {
    await this.started;
    return this.database.getThreadStore(threadId).readTurns(from, to);
  }

  async editTurn(threadId: string, index: number, text: string): Promise<void> {
    await this.started;
    await this.writing.changeTexts(threadId, (memory) => memory.editTurn(index, text));
  }

  async eraseTurns(threadId: string, from: number, to: number): Promise<void> {
    await this.started;
    await this.writing.changeTexts(threadId, (memory) => memory.erase(from, to));
  }

  async resumeIngest(threadId: string): Promise<void> {
    await this.started;
    this.ingest(threadId);
  }

  async pauseIngest(threadId: string): Promise<void> {
    await this.started;
    await this.jobs.pause(threadId);
  }

  async ask(threadId: string, question: string, asOf?: AsOfChoice, signal?: AbortSignal): Promise<AskRecord> {
    await this.started;
    return this.asks.ask(threadId, question, asOf, signal);
  }

  async reach(threadId: string, asOf: AsOfChoice): Promise<Reach> {
    await this.started;
    return this.asks.reach(threadId, asOf);
  }

  async period(threadId: string): Promise<Period | undefined> {
    await this.started;
    return (await this.memories.get(threadId)).period();
  }

  async prepare(threadId: string): Promise<void> {
    await this.started;
    await (await this.memories.get(threadId)).prepare();
  }

  async recall(threadId: string, question: string, signal?: AbortSignal): Promise<RecalledEpisode[]> {
    await this.started;
    return (await this.memories.get(threadId)).recall(question, { signal });
  }

  async listAsks(threadId: string): Promise<AskRecord[]> {
    await this.started;
    return this.asks.list(threadId);
  }

  async removeAsk(threadId: string, askId: number): Promise<void> {
    await this.started;
    await this.asks.remove(threadId, askId);
  }

  async keepAnswer(threadId: string, askId: number, answer: NewAnswer): Promise<AskRecord> {
    await this.started;
    return this.asks.keepAnswer(threadId, askId, answer);
  }

  async showAnswer(threadId: string, askId: number, version: number): Promise<void> {
    await this.started;
    await this.asks.showAnswer(threadId, askId, version);
  }

  async listEpisodes(threadId: string): Promise<EpisodeView[]> {
    await this.started;
    return episodeViews(this.database.getThreadStore(threadId), await this.episodesOf(threadId));
  }

  async search(threadId: string, query: string, limit: number): Promise<SearchHit[]> {
    await this.started;
    const memory = await this.memories.get(threadId);
    return searchHits(this.database.getThreadStore(threadId), memory, query, limit);
  }

  async pinEpisode(threadId: string, episode: number, pinned: boolean): Promise<void> {
    await this.started;
    await this.writing.change(threadId, (memory) => memory.setPinned(episode, pinned));
  }

  async forgetEpisode(threadId: string, episode: number, forgotten: boolean): Promise<void> {
    await this.started;
    await this.writing.change(threadId, (memory) => memory.setForgotten(episode, forgotten));
  }

  async importFiles(
    files: readonly File[],
    target: ImportTarget,
    signal?: AbortSignal,
  ): Promise<ImportOutcome> {
    await this.started;
    const outcome = await runImport(files, {
      database: this.database,
      target,
      signal,
      onProgress: (file, progress) => this.events.emit({ kind: 'import', file, progress }),
    });
    this.events.emit({ kind: 'threads' });
    for (const threadId of outcome.threadIds) {
      // A job under way would not see what was stored behind its memory's back.
      await this.jobs.stop(threadId);
      this.memories.drop(threadId);
      this.ingest(threadId);
    }
    return outcome;
  }

  async exportThread(threadId: string): Promise<{ name: string; blob: Blob }> {
    await this.started;
    const { name } = await this.database.getThread(threadId);
    return { name: backupName(name), blob: await exportBackup(this.database, [threadId]) };
  }

  async exportEverything(): Promise<{ name: string; blob: Blob }> {
    await this.started;
    return { name: backupName('all threads'), blob: await exportBackup(this.database) };
  }

  async eraseEverything(): Promise<void> {
    await this.started;
    await this.jobs.stopAll();
    this.memories.dropAll();
    await this.database.eraseEverything();
    await eraseLab();
    await caches.delete(HUB_CACHE);
    await caches.delete(ANSWER_CACHE);
    this.embedders.model = SHIPPED_MODEL;
    this.embedders.backend = undefined;
    this.embed.close();
    this.events.emit({ kind: 'threads' });
  }

  storage(): Promise<StorageState> {
    return readStorageState();
  }

  async embedderChoices(): Promise<EmbedderChoice[]> {
    return embedderChoices();
  }

  async embedderState(): Promise<EmbedderState> {
    return this.embed.state;
  }

  async chooseEmbedder(model: string): Promise<void> {
    await this.started;
    embeddingModel(model);
    await this.jobs.stopAll();
    this.memories.dropAll();
    await this.database.writeSetting('embedder', model);
    this.embedders.model = model;
    this.embedders.warmUp();
  }

  async backendChoice(): Promise<BackendChoice> {
    await this.started;
    return this.embedders.backend ?? 'automatic';
  }

  async chooseBackend(choice: BackendChoice): Promise<void> {
    await this.started;
    await this.jobs.stopAll();
    await this.database.writeSetting('backend', choice);
    this.embedders.backend = backendOf(choice);
    // A worker keeps the runtime it began with, and each backend wants its own.
    this.embed.close();
    this.embedders.warmUp();
    await this.goOn();
  }

  async takeOver(): Promise<void> {
    await this.started;
    await this.leadership.take();
  }

  private async start(): Promise<void> {
    await this.leadership.start();
    this.database = await SkeinDatabase.open();
    this.database.readOnly = this.leadership.role === 'reader';
    this.embedders.model = (await this.database.readSetting('embedder')) ?? SHIPPED_MODEL;
    this.embedders.backend = backendOf(await this.database.readSetting('backend'));
    // A first visit fetches no model before the person does something that needs one.
    if ((await this.database.listThreads()).length > 0) this.embedders.warmUp();
    if (this.leadership.role === 'leader') await this.goOn();
  }

  /** Goes on with what a closed tab left to embed. */
  private async goOn(): Promise<void> {
    for (const thread of await this.database.listThreads()) {
      const stampFits = !thread.stamp || thread.ingested === 0 || thread.stamp.model === this.embedders.model;
      if (thread.ingested < thread.turns && stampFits) this.ingest(thread.id);
    }
  }

  private changeRole(): void {
    // The first role comes before the database is open, and `start` takes care of it.
    if (this.database) void this.roleChanges.run(() => this.takeRole());
  }

  /** What was begun in the old role ends first. The database stays open, so that reading goes on all the while. */
  private async takeRole(): Promise<void> {
    await this.jobs.stopAll();
    this.memories.dropAll();
    const { role } = this.leadership;
    this.database.readOnly = role === 'reader';
    this.events.emit({ kind: 'tab', role });
    this.events.emit({ kind: 'threads' });
    if (role === 'leader') await this.goOn();
  }

  private heardFromOtherTab(event: EngineEvent): void {
    if ('threadId' in event) this.memories.drop(event.threadId);
    else this.memories.dropAll();
  }

  private ingest(threadId: string, vectors?: VectorSource): void {
    this.jobs.start(threadId, vectors);
  }

  /** Episodes can be listed though the thread's embedder is not the chosen one. */
  private async episodesOf(threadId: string): Promise<readonly EpisodeRecord[]> {
    const memory = await this.writing.memoryIfEmbedded(threadId);
    return memory?.episodes ?? (await this.database.getThreadStore(threadId).load()).episodes;
  }

  private view({ segmenter: _, ...thread }: ThreadRecord): ThreadView {
    return { ...thread, ingesting: this.jobs.isRunning(thread.id) };
  }
}

function backendOf(choice: BackendChoice | undefined): Backend | undefined {
  return choice === 'automatic' ? undefined : choice;
}

function backupName(of: string): string {
  const day = new Date().toISOString().slice(0, 10);
  const safe =
    of
      .replace(/[^\p{L}\p{N}]+/gu, '-')
      .replace(/^-|-$/g, '')
      .slice(0, 40) || 'thread';
  return `skein-${safe}-${day}.skein`;
}
