import { throwIfAborted } from '../core/errors.ts';
import type { Embedder } from '../embed/embedder.ts';
import { FlatIndex } from '../index/flat/flat-index.ts';
import { type ScoredSpan, type Span, spanText } from './retrieval.ts';
import { LISTED_UNITS } from './system.ts';
import type { Thread } from './thread.ts';

/** Texts embedded between two looks at the abort signal. */
const BATCH = 256;

/** Vectors of numbered texts that come in order; the last ones may change. */
export class DenseList {
  readonly index: FlatIndex;
  /** Texts before this one have their vector. */
  private valid = 0;

  constructor(private readonly embedder: Embedder) {
    this.index = new FlatIndex(embedder.stamp.dimension);
  }

  /** Says that texts from `from` on are new or changed. */
  invalidate(from: number): void {
    this.valid = Math.min(this.valid, from);
  }

  /** Embeds what has no vector yet, up to text `count - 1`. What is done stays done when it is stopped. */
  async catchUp(count: number, textOf: (i: number) => string, signal?: AbortSignal): Promise<void> {
    while (this.valid < count) {
      throwIfAborted(signal);
      const from = this.valid;
      const texts = Array.from({ length: Math.min(BATCH, count - from) }, (_, i) => textOf(from + i));
      const vectors = await this.embedder.embed(texts, { kind: 'passage', signal });
      for (const [i, vector] of vectors.entries()) this.index.add(from + i, vector);
      this.valid = from + texts.length;
    }
  }
}

/** One vector a turn. */
export class TurnVectors {
  private readonly list: DenseList;

  constructor(embedder: Embedder) {
    this.list = new DenseList(embedder);
  }

  get index(): FlatIndex {
    return this.list.index;
  }

  catchUp(thread: Thread, signal?: AbortSignal): Promise<void> {
    return this.list.catchUp(thread.size, (turn) => thread.at(turn).text, signal);
  }
}

/** The `k` items of `index` closest to `vector`; item i is `spans[i]`. */
export function closestSpans(
  index: FlatIndex,
  spans: readonly Span[],
  vector: Float32Array,
  k = LISTED_UNITS,
): ScoredSpan[] {
  return index.search(vector, k).map(({ id, score }) => ({ span: spans[id]!, score }));
}

/** One vector a window, of the window's text. */
export class WindowVectors {
  private readonly list: DenseList;

  constructor(embedder: Embedder) {
    this.list = new DenseList(embedder);
  }

  get index(): FlatIndex {
    return this.list.index;
  }

  /** Takes windows of which those from `changed` on are new or have grown. */
  catchUp(windows: readonly Span[], changed: number, thread: Thread, signal?: AbortSignal): Promise<void> {
    this.list.invalidate(changed);
    return this.list.catchUp(windows.length, (i) => spanText(thread, windows[i]!), signal);
  }
}
