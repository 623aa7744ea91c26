import { centroid } from '../core/vectors.ts';
import { charGrams, words } from '../index/analyzers.ts';
import { Bm25Index } from '../index/bm25.ts';
import type { CreateVectorIndex, VectorIndex } from '../index/vector-index.ts';
import type { EpisodeRecord } from '../store/records.ts';
import type { Cluster } from './clusters.ts';
import { episodeOf, type Views } from './views.ts';

const grams = (text: string) => charGrams(text);

/** The cache of a thread's lexical indexes: valid for its first `turns` turns. */
interface LexicalCache {
  readonly turns: number;
  readonly words: unknown;
  readonly grams: unknown;
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
  size = 0;
  private readonly ineligible = new Set<number>();

  constructor(
    private readonly dimension: number,
    createVectorIndex: CreateVectorIndex,
  ) {
    this.turns = createVectorIndex(dimension);
    this.episodes = createVectorIndex(dimension);
    this.clusterVectors = createVectorIndex(dimension);
  }

  isEligible(episode: number): boolean {
    return !this.ineligible.has(episode);
  }

  /** Takes turn number `size`. A turn without vector (erased) keeps its place and is never found. */
  addTurn(text: string, vector: Float32Array | undefined): void {
    const index = this.size++;
    if (this.starts.length === 0) this.starts.push(0);
    if (vector) this.turns.add(index, vector);
    this.addText(index, text);
  }

  /** Adds the words of a turn whose vector is there already. */
  addText(index: number, text: string): void {
    this.words.set(index, text);
    this.grams.set(index, text);
  }

  /** Replaces a turn's text and vector; without a vector the turn is taken out of every view. */
  replaceTurn(index: number, text: string, vector: Float32Array | undefined): void {
    if (vector) this.turns.add(index, vector);
    else this.turns.remove(index);
    this.addText(index, text);
  }

  /** Opens a new episode at turn `start`. */
  openEpisode(start: number): void {
    this.starts.push(start);
  }

  /** Sets whether an episode may be recalled: not when it is forgotten or nothing of it is left. */
  setEligible(episode: number, eligible: boolean): void {
    if (eligible) this.ineligible.delete(episode);
    else this.ineligible.add(episode);
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
    for (const episode of episodes) this.starts.push(episode.start);
    this.turns.addMany(0, vectors, this.size);
    for (let turn = 0; turn < this.size; turn++) {
      const row = vectors.subarray(turn * this.dimension, (turn + 1) * this.dimension);
      if (row.every((x) => x === 0)) this.turns.remove(turn);
    }
  }

  /** Takes what a cache still knows and returns the first turn whose words must be added again. */
  restoreTexts(cache: unknown): number {
    const { turns, words: w, grams: g } = (cache ?? {}) as Partial<LexicalCache>;
    if (turns === undefined || turns > this.size) return 0;
    const restoredWords = Bm25Index.restore(w, words);
    const restoredGrams = Bm25Index.restore(g, grams);
    if (restoredWords?.documents !== turns || restoredGrams?.documents !== turns) return 0;
    this.words = restoredWords;
    this.grams = restoredGrams;
    return turns;
  }

  /** What `restoreTexts` takes. */
  lexicalCache(): LexicalCache {
    return { turns: this.size, words: this.words.snapshot(), grams: this.grams.snapshot() };
  }
}
