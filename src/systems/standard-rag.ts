import { closestSpans, TurnVectors } from './dense.ts';
import { type Span, topUnits, toUnit } from './retrieval.ts';
import type { Retrieval, RetrievedUnit, SystemPorts } from './system.ts';
import { ThreadSystem } from './thread-system.ts';

/** Units that stand in the prompt. */
export const STANDARD_TAKEN = 5;
/** Units in the prompt of LSREP's baseline, which has no budget. */
export const VECTOR_RAG_TAKEN = 30;

/** Standard RAG: the single turns closest to the question. */
export class StandardRag extends ThreadSystem {
  private readonly vectors: TurnVectors;
  private readonly spans: Span[] = [];

  constructor(
    ports: SystemPorts,
    private readonly taken = STANDARD_TAKEN,
  ) {
    super(ports);
    this.vectors = new TurnVectors(ports.embedder);
  }

  index(): RetrievedUnit[] {
    return this.spans.map((span) => toUnit({ span, score: 0 }));
  }

  protected catchUp(signal?: AbortSignal): Promise<void> {
    for (let turn = this.spans.length; turn < this.thread.size; turn++) {
      this.spans.push({ start: turn, end: turn + 1 });
    }
    return this.vectors.catchUp(this.thread, signal);
  }

  protected async search(question: string, signal?: AbortSignal): Promise<Retrieval> {
    const vector = await this.embedQuestion(question, signal);
    return topUnits(closestSpans(this.vectors.index, this.spans, vector), this.taken);
  }
}
