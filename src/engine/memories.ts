import { EpisodicMemory } from '../memory/episodic-memory.ts';
import type { SkeinDatabase } from '../store/idb/database.ts';
import type { Embedders } from './embedders.ts';

/** Threads whose memory is kept open, besides those at work. A thread of 50,000 turns takes some 150 MB. */
const KEPT_OPEN = 3;

/** The open memories, one a thread, opened on first use. */
export class Memories {
  private readonly open = new Map<string, Promise<EpisodicMemory>>();

  constructor(
    private readonly database: () => SkeinDatabase,
    private readonly embedders: Embedders,
    private readonly isBusy: (threadId: string) => boolean,
  ) {}

  /** The memory of a thread. Rejects as `EpisodicMemory.open` does. */
  get(threadId: string): Promise<EpisodicMemory> {
    const known = this.open.get(threadId);
    const memory = known ?? this.start(threadId);
    // The most recently used stands last.
    this.open.delete(threadId);
    this.open.set(threadId, memory);
    this.closeOldest();
    return memory;
  }

  /** Forgets what is in memory; the next use reads the store again. */
  drop(threadId: string): void {
    this.open.delete(threadId);
  }

  dropAll(): void {
    this.open.clear();
  }

  private start(threadId: string): Promise<EpisodicMemory> {
    const memory = this.read(threadId);
    memory.catch(() => this.open.delete(threadId));
    return memory;
  }

  private async read(threadId: string): Promise<EpisodicMemory> {
    const { stamp } = await this.database().getThread(threadId);
    const embedder = await this.embedders.forThread(stamp);
    return EpisodicMemory.open({ store: this.database().getThreadStore(threadId), embedder });
  }

  private closeOldest(): void {
    for (const threadId of this.open.keys()) {
      if (this.open.size <= KEPT_OPEN) return;
      if (!this.isBusy(threadId)) this.open.delete(threadId);
    }
  }
}
