import { closestSpans, WindowVectors } from './dense.ts';
import { WINDOWS_TAKEN } from './fixed-window.ts';
import { WindowWords } from './lexical.ts';
import { bestSpans, type Span, topUnits, toUnit } from './retrieval.ts';
import type { Retrieval, RetrievedUnit, SystemPorts } from './system.ts';
import type { Thread } from './thread.ts';
import { ThreadSystem } from './thread-system.ts';
import type { Windows } from './windows.ts';

/** The sessions that a thread was put together from, told apart by the `source` of its turns. */
class SessionWindows implements Windows {
  readonly all: Span[] = [];
  private seen = 0;

  extend(thread: Thread): number {
    if (this.seen === thread.size) return this.all.length;
    const from = Math.max(0, this.all.length - 1);
    for (; this.seen < thread.size; this.seen++) {
      const open = this.all.at(-1);
      const same = open && thread.at(open.start).source === thread.at(this.seen).source;
      if (same) this.all[this.all.length - 1] = { start: open.start, end: this.seen + 1 };
      else this.all.push({ start: this.seen, end: this.seen + 1 });
    }
    return from;
  }
}

/** Whole given sessions, ranked by BM25 or by the vectors of their texts. Needs turns with their session as `source`. */
export class GivenSessions extends ThreadSystem {
  private readonly windows = new SessionWindows();
  private readonly words = new WindowWords();
  private readonly vectors: WindowVectors;

  constructor(
    ports: SystemPorts,
    private readonly by: 'bm25' | 'dense',
  ) {
    super(ports);
    this.vectors = new WindowVectors(ports.embedder);
  }

  index(): RetrievedUnit[] {
    return this.windows.all.map((span) => toUnit({ span, score: 0 }));
  }

  protected async catchUp(signal?: AbortSignal): Promise<void> {
    const { all } = this.windows;
    const changed = this.windows.extend(this.thread);
    if (this.by === 'dense') await this.vectors.catchUp(all, changed, this.thread, signal);
    else this.words.catchUp(all, changed, this.thread);
  }

  protected async search(question: string, signal?: AbortSignal): Promise<Retrieval> {
    const { all } = this.windows;
    if (this.by === 'bm25') return topUnits(bestSpans(all, this.words.scores(question)), WINDOWS_TAKEN);
    const vector = await this.embedQuestion(question, signal);
    return topUnits(closestSpans(this.vectors.index, all, vector), WINDOWS_TAKEN);
  }
}
