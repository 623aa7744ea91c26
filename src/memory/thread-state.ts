import { SkeinError } from '../core/errors.ts';
import { estimateTokens } from '../core/tokens.ts';
import type { Turn } from '../core/turn.ts';
import type { Embedder } from '../embed/embedder.ts';
import type { CreateVectorIndex } from '../index/vector-index.ts';
import type { ClusterRecord, EpisodeRecord, StoredThread } from '../store/records.ts';
import type { ThreadStore } from '../store/thread-store.ts';
import type { Configuration } from './configurations.ts';
import { createSegmenter } from './create.ts';
import { EpisodeList } from './episode-list.ts';
import { createEpisodeVectors, type EpisodeVectors } from './episode-vectors.ts';
import { type Mark, marksOf, withMarks } from './marks.ts';
import { RESTORE_TURNS, type Segmenter, type SegmenterState, type SegmenterTurn } from './segmenter.ts';
import { ThreadViews } from './thread-views.ts';

/** Episodes and clusters to be written after a change. */
export interface Derived {
  readonly episodes: EpisodeRecord[];
  readonly clusters: ClusterRecord[];
}

/**
 * What is known of a thread in memory: its segmenter (M1), episodes and views (M2), kept in step with one another.
 * It reads texts from the store and writes nothing: every change returns what has to be written.
 */
export class ThreadState {
  readonly views: ThreadViews;
  readonly episodes = new EpisodeList();
  /** Pins and forgetting from before a rebuild that is under way. */
  marks: readonly Mark[] = [];
  private readonly episodeVectors: EpisodeVectors;
  private segmenter: Segmenter;
  /** Texts of turns that are about to be rewritten. */
  private newTexts: ReadonlyMap<number, string> = new Map();

  constructor(
    private readonly configuration: Configuration,
    private readonly store: ThreadStore,
    private readonly embedder: Embedder,
    createVectorIndex: CreateVectorIndex,
  ) {
    this.views = new ThreadViews(embedder.stamp.dimension, createVectorIndex);
    this.segmenter = createSegmenter(configuration, this.views.grams);
    this.episodeVectors = createEpisodeVectors({
      configuration,
      embedder,
      episodes: this.episodes,
      views: this.views,
      readTurns: (from, to) => this.readCurrent(from, to),
    });
  }

  /** Brings back a stored thread; returns how many turns the lexical cache covered. */
  async restore(stored: StoredThread, lexicalCache: unknown): Promise<number> {
    const { ingested, segmenter } = stored.thread;
    if (ingested === 0) return 0;
    this.views.restore(stored.vectors, stored.episodes);
    const cached = this.views.restoreTexts(lexicalCache);
    const [unknown, open] = await Promise.all([
      cached < ingested ? this.store.readTurns(cached, ingested) : [],
      this.store.readTurns(stored.episodes.at(-1)!.start, ingested),
    ]);
    for (const turn of unknown) this.views.addText(turn.index, turn.role, turn.text);
    this.episodes.restore(
      stored.episodes,
      open.map((turn) => turn.text),
    );
    for (const { id } of stored.episodes) this.refreshEligibility(id);
    this.episodeVectors.restore(stored.clusters);
    await this.restoreSegmenter(segmenter as SegmenterState);
    return cached;
  }

  segmenterState(): SegmenterState {
    return this.segmenter.state();
  }

  /** Takes the next turns: cuts them into episodes and adds them to every view. */
  async take(turns: readonly Turn[], vectors: readonly (Float32Array | undefined)[]): Promise<Derived> {
    const firstTouched = Math.max(0, this.episodes.length - 1);
    // The open episode may be cut yet: what was said of it holds for all that it held.
    const marks = [...this.marks, ...marksOf(this.episodes.all.slice(firstTouched))];
    turns.forEach((turn, i) => {
      this.push(turn, vectors[i]);
    });
    const touched: number[] = [];
    for (let id = firstTouched; id < this.episodes.length; id++) {
      if (marks.length > 0) this.episodes.put(withMarks(this.requireEpisode(id), marks));
      this.refreshEligibility(id);
      touched.push(id);
    }
    return this.rederive(touched);
  }

  /** Gives ingested turns a new text and vector, and makes anew what is derived from them. */
  async rewrite(turns: readonly number[], text: string, vector: Float32Array | undefined): Promise<Derived> {
    this.newTexts = new Map(turns.map((turn) => [turn, text]));
    for (const turn of turns) this.views.replaceTurn(turn, text, vector);
    const touched = [...new Set(turns.map((turn) => this.views.episodeOf(turn)))];
    for (const id of touched) await this.recount(id);
    return this.rederive(touched);
  }

  /** To be called once what `rewrite` returned is written: the segmenter forgets the old texts. */
  async settleRewrite(): Promise<void> {
    this.newTexts = new Map();
    if (this.views.size > 0) await this.restoreSegmenter(this.segmenter.state());
  }

  /** Sets whether an episode may be recalled, after its record changed. */
  refreshEligibility(id: number): void {
    const { start, end, forgottenAt } = this.requireEpisode(id);
    let alive = false;
    for (let turn = start; turn < end && !alive; turn++) alive = this.views.turns.get(turn) !== undefined;
    this.views.setEligible(id, alive && forgottenAt === undefined);
  }

  /** The record of episode `id`; `not-found` when there is none. */
  requireEpisode(id: number): EpisodeRecord {
    const record = this.episodes.at(id);
    if (record) return record;
    throw new SkeinError('not-found', `The thread has no episode ${id}.`, 'Reload the thread.');
  }

  private push(turn: Turn, vector: Float32Array | undefined): void {
    const seen = this.segmenterTurn(turn, vector);
    const cuts = this.segmenter.push(seen);
    this.episodes.addTurn(turn.index, seen.tokens);
    this.views.addTurn(turn.role, turn.text, vector);
    for (const cut of cuts) {
      this.episodes.cut(cut);
      this.views.openEpisode(cut);
    }
  }

  private async rederive(touched: readonly number[]): Promise<Derived> {
    const clusters = await this.episodeVectors.update(touched);
    return { episodes: this.episodes.takeChanged(), clusters };
  }

  private async restoreSegmenter(state: SegmenterState): Promise<void> {
    const openStart = this.episodes.open!.start;
    const first = Math.max(0, Math.min(openStart, this.views.size - RESTORE_TURNS));
    const turns = await this.store.readTurns(first, this.views.size);
    const seen = turns.map((turn) => this.segmenterTurn(turn, this.views.turns.get(turn.index)));
    this.segmenter = createSegmenter(this.configuration, this.views.grams, { state, openStart, turns: seen });
  }

  private segmenterTurn({ index, role, text }: Turn, vector: Float32Array | undefined): SegmenterTurn {
    const { dimension } = this.embedder.stamp;
    return { index, role, text, tokens: estimateTokens(text), vector: vector ?? new Float32Array(dimension) };
  }

  private async recount(id: number): Promise<void> {
    const record = this.requireEpisode(id);
    const texts = (await this.readCurrent(record.start, record.end)).map((turn) => turn.text);
    this.episodes.put({ ...record, tokens: texts.reduce((sum, text) => sum + estimateTokens(text), 0) });
    if (!record.closed) this.episodes.refreshOpen(texts);
    this.refreshEligibility(id);
  }

  /** Turns as they will stand once what is being rewritten is written. */
  private async readCurrent(from: number, to: number): Promise<Turn[]> {
    const turns = await this.store.readTurns(from, to);
    return turns.map((turn) => ({ ...turn, text: this.newTexts.get(turn.index) ?? turn.text }));
  }
}
