import { throwIfAborted } from '../core/errors.ts';
import { TurnVectors } from './dense.ts';
import { Packer } from './pack.ts';
import { PhraseGraph } from './phrase-graph.ts';
import { type Extractor, phraseExtractor } from './phrases.ts';
import { bestSpans, retrievalOf, toUnit } from './retrieval.ts';
import type { Retrieval, RetrievedUnit, SystemPorts } from './system.ts';
import { ThreadSystem } from './thread-system.ts';
import { FixedWindows } from './windows.ts';

/** Constants of HippoRAG. `size` is a passage's and `budget` the prompt's, in tokens. */
export const HIPPORAG = { size: 160, budget: 750, damping: 0.5, steps: 20 };

/** Turns handed to the extractor at once. */
const BATCH = 512;

/**
 * HippoRAG: a graph of the entities and noun phrases of the thread; personalised PageRank from those of the
 * question, summed over each passage. A question of which the graph knows nothing falls back on vectors.
 */
export class HippoRag extends ThreadSystem {
  private readonly passages = new FixedWindows(HIPPORAG.size);
  private readonly vectors: TurnVectors;
  private readonly graph = new PhraseGraph();

  constructor(
    ports: SystemPorts,
    private readonly extractor: Extractor = phraseExtractor,
  ) {
    super(ports);
    this.vectors = new TurnVectors(ports.embedder);
  }

  index(): RetrievedUnit[] {
    return this.passages.all.map((span) => toUnit({ span, score: 0 }));
  }

  protected async catchUp(signal?: AbortSignal): Promise<void> {
    this.passages.extend(this.thread);
    await this.vectors.catchUp(this.thread, signal);
    while (this.graph.size < this.thread.size) {
      throwIfAborted(signal);
      const from = this.graph.size;
      const count = Math.min(BATCH, this.thread.size - from);
      const texts = Array.from({ length: count }, (_, i) => this.thread.at(from + i).text);
      for (const names of await this.extractor.extract(texts, signal)) this.graph.addTurn(names);
    }
  }

  protected async search(question: string, signal?: AbortSignal): Promise<Retrieval> {
    const [names] = await this.extractor.extract([question], signal);
    const ranks =
      this.graph.rankTurns(names!, HIPPORAG.damping, HIPPORAG.steps) ??
      this.vectors.index.scoreAll(await this.embedQuestion(question, signal)).scores;
    const scores = this.passages.all.map(({ start, end }) => {
      let sum = 0;
      for (let turn = start; turn < end; turn++) sum += ranks[turn]!;
      return sum;
    });
    const ranked = bestSpans(this.passages.all, scores);
    const packer = new Packer(this.thread, HIPPORAG.budget);
    for (const { span } of ranked) packer.add(span);
    return retrievalOf(ranked, packer.spans);
  }
}
