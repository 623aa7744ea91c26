import { HybridWindows } from './hybrid-windows.ts';
import { extractiveHypothesiser, type Hypothesiser } from './hypothesis.ts';
import { LateInteraction } from './late-interaction.ts';
import { mmrOrder } from './mmr.ts';
import { Packer } from './pack.ts';
import { reciprocalRankFusion } from './rank-fusion.ts';
import { retrievalOf, type ScoredSpan, type Span, spanText, toUnit } from './retrieval.ts';
import type { Retrieval, RetrievedUnit, SystemPorts } from './system.ts';
import { ThreadSystem } from './thread-system.ts';

/**
 * Constants of the Tuned Hybrid-Rerank. `size` is a window's, in tokens; `depth` is how far down each list the
 * fusion looks, `reranked` how many of the fused go on, `feedback` how many passages the hypothesis draws on.
 */
export const HYBRID_RERANK = {
  size: 128,
  depth: 60,
  reranked: 30,
  feedback: 3,
  lambda: 0.8,
  budget: 3000,
};

/**
 * Tuned Hybrid-Rerank: BM25, vectors and the vector of a hypothetical passage find small windows; the fused best
 * are reranked by late interaction over tokens, widened to the windows around them, ordered by maximal marginal
 * relevance and packed under a cap.
 */
export class HybridRerank extends ThreadSystem {
  private readonly windows: HybridWindows;
  private readonly reranker: LateInteraction;

  constructor(
    ports: SystemPorts,
    private readonly hypothesiser: Hypothesiser = extractiveHypothesiser,
  ) {
    super(ports);
    this.windows = new HybridWindows(ports.embedder, HYBRID_RERANK.size);
    this.reranker = new LateInteraction(ports.embedder);
  }

  index(): RetrievedUnit[] {
    return this.windows.all.map((span) => toUnit({ span, score: 0 }));
  }

  protected catchUp(signal?: AbortSignal): Promise<void> {
    return this.windows.catchUp(this.thread, signal);
  }

  protected async search(question: string, signal?: AbortSignal): Promise<Retrieval> {
    const candidates = await this.candidates(question, signal);
    const texts = candidates.map((window) => this.text(window));
    const relevance = await this.reranker.score(question, texts, signal);
    const order = mmrOrder(
      relevance.map((score, i) => ({ score, vector: this.windows.vector(candidates[i]!) })),
      HYBRID_RERANK.lambda,
    );
    const ranked = order.map(
      (i): ScoredSpan => ({ span: this.parentOf(candidates[i]!), score: relevance[i]! }),
    );
    const packer = new Packer(this.thread, HYBRID_RERANK.budget);
    for (const { span } of ranked) packer.add(span);
    return retrievalOf(ranked, packer.spans);
  }

  /** The windows that the first stage finds, best first. */
  private async candidates(question: string, signal?: AbortSignal): Promise<number[]> {
    const { depth, feedback, reranked } = HYBRID_RERANK;
    const matching = this.windows.matching(question, depth);
    const closest = this.windows.closest(await this.embedQuestion(question, signal), depth);
    const first = reciprocalRankFusion([closest, matching]).slice(0, feedback);
    const passages = first.map(({ item }) => this.text(item));
    const passage = await this.hypothesiser.write(question, passages, signal);
    const [vector] = await this.embedder.embed([passage], { kind: 'passage', signal });
    const lists = [closest, matching, this.windows.closest(vector!, depth)];
    return reciprocalRankFusion(lists)
      .slice(0, reranked)
      .map(({ item }) => item);
  }

  private text(window: number): string {
    return spanText(this.thread, this.windows.all[window]!);
  }

  /** A window with those before and after it; a part of a giant turn stays alone. */
  private parentOf(window: number): Span {
    const { all } = this.windows;
    const own = all[window]!;
    if (own.text !== undefined) return own;
    const before = all[window - 1];
    const after = all[window + 1];
    return {
      start: before && before.text === undefined ? before.start : own.start,
      end: after && after.text === undefined ? after.end : own.end,
    };
  }
}
