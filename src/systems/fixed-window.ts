import { closestSpans, WindowVectors } from './dense.ts';
import { WindowWords } from './lexical.ts';
import { bestSpans, topUnits, toUnit } from './retrieval.ts';
import type { Retrieval, RetrievedUnit, SystemPorts } from './system.ts';
import { ThreadSystem } from './thread-system.ts';
import { FixedWindows } from './windows.ts';

/** Windows that stand in the prompt. */
export const WINDOWS_TAKEN = 5;

/** Fixed-token windows, the closest to the question by their vectors. */
export class DenseWindows extends ThreadSystem {
  private readonly windows: FixedWindows;
  private readonly vectors: WindowVectors;

  constructor(ports: SystemPorts, size: number) {
    super(ports);
    this.windows = new FixedWindows(size);
    this.vectors = new WindowVectors(ports.embedder);
  }

  index(): RetrievedUnit[] {
    return this.windows.all.map((span) => toUnit({ span, score: 0 }));
  }

  protected catchUp(signal?: AbortSignal): Promise<void> {
    const changed = this.windows.extend(this.thread);
    return this.vectors.catchUp(this.windows.all, changed, this.thread, signal);
  }

  protected async search(question: string, signal?: AbortSignal): Promise<Retrieval> {
    const vector = await this.embedQuestion(question, signal);
    return topUnits(closestSpans(this.vectors.index, this.windows.all, vector), WINDOWS_TAKEN);
  }
}

/** Fixed-token windows, ranked by BM25. */
export class LexicalWindows extends ThreadSystem {
  private readonly windows: FixedWindows;
  private readonly words = new WindowWords();

  constructor(ports: SystemPorts, size: number) {
    super(ports);
    this.windows = new FixedWindows(size);
  }

  index(): RetrievedUnit[] {
    return this.windows.all.map((span) => toUnit({ span, score: 0 }));
  }

  protected async catchUp(): Promise<void> {
    this.words.catchUp(this.windows.all, this.windows.extend(this.thread), this.thread);
  }

  protected async search(question: string): Promise<Retrieval> {
    return topUnits(bestSpans(this.windows.all, this.words.scores(question)), WINDOWS_TAKEN);
  }
}
