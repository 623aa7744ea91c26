import { TSIM } from '../memory/configurations.ts';
import { type DriftSegmentation, DriftSegmenter } from '../memory/drift-segmenter.ts';
import { summaryText } from '../memory/summaries.ts';
import { closestSpans, DenseList, TurnVectors } from './dense.ts';
import { type Span, topUnits, toUnit } from './retrieval.ts';
import type { Retrieval, RetrievedUnit, SystemPorts } from './system.ts';
import { ThreadSystem } from './thread-system.ts';

const SEGMENTATION = TSIM.segmentation as DriftSegmentation;

/**
 * TSIM's ablation L2: the episodes of its segmentation (M1), found directly by the vectors of their summary texts,
 * without turns, clusters or spreading.
 */
export class DriftDirect extends ThreadSystem {
  private readonly turns: TurnVectors;
  private readonly summaries: DenseList;
  private readonly segmenter = new DriftSegmenter(SEGMENTATION);
  private readonly episodes: Span[] = [];

  constructor(ports: SystemPorts) {
    super(ports);
    this.turns = new TurnVectors(ports.embedder);
    this.summaries = new DenseList(ports.embedder);
  }

  index(): RetrievedUnit[] {
    return this.episodes.map((span) => toUnit({ span, score: 0 }));
  }

  protected async catchUp(signal?: AbortSignal): Promise<void> {
    await this.turns.catchUp(this.thread, signal);
    this.segment();
    await this.summaries.catchUp(this.episodes.length, (episode) => this.summary(episode), signal);
  }

  protected async search(question: string, signal?: AbortSignal): Promise<Retrieval> {
    const vector = await this.embedQuestion(question, signal);
    return topUnits(closestSpans(this.summaries.index, this.episodes, vector), TSIM.recalled);
  }

  private segment(): void {
    for (let index = this.episodes.at(-1)?.end ?? 0; index < this.thread.size; index++) {
      const { role, text } = this.thread.at(index);
      const tokens = this.thread.tokens(index, index + 1);
      const cuts = this.segmenter.push({ index, role, text, tokens, vector: this.turns.index.get(index)! });
      const open = cuts.length > 0 ? undefined : this.episodes.pop();
      this.episodes.push({ start: open?.start ?? index, end: index + 1 });
      this.summaries.invalidate(this.episodes.length - 1);
    }
  }

  private summary(episode: number): string {
    const { start, end } = this.episodes[episode]!;
    const turns = Array.from({ length: end - start }, (_, i) => ({
      ...this.thread.at(start + i),
      index: start + i,
    }));
    return summaryText(episode, turns);
  }
}
