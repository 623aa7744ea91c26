import { words } from '../index/analyzers.ts';
import { Bm25Index } from '../index/bm25.ts';
import { topK } from '../index/top-k.ts';
import { type CoreEditor, patternEditor } from './core-memory.ts';
import { WindowVectors } from './dense.ts';
import { Packer } from './pack.ts';
import { contextOf, type ScoredSpan, type Span, toUnit } from './retrieval.ts';
import { LISTED_UNITS, type Retrieval, type RetrievedUnit, type SystemPorts } from './system.ts';
import { ThreadSystem } from './thread-system.ts';
import { FixedWindows } from './windows.ts';

/**
 * Constants of MemGPT. `passage` is an archival passage's size and `budget` what the prompt holds of memory, both in
 * tokens; `queue` is what the queue of recent messages keeps, `page` the results of one search call, `pages` how
 * often each search is called at most, `around` the messages shown on either side of a recalled one.
 */
export const MEMGPT = { passage: 256, budget: 2300, queue: 250, page: 3, pages: 4, around: 2 };

/**
 * MemGPT with a fixed controller in place of its language model: core memory and the queue of recent messages
 * always stand in the prompt; archival storage (passages, by their vectors) and recall storage (messages, by their
 * words) are searched in turn, page after page, until the prompt is full.
 */
export class MemGpt extends ThreadSystem {
  private readonly passages = new FixedWindows(MEMGPT.passage);
  private readonly archival: WindowVectors;
  private readonly recall = new Bm25Index(words);
  private core: readonly string[] = [];
  /** Turns before this one are in recall storage and core memory. */
  private recorded = 0;

  constructor(
    ports: SystemPorts,
    private readonly editor: CoreEditor = patternEditor,
  ) {
    super(ports);
    this.archival = new WindowVectors(ports.embedder);
  }

  index(): RetrievedUnit[] {
    return this.passages.all.map((span) => toUnit({ span, score: 0 }));
  }

  protected async catchUp(signal?: AbortSignal): Promise<void> {
    const changed = this.passages.extend(this.thread);
    await this.archival.catchUp(this.passages.all, changed, this.thread, signal);
    for (; this.recorded < this.thread.size; this.recorded++) {
      const turn = this.thread.at(this.recorded);
      this.core = await this.editor.edit(this.core, [turn], signal);
      this.recall.set(this.recorded, turn.text);
    }
  }

  protected async search(question: string, signal?: AbortSignal): Promise<Retrieval> {
    const vector = await this.embedQuestion(question, signal);
    const found = alternate(this.searchArchival(vector), this.searchRecall(question), MEMGPT.page);
    const packer = new Packer(this.thread, MEMGPT.budget);
    if (this.core.length > 0) packer.add({ start: 0, end: 0, text: this.core.join('\n') });
    packer.add(this.queue());
    for (const { span } of found) packer.add(span);
    return { units: found.slice(0, LISTED_UNITS).map(toUnit), context: contextOf(packer.spans) };
  }

  /** The most recent messages that fit the queue. */
  private queue(): Span {
    const end = this.thread.size;
    let start = end - 1;
    while (start > 0 && this.thread.tokens(start - 1, end) <= MEMGPT.queue) start--;
    return { start, end };
  }

  private searchArchival(vector: Float32Array): ScoredSpan[] {
    return this.archival.index
      .search(vector, MEMGPT.page * MEMGPT.pages)
      .map(({ id, score }) => ({ span: this.passages.all[id]!, score, parts: { archival: score } }));
  }

  private searchRecall(question: string): ScoredSpan[] {
    const each = Uint32Array.from({ length: this.thread.size }, (_, i) => i);
    const scores = this.recall.scoreGroups(question, each);
    return topK(scores, scores.length, MEMGPT.page * MEMGPT.pages)
      .filter((turn) => scores[turn]! > 0)
      .map((turn) => ({
        span: {
          start: Math.max(0, turn - MEMGPT.around),
          end: Math.min(this.thread.size, turn + MEMGPT.around + 1),
        },
        score: scores[turn]!,
        parts: { recall: scores[turn]! },
      }));
  }
}

/** A page of `a`, a page of `b`, and so on; where one ends, the other goes on. */
function alternate<T>(a: readonly T[], b: readonly T[], page: number): T[] {
  const out: T[] = [];
  for (let from = 0; from < Math.max(a.length, b.length); from += page) {
    out.push(...a.slice(from, from + page), ...b.slice(from, from + page));
  }
  return out;
}
