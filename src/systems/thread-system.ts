import { SkeinError } from '../core/errors.ts';
import type { NewTurn } from '../core/turn.ts';
import type { Embedder } from '../embed/embedder.ts';
import type { MemorySystem, Retrieval, SystemPorts } from './system.ts';
import { Thread } from './thread.ts';

/**
 * Ground of the systems that keep the thread's turns themselves. Turns are taken first and indexed next: what an
 * aborted or failed call left out is indexed by the next one. A system's state depends on the turns alone, not on
 * how many came at a time.
 */
export abstract class ThreadSystem implements MemorySystem {
  protected readonly thread = new Thread();
  protected readonly embedder: Embedder;

  constructor({ embedder }: SystemPorts) {
    this.embedder = embedder;
  }

  async append(turns: readonly NewTurn[], signal?: AbortSignal): Promise<void> {
    this.thread.push(turns);
    await this.catchUp(signal);
  }

  /** Nothing is retrieved from an empty thread; an empty question is an error (`bad-argument`). */
  async retrieve(question: string, signal?: AbortSignal): Promise<Retrieval> {
    if (question.trim() === '') throw new SkeinError('bad-argument', 'The question is empty.');
    await this.catchUp(signal);
    if (this.thread.size === 0) return { units: [], context: [] };
    return this.search(question, signal);
  }

  /** Indexes the turns that are not yet. */
  protected abstract catchUp(signal?: AbortSignal): Promise<void>;

  /** Retrieves from a thread that has turns, all of them indexed. */
  protected abstract search(question: string, signal?: AbortSignal): Promise<Retrieval>;

  protected async embedQuestion(question: string, signal?: AbortSignal): Promise<Float32Array> {
    const [vector] = await this.embedder.embed([question], { kind: 'query', signal });
    return vector!;
  }
}
