import { SkeinError, throwIfAborted } from '../core/errors.ts';
import { Mutex } from '../core/mutex.ts';
import { wellFormed } from '../core/text.ts';
import type { NewTurn, Turn } from '../core/turn.ts';
import { yieldToEvents } from '../core/yield.ts';
import { type Embedder, type EmbedderStamp, stampKey } from '../embed/embedder.ts';
import { FlatIndex } from '../index/flat/flat-index.ts';
import type { CreateVectorIndex } from '../index/vector-index.ts';
import type {
  AskRecord,
  ConfigurationName,
  EpisodeRecord,
  RecalledEpisode,
  SettledAsk,
  StoredThread,
  ThreadRecord,
} from '../store/records.ts';
import type { ThreadStore } from '../store/thread-store.ts';
import { recallWithin, withLater } from './as-of.ts';
import { type Configuration, configuration } from './configurations.ts';
import { contextRanges } from './context.ts';
import { createRanker, loadRanker } from './create.ts';
import { MARKS, type Mark, marksOf } from './marks.ts';
import type { Ranker, RankerQuery } from './ranker.ts';
import { keptTurns, type Reach, reachOfPlace, reachOfTime, type Until } from './reach.ts';
import { explain } from './recall.ts';
import { type Derived, ThreadState } from './thread-state.ts';
import { type Period, periodOf, TurnTimes } from './turn-times.ts';
import { type TurnVectorOptions, vectorsOfTurns } from './turn-vectors.ts';

/** What a memory stands on. */
export interface MemoryPorts {
  readonly store: ThreadStore;
  readonly embedder: Embedder;
  /** Left out: the exact flat index. */
  readonly createVectorIndex?: CreateVectorIndex;
  /** For measurements, constants other than those the thread's configuration names; with a store of its own. */
  readonly configuration?: Configuration;
}

export interface CatchUpOptions extends Omit<TurnVectorOptions, 'onProgress'> {
  /** Called after each durable step, and within long ones, with the number of ingested turns. */
  readonly onProgress?: (ingested: number, total: number) => void;
  /** Turns a step; what a kill can cost. */
  readonly stepTurns?: number;
}

export interface RecallOptions {
  /** Episodes wanted; left out, the configuration's own number. */
  readonly k?: number;
  /** A ready-made vector of the question. */
  readonly vector?: Float32Array;
  /** Only what was said up to then is recalled, or looked at in any way; a `Reach` is what `reach` makes of it. */
  readonly until?: Until | Reach;
  readonly signal?: AbortSignal;
}

const STEP_TURNS = 128;
/** Turns ingested since the lexical cache was written, from which on it is written again. */
const CACHE_AFTER_TURNS = 128;
const LEXICAL_CACHE = 'lexical';

/**
 * The memory of one thread: turns come in as a stream, are durable at once, are cut into episodes as they are
 * embedded (M1), kept under several views (M2), and recalled as whole episodes (M3).
 *
 * It runs wherever its ports do: no DOM, no worker, no storage of its own. Changes queue up; a recall sees what
 * is ingested at that moment.
 */
export class EpisodicMemory {
  readonly configuration: Configuration;
  private readonly state: ThreadState;
  private readonly ranker: Ranker;
  private readonly appends = new Mutex();
  private readonly changes = new Mutex();
  private readonly viewChanges = new Mutex();
  private readonly times: TurnTimes;
  private storedTurns: number;
  private cachedTurns = 0;
  /** True once the views run ahead of the store for good. */
  private broken = false;

  private constructor(
    private readonly ports: MemoryPorts,
    { thread }: StoredThread,
  ) {
    const { store, embedder, createVectorIndex = (dimension) => new FlatIndex(dimension) } = ports;
    this.storedTurns = thread.turns;
    this.configuration = ports.configuration ?? configuration(thread.configuration, embedder.stamp.model);
    this.state = new ThreadState(this.configuration, store, embedder, createVectorIndex);
    this.ranker = createRanker(this.configuration);
    this.times = new TurnTimes(store);
  }

  /**
   * Opens a thread's memory; nothing is embedded, and of the texts only those are read that no cache covers.
   * Throws `stamp-mismatch` when the thread's vectors were made by another embedder.
   */
  static async open(ports: MemoryPorts): Promise<EpisodicMemory> {
    const [stored, cache] = await Promise.all([ports.store.load(), ports.store.readCache(LEXICAL_CACHE)]);
    checkStamp(stored.thread, ports.embedder);
    const memory = new EpisodicMemory(ports, stored);
    // Begun now; waited for, and told when it fails, only where something is ranked.
    loadRanker(memory.configuration).catch(() => {});
    await memory.restore(stored, cache);
    return memory;
  }

  /** Turns stored. */
  get turns(): number {
    return this.storedTurns;
  }

  /** Turns that can be recalled. */
  get ingested(): number {
    return this.state.views.size;
  }

  /** The embedder that this memory embeds with. */
  get stamp(): EmbedderStamp {
    return this.ports.embedder.stamp;
  }

  get episodes(): readonly EpisodeRecord[] {
    return this.state.episodes.all;
  }

  /** The episode that holds an ingested turn. */
  episodeOf(turn: number): number {
    return this.state.views.episodeOf(turn);
  }

  /**
   * Stores turns at the end of the thread; resolves when they are durable, and waits for no embedding.
   * `catchUp` makes them recallable. `settles`: see `ThreadStore.append`.
   */
  append(turns: readonly NewTurn[], settles?: SettledAsk): Promise<{ from: number; to: number }> {
    return this.appends.run(async () => {
      const from = await this.ports.store.append(turns, settles);
      this.storedTurns = from + turns.length;
      return { from, to: this.storedTurns };
    });
  }

  /**
   * Embeds and segments every stored turn that is not ingested yet, step by step; each step is durable.
   * When it is stopped (`aborted`), finished steps stay and a later call goes on from there.
   */
  async catchUp(options: CatchUpOptions = {}): Promise<void> {
    while (this.ingested < this.turns) {
      throwIfAborted(options.signal);
      await this.ingestStep(options);
      options.onProgress?.(this.ingested, this.turns);
    }
    if (this.ingested - this.cachedTurns >= CACHE_AFTER_TURNS) await this.saveCache();
  }

  /** Writes the lexical indexes down, so that opening need not read the texts. */
  saveCache(): Promise<void> {
    // In turn with other changes: a cache from before an erasure must not be written after it.
    return this.changes.run(async () => {
      this.checkFresh();
      const cache = this.state.views.lexicalCache();
      await this.ports.store.writeCache(LEXICAL_CACHE, cache);
      this.cachedTurns = cache.turns;
    });
  }

  /**
   * The episodes that decide a question, best first. An empty memory recalls nothing. `bad-argument` when it is to be
   * recalled up to a time and no turn has one.
   */
  async recall(question: string, options: RecallOptions = {}): Promise<RecalledEpisode[]> {
    const { k = this.configuration.recalled, until, signal } = options;
    if (this.ingested === 0) return [];
    const vector = options.vector ?? (await this.embedQuestion(question, signal, !until));
    const reach = until && ('runs' in until ? until : await this.reach(until));
    await loadRanker(this.configuration);
    return this.viewChanges.run(async () => {
      throwIfAborted(signal);
      const query = { text: question, vector };
      return reach ? this.rankWithin(reach, query, k) : this.rank(query, k);
    });
  }

  /** The ingested turns that were said up to then. Errors: `bad-argument`, as `recall`. */
  async reach(until: Until): Promise<Reach> {
    const { ingested } = this;
    if ('turns' in until) return reachOfPlace(until.turns, ingested);
    return reachOfTime(until.before, await this.times.upTo(ingested));
  }

  /** When the turns were said, those that are not ingested yet too; undefined when none has a time. */
  async period(): Promise<Period | undefined> {
    return periodOf(await this.times.upTo(this.storedTurns));
  }

  /**
   * The vector of a question, as `recall` takes it. While the embedder works, its words are looked up in the whole
   * thread, but for `lookUp` of false.
   */
  async embedQuestion(question: string, signal?: AbortSignal, lookUp = true): Promise<Float32Array> {
    if (question.trim() === '') {
      throw new SkeinError('bad-argument', 'The question is empty.', 'Write what you want to know.');
    }
    const embedding = this.ports.embedder.embed([question], { kind: 'query', signal });
    if (lookUp) this.lookUpBeside(embedding, question);
    const [vector] = await embedding;
    return vector!;
  }

  /** Prepares for a question as long as it is being embedded. What keeps that from being done is told by `recall`. */
  private lookUpBeside(embedding: Promise<unknown>, question: string): void {
    let settled = false;
    const settle = () => {
      settled = true;
    };
    embedding.then(settle, settle);
    // An event later, when the question is on its way to the embedder.
    yieldToEvents()
      .then(() => (settled ? undefined : this.prepare(question)))
      .catch(() => {});
  }

  /** Does ahead what the next `recall` would have to before it ranks; of a given question, all but for its vector. */
  async prepare(question?: string): Promise<void> {
    await loadRanker(this.configuration);
    return this.viewChanges.run(async () => {
      this.checkFresh();
      this.ranker.prepare?.(this.state.views, question);
    });
  }

  /**
   * The part of `recall` behind the embedding: all views and the ranking, but for words that `prepare` looked up.
   * After `recall` or `prepare`.
   */
  rank(query: RankerQuery, k = this.configuration.recalled): RecalledEpisode[] {
    this.checkFresh();
    const { views } = this.state;
    return this.ranker.rank(query, views, k).map((ranked) => explain(ranked, query, views));
  }

  /** The turns of recalled episodes as they stand in a prompt: in thread order, long episodes capped. */
  async context(recalled: readonly RecalledEpisode[]): Promise<Turn[]> {
    const ranges = contextRanges(recalled, this.configuration.promptCap);
    const parts = await Promise.all(ranges.map(({ start, end }) => this.ports.store.readTurns(start, end)));
    return parts.flat();
  }

  /** Turns that hold words of `query`, best first, with their BM25 score. */
  search(query: string, limit: number): { turn: number; score: number }[] {
    this.checkFresh();
    const each = Uint32Array.from({ length: this.ingested }, (_, i) => i);
    const scores = this.state.views.words.scoreGroups(query, each);
    const hits: { turn: number; score: number }[] = [];
    scores.forEach((score, turn) => {
      if (score > 0) hits.push({ turn, score });
    });
    return hits.sort((a, b) => b.score - a.score || a.turn - b.turn).slice(0, limit);
  }

  /** Keeps an episode from being recalled, or lets it be recalled again. */
  setForgotten(episode: number, forgotten: boolean): Promise<void> {
    return this.changes.run(async () => {
      const { forgottenAt: _, ...record } = this.state.requireEpisode(episode);
      await this.putEpisode(forgotten ? { ...record, forgottenAt: Date.now() } : record);
      this.state.refreshEligibility(episode);
    });
  }

  setPinned(episode: number, pinned: boolean): Promise<void> {
    return this.changes.run(async () => {
      const { pinned: _, ...record } = this.state.requireEpisode(episode);
      await this.putEpisode(pinned ? { ...record, pinned } : record);
    });
  }

  /** Replaces the text of a turn, here and in everything derived from it; `asks` are stored with it. */
  editTurn(index: number, newText: string, asks: readonly AskRecord[] = []): Promise<void> {
    const text = wellFormed(newText);
    return this.changes.run(async () => {
      this.checkFresh();
      if (text.trim() === '') {
        throw new SkeinError('bad-argument', 'The new text is empty.', 'Erase the turn instead.');
      }
      if (!(Number.isInteger(index) && index >= 0 && index < this.turns)) {
        throw new SkeinError('not-found', `The thread has no turn ${index}.`, 'Reload the thread.');
      }
      if (index >= this.ingested) {
        await this.ports.store.rewriteTurn(index, text, undefined, { asks });
        return this.keepMarks();
      }
      const [vector] = await this.ports.embedder.embed([text], { kind: 'passage' });
      await this.rewrite([index], text, vector, (derived) =>
        this.ports.store.rewriteTurn(index, text, vector, { ...derived, asks }),
      );
    });
  }

  /** Erases turns `from` to `to - 1` for good: their text stays in no store, index or summary. */
  erase(from: number, to: number): Promise<void> {
    return this.changes.run(async () => {
      const turns = range(Math.max(0, from), Math.min(to, this.ingested));
      await this.rewrite(turns, '', undefined, (derived) => this.ports.store.erase(from, to, derived));
      this.times.forget(Math.max(0, from));
    });
  }

  /**
   * Starts over under another configuration: drops the episodes, and the vectors too when they are of another
   * embedder. What was pinned or forgotten stays so. Open the memory again afterwards; `catchUp` rebuilds it.
   */
  static async reconfigure(store: ThreadStore, name: ConfigurationName, keepVectors: boolean): Promise<void> {
    const { thread, episodes } = await store.load();
    const marks = [...(await readMarks(store, thread.ingested)), ...marksOf(episodes)];
    await store.reset(name, keepVectors);
    await store.writeCache(MARKS, marks);
  }

  /** Recalls from the turns within reach; what came since is named, and changes nothing. */
  private rankWithin(reach: Reach, query: RankerQuery, k: number): RecalledEpisode[] {
    const { views } = this.state;
    if (reach.turns === 0 || reach.turns === views.size) return reach.turns === 0 ? [] : this.rank(query, k);
    this.checkFresh();
    const kept = keptTurns(reach);
    const recalled = recallWithin(kept, query, views, this.configuration, k);
    return withLater(recalled, this.rank(query, k), kept);
  }

  private async restore(stored: StoredThread, cache: unknown): Promise<void> {
    const { store } = this.ports;
    const { ingested, turns } = stored.thread;
    if (ingested < turns) this.state.marks = await readMarks(store, ingested);
    this.cachedTurns = await this.state.restore(stored, cache);
  }

  /** Embeds the next turns, and takes them unless something was ingested or rewritten meanwhile. */
  private async ingestStep({
    stepTurns = STEP_TURNS,
    onProgress,
    ...options
  }: CatchUpOptions): Promise<void> {
    const { store, embedder } = this.ports;
    this.checkFresh();
    const from = this.ingested;
    const turns = await store.readTurns(from, from + stepTurns);
    const vectors = await vectorsOfTurns(turns, store, embedder, {
      ...options,
      onProgress: (done) => onProgress?.(from + done, this.turns),
    });
    throwIfAborted(options.signal);
    await this.changes.run(async () => {
      const now = await store.readTurns(from, from + turns.length);
      if (this.ingested !== from || !sameTexts(turns, now)) return;
      await this.commitStep(from, turns, vectors);
      this.state.marks = this.state.marks.filter(({ end }) => end > this.ingested);
    });
  }

  private commitStep(
    from: number,
    turns: readonly Turn[],
    vectors: readonly (Float32Array | undefined)[],
  ): Promise<void> {
    const { stamp } = this.ports.embedder;
    return this.changeViews(async () => {
      const derived = await this.state.take(turns, vectors);
      await this.ports.store.commit({
        stamp,
        from,
        vectors: vectors.map((vector) => vector ?? new Float32Array(stamp.dimension)),
        ...derived,
        segmenter: this.state.segmenterState(),
      });
    });
  }

  /** Gives ingested turns a new text, makes anew what is derived from them, and has it written. */
  private async rewrite(
    turns: readonly number[],
    text: string,
    vector: Float32Array | undefined,
    write: (derived: Derived) => Promise<void>,
  ): Promise<void> {
    await this.changeViews(async () => {
      await write(await this.state.rewrite(turns, text, vector));
      this.cachedTurns = 0;
      await this.state.settleRewrite();
    });
    await this.keepMarks();
  }

  /**
   * Runs a change during which the views run ahead of the store. A recall waits for its end. A change that fails
   * leaves this object unusable, never the store.
   */
  private changeViews(change: () => Promise<void>): Promise<void> {
    return this.viewChanges.run(async () => {
      this.checkFresh();
      try {
        await change();
      } catch (error) {
        this.broken = true;
        throw error;
      }
    });
  }

  /** A change of texts drops every cache of the thread; of a rebuild under way, the marks are needed yet. */
  private async keepMarks(): Promise<void> {
    const { marks } = this.state;
    if (marks.length > 0) await this.ports.store.writeCache(MARKS, marks);
  }

  private async putEpisode(record: EpisodeRecord): Promise<void> {
    this.checkFresh();
    await this.ports.store.putEpisodes([record]);
    this.state.episodes.put(record);
    this.state.episodes.takeChanged();
  }

  private checkFresh(): void {
    if (!this.broken) return;
    throw new SkeinError('internal', 'The memory is not in step with its store.', 'Open the thread again.');
  }
}

function checkStamp(thread: ThreadRecord, embedder: Embedder): void {
  if (!thread.stamp || thread.ingested === 0) return;
  if (stampKey(thread.stamp) === stampKey(embedder.stamp)) return;
  throw new SkeinError(
    'stamp-mismatch',
    `The thread was embedded with ${stampKey(thread.stamp)}, the engine now runs ${stampKey(embedder.stamp)}.`,
    'Choose the embedder of the thread again, or embed the thread anew.',
  );
}

/** The marks of a rebuild that has come to turn `ingested`: those behind it are in the episodes already. */
async function readMarks(store: ThreadStore, ingested: number): Promise<Mark[]> {
  const marks = ((await store.readCache(MARKS)) as Mark[] | undefined) ?? [];
  return marks.filter(({ end }) => end > ingested);
}

function sameTexts(before: readonly Turn[], now: readonly Turn[]): boolean {
  return before.length === now.length && before.every(({ text }, i) => text === now[i]!.text);
}

function range(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from) }, (_, i) => from + i);
}
