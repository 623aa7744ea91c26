import { centroid } from '../core/vectors.ts';
import { charGrams, words } from '../index/analyzers.ts';
import { Bm25Index } from '../index/bm25.ts';
import { FlatIndex } from '../index/flat/flat-index.ts';
import { SKEIN_A } from '../memory/configurations.ts';
import { type FusedRanking, type FusionSignals, fuse } from '../memory/fused-ranker.ts';
import { TurnVectors } from './dense.ts';
import { type ScoredSpan, type Span, spanText, topUnits, toUnit } from './retrieval.ts';
import { LISTED_UNITS, type Retrieval, type RetrievedUnit, type SystemPorts } from './system.ts';
import type { Thread } from './thread.ts';
import { ThreadSystem } from './thread-system.ts';
import { OverlappingWindows } from './windows.ts';

/** Constants of control C (shared design, retrieval); it ranks with those of `skein-a`. */
export const CONTROL_C = { size: 256, stride: 100, taken: 5, ranking: SKEIN_A.ranking as FusedRanking };

/**
 * Control C: the fused ranking of `skein` over plain overlapping windows, without any segmentation. It tells what
 * the episodes are worth apart from the ranking. As in `skein`, a window's vector is the mean of its turns'.
 */
export class ControlC extends ThreadSystem {
  private readonly windows = new OverlappingWindows(CONTROL_C.size, CONTROL_C.stride);
  private readonly turns: TurnVectors;
  private readonly means: FlatIndex;
  private readonly texts = new WindowTexts();
  /** Windows before this one have their mean. */
  private meant = 0;

  constructor(ports: SystemPorts) {
    super(ports);
    this.turns = new TurnVectors(ports.embedder);
    this.means = new FlatIndex(ports.embedder.stamp.dimension);
  }

  index(): RetrievedUnit[] {
    return this.windows.all.map((span) => toUnit({ span, score: 0 }));
  }

  protected async catchUp(signal?: AbortSignal): Promise<void> {
    const changed = this.windows.extend(this.thread);
    this.meant = Math.min(this.meant, changed);
    this.texts.invalidate(changed);
    await this.turns.catchUp(this.thread, signal);
    for (; this.meant < this.windows.all.length; this.meant++) {
      this.means.add(this.meant, this.meanOf(this.windows.all[this.meant]!));
    }
  }

  protected async search(question: string, signal?: AbortSignal): Promise<Retrieval> {
    const vector = await this.embedQuestion(question, signal);
    const { all } = this.windows;
    this.texts.catchUp(all, this.thread);
    const signals: FusionSignals = {
      whole: Float64Array.from(this.means.scoreAll(vector).scores),
      closestTurn: closestTurns(this.turns.index.scoreAll(vector).scores, all),
      ...this.texts.scores(question),
    };
    const everyone = Array.from(all, (_, i) => i);
    const ranked = fuse(signals, everyone, CONTROL_C.ranking, LISTED_UNITS).map(
      ({ episode, score, parts }): ScoredSpan => ({ span: all[episode]!, score, parts }),
    );
    return topUnits(ranked, CONTROL_C.taken);
  }

  private meanOf({ start, end }: Span): Float32Array {
    const vectors = Array.from({ length: end - start }, (_, i) => this.turns.index.get(start + i)!);
    return centroid(vectors, this.embedder.stamp.dimension);
  }
}

/** The best score among each window's turns. */
function closestTurns(scores: Float32Array, windows: readonly Span[]): Float64Array {
  return Float64Array.from(windows, ({ start, end }) =>
    scores.subarray(start, end).reduce((best, score) => Math.max(best, score)),
  );
}

/** BM25 over overlapping windows, each a document. Windows at the thread's end wait until a question comes. */
class WindowTexts {
  private readonly words = new Bm25Index(words);
  private readonly grams = new Bm25Index((text) => charGrams(text));
  private valid = 0;

  invalidate(from: number): void {
    this.valid = Math.min(this.valid, from);
  }

  catchUp(windows: readonly Span[], thread: Thread): void {
    for (; this.valid < windows.length; this.valid++) {
      const text = spanText(thread, windows[this.valid]!);
      this.words.set(this.valid, text);
      this.grams.set(this.valid, text);
    }
  }

  scores(question: string): { words: Float64Array; grams: Float64Array } {
    const each = Uint32Array.from({ length: this.valid }, (_, i) => i);
    return {
      words: this.words.scoreGroups(question, each),
      grams: this.grams.scoreGroups(question, each),
    };
  }
}
