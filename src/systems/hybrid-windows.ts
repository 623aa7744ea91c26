import { throwIfAborted } from '../core/errors.ts';
import type { Embedder } from '../embed/embedder.ts';
import { topK } from '../index/top-k.ts';
import { WindowVectors } from './dense.ts';
import { WindowWords } from './lexical.ts';
import type { Span } from './retrieval.ts';
import type { Thread } from './thread.ts';
import { FixedWindows } from './windows.ts';

/** Fixed windows that are found both by their vectors and by BM25. */
export class HybridWindows {
  private readonly windows: FixedWindows;
  private readonly vectors: WindowVectors;
  private readonly words = new WindowWords();

  constructor(embedder: Embedder, size: number) {
    this.windows = new FixedWindows(size);
    this.vectors = new WindowVectors(embedder);
  }

  get all(): readonly Span[] {
    return this.windows.all;
  }

  async catchUp(thread: Thread, signal?: AbortSignal): Promise<void> {
    throwIfAborted(signal);
    const changed = this.windows.extend(thread);
    this.words.catchUp(this.all, changed, thread);
    await this.vectors.catchUp(this.all, changed, thread, signal);
  }

  /** The `k` windows closest to `vector`, best first. */
  closest(vector: Float32Array, k: number): number[] {
    return this.vectors.index.search(vector, k).map(({ id }) => id);
  }

  /** The windows that hold words of `question`, best first, at most `k`. */
  matching(question: string, k: number): number[] {
    const scores = this.words.scores(question);
    return topK(scores, scores.length, k).filter((window) => scores[window]! > 0);
  }

  vector(window: number): Float32Array {
    return this.vectors.index.get(window)!;
  }
}
