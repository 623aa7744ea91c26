import { abortedError, SkeinError, throwIfAborted } from '../core/errors.ts';
import { Mutex } from '../core/mutex.ts';
import { wellFormed } from '../core/text.ts';
import { estimateTokens } from '../core/tokens.ts';
import type { NewTurn, Turn } from '../core/turn.ts';
import { type Embedder, stampKey } from '../embed/embedder.ts';
import { FlatIndex } from '../index/flat/flat-index.ts';
import type { CreateVectorIndex } from '../index/vector-index.ts';
import type {
  ConfigurationName,
  DerivedRecords,
  EpisodeRecord,
  RecalledEpisode,
  StoredThread,
  ThreadRecord,
} from '../store/records.ts';
import type { ThreadStore } from '../store/thread-store.ts';
import { type Configuration, configuration } from './configurations.ts';
import { createRanker, createSegmenter } from './create.ts';
import { EpisodeList } from './episode-list.ts';
import { createEpisodeVectors, type EpisodeVectors } from './episode-vectors.ts';
import { type Mark, marksOf, withMarks } from './marks.ts';
import type { Ranker, RankerQuery } from './ranker.ts';
import { explain } from './recall.ts';
import { RESTORE_TURNS, type Segmenter, type SegmenterState, type SegmenterTurn } from './segmenter.ts';
import { ThreadViews } from './thread-views.ts';

/** What a memory stands on. */
export interface MemoryPorts {
  readonly store: ThreadStore;
  readonly embedder: Embedder;
  /** Left out: the exact flat index. */
  readonly createVectorIndex?: CreateVectorIndex;
}

export interface CatchUpOptions {
  readonly signal?: AbortSignal;
  /** Called after each durable step, and within long ones, with the number of ingested turns. */
  readonly onProgress?: (ingested: number, total: number) => void;
  /** A ready-made vector of a turn, in place of embedding it; undefined: embed it. */
  readonly vectorOf?: (turn: number) => Float32Array | undefined;
  /** Turns a step; what a kill can cost. */
  readonly stepTurns?: number;
}

export interface RecallOptions {
  /** Episodes wanted; left out, the configuration's own number. */
  readonly k?: number;
  /** A ready-made vector of the question. */
  readonly vector?: Float32Array;
  readonly signal?: AbortSignal;
}

const STEP_TURNS = 128;
/** Turns ingested since the lexical cache was written, from which on it is written again. */
const CACHE_AFTER_TURNS = 128;
const LEXICAL_CACHE = 'lexical';
const MARKS = 'marks';

/**
 * The memory of one thread: turns come in as a stream, are durable at once, are cut into episodes as they are
 * embedded (M1), kept under several views (M2), and recalled as whole episodes (M3).
 *
 * It runs wherever its ports do: no DOM, no worker, no storage of its own. Changes queue up; a recall sees what
 * is ingested at that moment.
 */
export class EpisodicMemory {
  readonly configuration: Configuration;
  private readonly views: ThreadViews;
  private readonly episodeList = new EpisodeList();
  private readonly episodeVectors: EpisodeVectors;
  private readonly ranker: Ranker;
  private readonly changes = new Mutex();
  private readonly viewChanges = new Mutex();
  private segmenter!: Segmenter;
  private head: ThreadRecord;
  private cachedTurns = 0;
  /** Pins and forgetting from before a rebuild that is under way. */
  private marks: readonly Mark[] = [];
  /** True once the views run ahead of the store for good. */
  private broken = false;
  /** Texts of turns that are about to be rewritten. */
  private newTexts: ReadonlyMap<number, string> = new Map();

  private constructor(
    private readonly ports: MemoryPorts,
    stored: StoredThread,
  ) {
    const { embedder, createVectorIndex = (dimension) => new FlatIndex(dimension) } = ports;
    this.head = stored.thread;
    this.configuration = configuration(stored.thread.configuration, embedder.stamp.model);
    this.views = new ThreadViews(embedder.stamp.dimension, createVectorIndex);
    this.ranker = createRanker(this.configuration);
    this.episodeVectors = createEpisodeVectors({
      configuration: this.configuration,
      embedder,
      episodes: this.episodeList,
      views: this.views,
      readTurns: (from, to) => this.readCurrent(from, to),
    });
  }

  /**
   * Opens a thread's memory; nothing is embedded, and of the texts only those are read that no cache covers.
   * Throws `stamp-mismatch` when the thread's vectors were made by another embedder.
   */
  static async open(ports: MemoryPorts): Promise<EpisodicMemory> {
    const stored = await ports.store.load();
    checkStamp(stored.thread, ports.embedder);
    const memory = new EpisodicMemory(ports, stored);
    await memory.restore(stored);
    return memory;
  }

  /** Turns stored. */
  get turns(): number {
    return this.head.turns;
  }

  /** Turns that can be recalled. */
  get ingested(): number {
    return this.views.size;
  }

  get episodes(): readonly EpisodeRecord[] {
    return this.episodeList.all;
  }

  /** The episode that holds an ingested turn. */
  episodeOf(turn: number): number {
    return this.views.episodeOf(turn);
  }

  /** Stores turns at the end of the thread; resolves when they are durable. `catchUp` makes them recallable. */
  append(turns: readonly NewTurn[]): Promise<{ from: number; to: number }> {
    return this.changes.run(async () => {
      const from = await this.ports.store.append(turns);
      this.head = { ...this.head, turns: from + turns.length };
      return { from, to: from + turns.length };
    });
  }

  /**
   * Embeds and segments every stored turn that is not ingested yet, step by step; each step is durable.
   * When it is stopped (`aborted`), finished steps stay and a later call goes on from there.
   */
  async catchUp(options: CatchUpOptions = {}): Promise<void> {
    while (this.ingested < this.turns) {
      if (options.signal?.aborted) throw abortedError();
      await this.changes.run(() => this.ingestStep(options));
      options.onProgress?.(this.ingested, this.turns);
    }
    if (this.ingested - this.cachedTurns >= CACHE_AFTER_TURNS) await this.saveCache();
  }

  /** Writes the lexical indexes down, so that opening need not read the texts. */
  saveCache(): Promise<void> {
    // In turn with other changes: a cache from before an erasure must not be written after it.
    return this.changes.run(async () => {
      this.checkFresh();
      const cache = this.views.lexicalCache();
      await this.ports.store.writeCache(LEXICAL_CACHE, cache);
      this.cachedTurns = cache.turns;
    });
  }

  /** The episodes that decide a question, best first. An empty memory recalls nothing. */
  async recall(question: string, options: RecallOptions = {}): Promise<RecalledEpisode[]> {
    const { k = this.configuration.recalled, signal } = options;
    if (this.ingested === 0) return [];
    const vector = options.vector ?? (await this.embedQuestion(question, signal));
    return this.viewChanges.run(async () => {
      throwIfAborted(signal);
      return this.rank({ text: question, vector }, k);
    });
  }

  /** The vector of a question, as `recall` takes it. */
  async embedQuestion(question: string, signal?: AbortSignal): Promise<Float32Array> {
    if (question.trim() === '') {
      throw new SkeinError('bad-argument', 'The question is empty.', 'Write what you want to know.');
    }
    const [vector] = await this.ports.embedder.embed([question], { kind: 'query', signal });
    return vector!;
  }

  /** The part of `recall` behind the embedding: all views and the ranking. */
  rank(query: RankerQuery, k = this.configuration.recalled): RecalledEpisode[] {
    this.checkFresh();
    return this.ranker.rank(query, this.views, k).map((ranked) => explain(ranked, query, this.views));
  }

  /** Turns that hold words of `query`, best first, with their BM25 score. */
  search(query: string, limit: number): { turn: number; score: number }[] {
    this.checkFresh();
    const each = Uint32Array.from({ length: this.views.size }, (_, i) => i);
    const scores = this.views.words.scoreGroups(query, each);
    const hits: { turn: number; score: number }[] = [];
    scores.forEach((score, turn) => {
      if (score > 0) hits.push({ turn, score });
    });
    return hits.sort((a, b) => b.score - a.score || a.turn - b.turn).slice(0, limit);
  }

  /** Keeps an episode from being recalled, or lets it be recalled again. */
  setForgotten(episode: number, forgotten: boolean): Promise<void> {
    return this.changes.run(async () => {
      const { forgottenAt: _, ...record } = this.requireEpisode(episode);
      await this.putEpisode(forgotten ? { ...record, forgottenAt: Date.now() } : record);
      this.refreshEligibility(episode);
    });
  }

  setPinned(episode: number, pinned: boolean): Promise<void> {
    return this.changes.run(async () => {
      const { pinned: _, ...record } = this.requireEpisode(episode);
      await this.putEpisode(pinned ? { ...record, pinned } : record);
    });
  }

  /** Replaces the text of a turn, here and in everything derived from it. */
  editTurn(index: number, newText: string): Promise<void> {
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
        await this.ports.store.rewriteTurn(index, text, undefined);
        return this.keepMarks();
      }
      const [vector] = await this.ports.embedder.embed([text], { kind: 'passage' });
      await this.rewrite([index], text, vector, (derived) =>
        this.ports.store.rewriteTurn(index, text, vector, derived),
      );
    });
  }

  /** Erases turns `from` to `to - 1` for good: their text stays in no store, index or summary. */
  erase(from: number, to: number): Promise<void> {
    return this.changes.run(() => {
      const turns = range(Math.max(0, from), Math.min(to, this.ingested));
      return this.rewrite(turns, '', undefined, (derived) => this.ports.store.erase(from, to, derived));
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

  private async restore(stored: StoredThread): Promise<void> {
    const { store } = this.ports;
    const { ingested } = stored.thread;
    if (ingested < stored.thread.turns) this.marks = await readMarks(store, ingested);
    if (ingested === 0) {
      this.segmenter = createSegmenter(this.configuration, this.views.grams);
      return;
    }
    this.views.restore(stored.vectors, stored.episodes);
    this.cachedTurns = this.views.restoreTexts(await store.readCache(LEXICAL_CACHE));
    for (const turn of await store.readTurns(this.cachedTurns, ingested)) {
      this.views.addText(turn.index, turn.text);
    }
    const openStart = stored.episodes.at(-1)!.start;
    const open = await store.readTurns(openStart, ingested);
    this.episodeList.restore(
      stored.episodes,
      open.map((turn) => turn.text),
    );
    for (const { id } of stored.episodes) this.refreshEligibility(id);
    this.episodeVectors.restore(stored.clusters);
    await this.restoreSegmenter(stored.thread.segmenter as SegmenterState);
  }

  private async restoreSegmenter(state: SegmenterState): Promise<void> {
    const openStart = this.episodeList.open!.start;
    const first = Math.max(0, Math.min(openStart, this.ingested - RESTORE_TURNS));
    const turns = await this.ports.store.readTurns(first, this.ingested);
    const seen = turns.map((turn) => this.segmenterTurn(turn, this.views.turns.get(turn.index)));
    this.segmenter = createSegmenter(this.configuration, this.views.grams, { state, openStart, turns: seen });
  }

  private segmenterTurn(turn: Turn, vector: Float32Array | undefined): SegmenterTurn {
    const { index, role, text } = turn;
    const dimension = this.ports.embedder.stamp.dimension;
    return { index, role, text, tokens: estimateTokens(text), vector: vector ?? new Float32Array(dimension) };
  }

  private async ingestStep(options: CatchUpOptions): Promise<void> {
    this.checkFresh();
    const from = this.ingested;
    const turns = await this.ports.store.readTurns(from, from + (options.stepTurns ?? STEP_TURNS));
    const vectors = await this.vectorsOf(turns, options);
    throwIfAborted(options.signal);
    await this.changeViews(async () => {
      const touched = this.takeTurns(turns, vectors);
      const clusters = await this.episodeVectors.update(touched);
      await this.ports.store.commit({
        stamp: this.ports.embedder.stamp,
        from,
        vectors: vectors.map((v) => v ?? new Float32Array(this.ports.embedder.stamp.dimension)),
        episodes: this.episodeList.takeChanged(),
        clusters,
        segmenter: this.segmenter.state(),
      });
    });
    this.marks = this.marks.filter(({ end }) => end > this.ingested);
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

  /** Pushes turns through the segmenter into the views; returns the episodes that are new or changed. */
  private takeTurns(turns: readonly Turn[], vectors: readonly (Float32Array | undefined)[]): number[] {
    const firstTouched = Math.max(0, this.episodeList.length - 1);
    // The open episode may be cut yet: what was said of it holds for all that it held.
    const marks = [...this.marks, ...marksOf(this.episodeList.all.slice(firstTouched))];
    turns.forEach((turn, i) => {
      const seen = this.segmenterTurn(turn, vectors[i]);
      const cuts = this.segmenter.push(seen);
      this.episodeList.addTurn(turn.index, seen.tokens);
      this.views.addTurn(turn.text, vectors[i]);
      for (const cut of cuts) {
        this.episodeList.cut(cut);
        this.views.openEpisode(cut);
      }
    });
    const touched: number[] = [];
    for (let id = firstTouched; id < this.episodeList.length; id++) {
      if (marks.length > 0) this.episodeList.put(withMarks(this.requireEpisode(id), marks));
      this.refreshEligibility(id);
      touched.push(id);
    }
    return touched;
  }

  /** One vector a turn: given, stored before for the same text, or embedded now. Erased turns have none. */
  private async vectorsOf(
    turns: readonly Turn[],
    { vectorOf, signal, onProgress }: CatchUpOptions,
  ): Promise<(Float32Array | undefined)[]> {
    const { embedder, store } = this.ports;
    const vectors = turns.map((turn) => vectorOf?.(turn.index));
    const unknown = turns.filter((turn, i) => !vectors[i] && !turn.erased);
    const texts = [...new Set(unknown.map((turn) => turn.text))];
    const found = await store.findVectors(texts, embedder.stamp);
    const missing = texts.filter((_, i) => !found[i]);
    const embedded = await embedder.embed(missing, {
      kind: 'passage',
      signal,
      onProgress: (done) => onProgress?.(this.ingested + turns.length - missing.length + done, this.turns),
    });
    const byText = new Map<string, Float32Array>();
    for (const [i, text] of texts.entries()) if (found[i]) byText.set(text, found[i]);
    for (const [i, text] of missing.entries()) byText.set(text, embedded[i]!);
    return turns.map((turn, i) => vectors[i] ?? (turn.erased ? undefined : byText.get(turn.text)));
  }

  /** Gives ingested turns a new text in the views, makes anew what is derived from them, and has it written. */
  private async rewrite(
    turns: readonly number[],
    text: string,
    vector: Float32Array | undefined,
    write: (derived: DerivedRecords) => Promise<void>,
  ): Promise<void> {
    await this.changeViews(async () => {
      this.newTexts = new Map(turns.map((turn) => [turn, text]));
      for (const turn of turns) this.views.replaceTurn(turn, text, vector);
      const touched = [...new Set(turns.map((turn) => this.episodeOf(turn)))];
      for (const id of touched) await this.recount(id);
      const clusters = await this.episodeVectors.update(touched);
      await write({ episodes: this.episodeList.takeChanged(), clusters });
      this.newTexts = new Map();
      this.cachedTurns = 0;
      if (this.ingested > 0) await this.restoreSegmenter(this.segmenter.state());
    });
    await this.keepMarks();
  }

  /** A change of texts drops every cache of the thread; of a rebuild under way, the marks are needed yet. */
  private async keepMarks(): Promise<void> {
    if (this.marks.length > 0) await this.ports.store.writeCache(MARKS, this.marks);
  }

  private async recount(id: number): Promise<void> {
    const record = this.requireEpisode(id);
    const texts = (await this.readCurrent(record.start, record.end)).map((turn) => turn.text);
    this.episodeList.put({ ...record, tokens: texts.reduce((sum, text) => sum + estimateTokens(text), 0) });
    if (!record.closed) this.episodeList.refreshOpen(texts);
    this.refreshEligibility(id);
  }

  /** Turns as they will stand once what is being rewritten is written. */
  private async readCurrent(from: number, to: number): Promise<Turn[]> {
    const turns = await this.ports.store.readTurns(from, to);
    return turns.map((turn) => ({ ...turn, text: this.newTexts.get(turn.index) ?? turn.text }));
  }

  private async putEpisode(record: EpisodeRecord): Promise<void> {
    this.checkFresh();
    await this.ports.store.putEpisodes([record]);
    this.episodeList.put(record);
    this.episodeList.takeChanged();
  }

  private refreshEligibility(id: number): void {
    const { start, end, forgottenAt } = this.requireEpisode(id);
    let alive = false;
    for (let turn = start; turn < end && !alive; turn++) alive = this.views.turns.get(turn) !== undefined;
    this.views.setEligible(id, alive && forgottenAt === undefined);
  }

  private requireEpisode(id: number): EpisodeRecord {
    const record = this.episodeList.at(id);
    if (record) return record;
    throw new SkeinError('not-found', `The thread has no episode ${id}.`, 'Reload the thread.');
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

function range(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from) }, (_, i) => from + i);
}
