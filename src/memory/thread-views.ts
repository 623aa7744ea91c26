import { estimateTokens } from '../core/tokens.ts';
import type { Role } from '../core/turn.ts';
import { centroid } from '../core/vectors.ts';
import { charGrams, words } from '../index/analyzers.ts';
import { Bm25Index } from '../index/bm25.ts';
import type { CreateVectorIndex, VectorIndex } from '../index/vector-index.ts';
import type { EpisodeRecord } from '../store/records.ts';
import type { Cluster } from './clusters.ts';
import { episodeOf, type Views } from './views.ts';

const grams = (text: string) => charGrams(text);

/** The cache of what a thread's texts are needed for, the lexical indexes above all: valid for its first `turns` turns. */
interface LexicalCache {
  readonly turns: number;
  readonly words: unknown;
  readonly grams: unknown;
  /** First turns of the exchanges among these turns. */
  readonly exchanges: Uint32Array;
  /** Token estimate of each turn. */
  readonly tokens: Float64Array;
}

/** The views of one thread, kept in step with its turns and episodes. */
export class ThreadViews implements Views {
  readonly turns: VectorIndex;
  readonly episodes: VectorIndex;
  readonly clusterVectors: VectorIndex;
  clusters: readonly Cluster[] = [];
  words = new Bm25Index(words);
  grams = new Bm25Index(grams);
  readonly starts: number[] = [];
  readonly exchanges: number[] = [];
  size = 0;
  version = 0;
  changedFrom = 0;
  private readonly tokens: number[] = [];
  private readonly ineligible = new Set<number>();

  constructor(
    private readonly dimension: number,
    private readonly createVectorIndex: CreateVectorIndex,
  ) {
    this.turns = createVectorIndex(dimension);
    this.episodes = createVectorIndex(dimension);
    this.clusterVectors = createVectorIndex(dimension);
  }

  isEligible(episode: number): boolean {
    return !this.ineligible.has(episode);
  }

  tokensOf(turn: number): number {
    return this.tokens[turn]!;
  }

  settleChanges(): void {
    this.changedFrom = this.size;
  }

  /** Takes turn number `size`. A turn without vector (erased) keeps its place and is never found. */
  addTurn(role: Role, text: string, vector: Float32Array | undefined): void {
    const index = this.size++;
    if (this.starts.length === 0) this.starts.push(0);
    if (vector) this.turns.add(index, vector);
    this.addText(index, role, text);
  }

  /** Adds what follows from the text of a turn whose vector is there already. */
  addText(index: number, role: Role, text: string): void {
    if (role === 'user' || index === 0) this.openExchange(index);
    this.setText(index, text);
  }

  /** Replaces a turn's text and vector; without a vector the turn is taken out of every view. */
  replaceTurn(index: number, text: string, vector: Float32Array | undefined): void {
    if (vector) this.turns.add(index, vector);
    else this.turns.remove(index);
    this.setText(index, text);
  }

  /** Opens a new episode at turn `start`. */
  openEpisode(start: number): void {
    this.starts.push(start);
    this.openExchange(start);
    this.version++;
  }

  /** Sets whether an episode may be recalled: not when it is forgotten or nothing of it is left. */
  setEligible(episode: number, eligible: boolean): void {
    if (eligible === this.isEligible(episode)) return;
    if (eligible) this.ineligible.delete(episode);
    else this.ineligible.add(episode);
    this.version++;
  }

  /** Gives an episode the mean of its turns' vectors; without any, the episode has no vector. */
  setMean(episode: number): void {
    const vectors: Float32Array[] = [];
    for (let turn = this.starts[episode]!; turn < this.end(episode); turn++) {
      const vector = this.turns.get(turn);
      if (vector) vectors.push(vector);
    }
    if (vectors.length > 0) this.episodes.add(episode, centroid(vectors, this.dimension));
    else this.episodes.remove(episode);
  }

  /** The turn behind an episode's last. */
  end(episode: number): number {
    return this.starts[episode + 1] ?? this.size;
  }

  episodeOf(turn: number): number {
    return episodeOf(this.starts, turn);
  }

  /** Brings back stored turns' vectors and episode bounds; texts follow through `restoreTexts`. */
  restore(vectors: Float32Array, episodes: readonly EpisodeRecord[]): void {
    this.size = vectors.length / this.dimension;
    for (const episode of episodes) this.openEpisode(episode.start);
    this.turns.addMany(0, vectors, this.size);
    for (let turn = 0; turn < this.size; turn++) {
      const row = vectors.subarray(turn * this.dimension, (turn + 1) * this.dimension);
      if (row.every((x) => x === 0)) this.turns.remove(turn);
    }
  }

  /** Takes what a cache still knows and returns the first turn whose words must be added again. */
  restoreTexts(cache: unknown): number {
    const { turns, words: w, grams: g, exchanges, tokens } = (cache ?? {}) as Partial<LexicalCache>;
    if (turns === undefined || turns > this.size) return 0;
    // Caches from before there were exchanges lack them, and are made anew from the texts.
    if (!(exchanges instanceof Uint32Array && tokens instanceof Float64Array) || tokens.length !== turns) {
      return 0;
    }
    const restoredWords = Bm25Index.restore(w, words);
    const restoredGrams = Bm25Index.restore(g, grams);
    if (restoredWords?.documents !== turns || restoredGrams?.documents !== turns) return 0;
    this.words = restoredWords;
    this.grams = restoredGrams;
    for (const start of exchanges) this.openExchange(start);
    for (let turn = 0; turn < turns; turn++) this.tokens[turn] = tokens[turn]!;
    return turns;
  }

  /** What `restoreTexts` takes. */
  lexicalCache(): LexicalCache {
    return {
      turns: this.size,
      words: this.words.snapshot(),
      grams: this.grams.snapshot(),
      exchanges: Uint32Array.from(this.exchanges),
      tokens: Float64Array.from(this.tokens),
    };
  }

  /**
   * The views of a thread that has the turns alone which `kept` marks with 1, under their numbers; its last mark is 1.
   * `means` tells that an episode's vector is the mean of its turns. A summary may have been made from turns that are
   * not kept: an episode that lacks any has no vector then, and a cluster has the mean of those of its members.
   */
  only(kept: Uint8Array, means: boolean): ThreadViews {
    const views = new ThreadViews(this.dimension, this.createVectorIndex);
    views.size = kept.length;
    views.words = this.words.restrictedTo(kept);
    views.grams = this.grams.restrictedTo(kept);
    for (const start of this.starts) if (start < kept.length) views.starts.push(start);
    for (const start of this.exchanges) if (start < kept.length) views.exchanges.push(start);
    for (let turn = 0; turn < kept.length; turn++) {
      const vector = kept[turn] === 1 ? this.turns.get(turn) : undefined;
      if (vector) views.turns.add(turn, vector);
      views.tokens.push(kept[turn] === 1 ? this.tokens[turn]! : 0);
    }
    for (let episode = 0; episode < views.starts.length; episode++) {
      const isWhole =
        this.end(episode) <= kept.length && everyOne(kept, this.starts[episode]!, this.end(episode));
      const summary = isWhole ? this.episodes.get(episode) : undefined;
      if (means) views.setMean(episode);
      else if (summary) views.episodes.add(episode, summary);
      views.setEligible(episode, this.isEligible(episode) && views.hasVector(episode));
    }
    views.takeClusters(this.clusters);
    return views;
  }

  /** Takes over clusters, as far as their members have a vector here. */
  private takeClusters(clusters: readonly Cluster[]): void {
    this.clusters = clusters.map(({ id, members }) => {
      const known = members.filter((member) => this.episodes.get(member));
      const vectors = known.map((member) => this.episodes.get(member)!);
      if (known.length > 0) this.clusterVectors.add(id, centroid(vectors, this.dimension));
      return { id, members: known };
    });
  }

  private hasVector(episode: number): boolean {
    for (let turn = this.starts[episode]!; turn < this.end(episode); turn++) {
      if (this.turns.get(turn)) return true;
    }
    return false;
  }

  private setText(index: number, text: string): void {
    this.words.set(index, text);
    this.grams.set(index, text);
    this.tokens[index] = estimateTokens(text);
    this.changedFrom = Math.min(this.changedFrom, index);
    this.version++;
  }

  private openExchange(start: number): void {
    const later = this.exchanges.length === 0 || this.exchanges[0]! > start;
    const at = later ? 0 : episodeOf(this.exchanges, start) + 1;
    if (this.exchanges[at - 1] === start) return;
    this.exchanges.splice(at, 0, start);
    this.changedFrom = Math.min(this.changedFrom, start);
  }
}

function everyOne(kept: Uint8Array, from: number, to: number): boolean {
  for (let i = from; i < to; i++) if (kept[i] !== 1) return false;
  return true;
}
