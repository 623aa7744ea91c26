import { words } from '../index/analyzers.ts';
import { Bm25Index } from '../index/bm25.ts';
import type { Span } from './retrieval.ts';
import type { Thread } from './thread.ts';

/**
 * BM25 over windows that follow one another. Its documents are turns and parts of turns, scored in groups, so that
 * a window that grows costs nothing.
 */
export class WindowWords {
  private readonly index = new Bm25Index(words);
  /** First document of each window. */
  private readonly starts: number[] = [];
  /** Documents in the index. */
  private documents = 0;

  /** Takes windows of which those from `changed` on are new or have grown. */
  catchUp(windows: readonly Span[], changed: number, thread: Thread): void {
    let document = this.starts[changed] ?? this.documents;
    for (let i = changed; i < windows.length; i++) {
      const { start, end, text } = windows[i]!;
      this.starts[i] = document;
      for (let turn = start; turn < end; turn++, document++) {
        if (document < this.documents) continue;
        this.index.set(document, text ?? thread.at(turn).text);
        this.documents = document + 1;
      }
    }
  }

  /** BM25 of every window. */
  scores(question: string): Float64Array {
    return this.index.scoreGroups(question, this.starts);
  }
}
