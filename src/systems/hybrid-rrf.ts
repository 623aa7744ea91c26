import { HybridWindows } from './hybrid-windows.ts';
import { Packer } from './pack.ts';
import { reciprocalRankFusion } from './rank-fusion.ts';
import { retrievalOf, type ScoredSpan, type Span, toUnit } from './retrieval.ts';
import type { Retrieval, RetrievedUnit, SystemPorts } from './system.ts';
import { ThreadSystem } from './thread-system.ts';

/** Constants of Hybrid-RRF. `depth` is how far down each list the fusion looks, `budget` the cap in tokens. */
export const HYBRID_RRF = { size: 256, depth: 100, budget: 1200 };

/**
 * Hybrid-RRF: vectors and BM25 over fixed windows, fused by reciprocal ranks; the best windows that fit under the
 * cap stand in the prompt, and what is left of the cap goes to the turns beside them, the best window's first.
 */
export class HybridRrf extends ThreadSystem {
  private readonly windows: HybridWindows;

  constructor(ports: SystemPorts) {
    super(ports);
    this.windows = new HybridWindows(ports.embedder, HYBRID_RRF.size);
  }

  index(): RetrievedUnit[] {
    return this.windows.all.map((span) => toUnit({ span, score: 0 }));
  }

  protected catchUp(signal?: AbortSignal): Promise<void> {
    return this.windows.catchUp(this.thread, signal);
  }

  protected async search(question: string, signal?: AbortSignal): Promise<Retrieval> {
    const { depth } = HYBRID_RRF;
    const vector = await this.embedQuestion(question, signal);
    const lists = [this.windows.closest(vector, depth), this.windows.matching(question, depth)];
    const ranked = reciprocalRankFusion(lists).map(
      ({ item, score }): ScoredSpan => ({ span: this.windows.all[item]!, score }),
    );
    return retrievalOf(ranked, this.pack(ranked.map(({ span }) => span)));
  }

  private pack(ranked: readonly Span[]): Span[] {
    const packer = new Packer(this.thread, HYBRID_RRF.budget);
    for (const span of ranked) if (!packer.add(span)) break;
    for (const { start, end } of [...packer.spans]) {
      if (end < this.thread.size) packer.add({ start: end, end: end + 1 });
      if (start > 0) packer.add({ start: start - 1, end: start });
    }
    return packer.spans;
  }
}
