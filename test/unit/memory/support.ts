import { throwIfAborted } from '../../../src/core/errors.ts';
import type { NewTurn, Role } from '../../../src/core/turn.ts';
import { normalise } from '../../../src/core/vectors.ts';
import type { Embedder, EmbedderStamp, EmbedOptions } from '../../../src/embed/embedder.ts';
import { Bm25Index } from '../../../src/index/bm25.ts';
import { FlatIndex } from '../../../src/index/flat/flat-index.ts';
import type { LexicalIndex } from '../../../src/index/lexical-index.ts';
import type { VectorIndex } from '../../../src/index/vector-index.ts';
import type { SegmenterTurn } from '../../../src/memory/segmenter.ts';
import type { Views } from '../../../src/memory/views.ts';

/** A vector as a test writes it; it is not scaled. */
export function vec(...numbers: number[]): Float32Array {
  return Float32Array.from(numbers);
}

/** The unit vector of the plane at `degrees`. */
export function at(degrees: number): Float32Array {
  const angle = (degrees * Math.PI) / 180;
  return vec(Math.cos(angle), Math.sin(angle));
}

/** `count` words that no other call with another `stem` shares. */
export function wordsOf(count: number, stem = 'word'): string {
  return Array.from({ length: count }, (_, i) => `${stem}${i}`).join(' ');
}

/** Numbers turns of a segmenter from 0. */
export class TurnSource {
  private next = 0;

  turn(role: Role, tokens: number, vector: Float32Array, text = ''): SegmenterTurn {
    return { index: this.next++, role, text, tokens, vector };
  }
}

export function indexOf(vectors: readonly Float32Array[], dimension = 2): VectorIndex {
  const index = new FlatIndex(dimension);
  for (const [id, vector] of vectors.entries()) index.add(id, vector);
  return index;
}

/** A lexical index with given scores, whatever the query and the groups. */
export function fixedScores(scores: readonly number[]): LexicalIndex {
  return {
    documents: scores.length,
    documentFrequency: () => 0,
    set: () => {},
    remove: () => {},
    scoreGroups: () => Float64Array.from(scores),
    eachTerm: () => {},
    groupLengths: (starts) => new Float64Array(starts.length),
    termGroups: (starts) => new Bm25Index(() => []).termGroups(starts),
    repeatedShares: () => new Float64Array(scores.length),
    matchedTerms: () => [],
    documentsWith: () => [],
    snapshot: () => {
      throw new Error('not needed');
    },
  };
}

export interface TinyViews {
  readonly turns: readonly Float32Array[];
  readonly starts: readonly number[];
  readonly episodes: readonly Float32Array[];
  readonly clusters?: readonly { readonly members: readonly number[]; readonly vector: Float32Array }[];
  readonly words?: readonly number[];
  readonly grams?: readonly number[];
  readonly ineligible?: readonly number[];
}

/** Views in the plane, each part written down by the test. */
export function tinyViews({
  turns,
  starts,
  episodes,
  clusters = [],
  words = [],
  grams = [],
  ineligible = [],
}: TinyViews): Views {
  return {
    turns: indexOf(turns),
    episodes: indexOf(episodes),
    clusterVectors: indexOf(clusters.map((cluster) => cluster.vector)),
    clusters: clusters.map(({ members }, id) => ({ id, members })),
    words: fixedScores(words),
    grams: fixedScores(grams),
    starts,
    exchanges: starts,
    version: 0,
    changedFrom: 0,
    settleChanges: () => {},
    tokensOf: () => 1,
    size: turns.length,
    isEligible: (episode) => !ineligible.includes(episode),
  };
}

export const FAKE_DIMENSION = 8;

/**
 * An embedder whose vector depends on the text alone: the sum of one pseudo-random vector a word, so that texts
 * with words in common are near one another. A text without words has the vector of the empty word.
 */
export class HashEmbedder implements Embedder {
  /** Every text it was asked for, in order. */
  readonly asked: string[] = [];
  /** Fails the call in which the counter reaches 0. */
  failsIn = Number.POSITIVE_INFINITY;

  constructor(readonly stamp: EmbedderStamp = { model: 'hash', dtype: 'fp32', dimension: FAKE_DIMENSION }) {}

  async embed(texts: readonly string[], { signal, onProgress }: EmbedOptions): Promise<Float32Array[]> {
    if (--this.failsIn === 0) throw new Error('the embedder broke');
    await Promise.resolve();
    throwIfAborted(signal);
    this.asked.push(...texts);
    const vectors = texts.map((text) => hashVector(text, this.stamp.dimension));
    onProgress?.(texts.length);
    return vectors;
  }
}

/** The unit vector that HashEmbedder gives `text`. */
export function hashVector(text: string, dimension = FAKE_DIMENSION): Float32Array {
  const sum = new Float32Array(dimension);
  for (const word of new Set(text.toLowerCase().split(/\s+/))) {
    for (let i = 0; i < dimension; i++) sum[i]! += component(word, i);
  }
  return normalise(sum);
}

/** A number in [-1, 1) that `word` and `i` determine (FNV-1a, mixed). */
function component(word: string, i: number): number {
  let hash = 2166136261 ^ i;
  for (let at = 0; at < word.length; at++) hash = Math.imul(hash ^ word.charCodeAt(at), 16777619);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  hash = Math.imul(hash ^ (hash >>> 12), 0x297a2d39);
  return ((hash ^ (hash >>> 15)) >>> 0) / 2 ** 31 - 1;
}

/** A thread of `count` turns in which the topic changes every few exchanges. */
export function topicThread(count: number, turnsEach = 6, wordsEach = 30): NewTurn[] {
  return Array.from({ length: count }, (_, i) => {
    const topic = Math.floor(i / turnsEach);
    const words = Array.from({ length: wordsEach }, (_, w) => `topic${topic}word${(i * 7 + w) % 40}`);
    return { role: i % 2 === 0 ? 'user' : 'model', text: words.join(' ') } as const;
  });
}
