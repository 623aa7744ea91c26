import { SkeinError } from '../core/errors.ts';
import type { NewTurn } from '../core/turn.ts';
import { branchOf } from '../memory/branch.ts';
import { EpisodicMemory } from '../memory/episodic-memory.ts';
import { MARKS, type Mark } from '../memory/marks.ts';
import type { SkeinDatabase } from '../store/idb/database.ts';
import type { ConfigurationName, SettledAsk, ThreadRecord } from '../store/records.ts';
import { rowReader } from '../store/vector-blocks.ts';
import type { EventHub } from './event-hub.ts';
import type { IngestJobs } from './ingest-jobs.ts';
import type { Memories } from './memories.ts';

/** What the engine's parts share. */
export interface EngineParts {
  /** There once the engine has started. */
  readonly database: () => SkeinDatabase;
  readonly memories: Memories;
  readonly jobs: IngestJobs;
  readonly events: EventHub;
}

/** Changes of a thread: each is durable when it resolves, and told to the page. */
export class ThreadWriting {
  constructor(private readonly parts: EngineParts) {}

  /** Stores turns and starts embedding them; `settles`: see `ThreadStore.append`. */
  async append(
    threadId: string,
    turns: readonly NewTurn[],
    settles?: SettledAsk,
  ): Promise<{ from: number; to: number }> {
    const { database, jobs, events } = this.parts;
    const memory = await this.memoryIfEmbedded(threadId);
    // Turns are kept even when they can't be embedded beside the thread's vectors.
    const from = memory
      ? (await memory.append(turns, settles)).from
      : await database().getThreadStore(threadId).append(turns, settles);
    const to = from + turns.length;
    events.emit({ kind: 'turns', threadId, turns: to });
    if (memory && !jobs.isPaused(threadId)) jobs.start(threadId);
    return { from, to };
  }

  /** Changes something in a thread's memory; a change that failed half-way is undone by reading the store anew. */
  async change(threadId: string, work: (memory: EpisodicMemory) => Promise<void>): Promise<void> {
    const { memories, events } = this.parts;
    const memory = await memories.get(threadId);
    try {
      await work(memory);
    } catch (error) {
      memories.drop(threadId);
      throw error;
    }
    events.emit({ kind: 'episodes', threadId });
  }

  /** A change of texts: the same, and the page is told that turns and questions may read otherwise. */
  async changeTexts(threadId: string, work: (memory: EpisodicMemory) => Promise<void>): Promise<void> {
    const { database, events } = this.parts;
    await this.change(threadId, work);
    const { turns } = await database().getThread(threadId);
    events.emit({ kind: 'turns', threadId, turns });
    events.emit({ kind: 'asks', threadId });
  }

  /** Makes a thread's episodes anew, from its vectors or, unless they are kept, from new ones. */
  async rebuild(threadId: string, configuration: ConfigurationName, keepVectors: boolean): Promise<void> {
    const { database, memories, jobs, events } = this.parts;
    await jobs.stop(threadId);
    memories.drop(threadId);
    await EpisodicMemory.reconfigure(database().getThreadStore(threadId), configuration, keepVectors);
    events.emit({ kind: 'threads' });
    events.emit({ kind: 'episodes', threadId });
    jobs.start(threadId);
  }

  /** The first `turns` turns as a new thread, whose episodes are made anew from their vectors. */
  async branch(threadId: string, turns: number, name: string): Promise<ThreadRecord> {
    const { database, jobs, events } = this.parts;
    const marks = await database().getThreadStore(threadId).readCache(MARKS);
    const { snapshot, caches } = branchOf(await database().readThread(threadId), turns, {
      id: crypto.randomUUID(),
      name,
      now: Date.now(),
      marks: (marks as Mark[] | undefined) ?? [],
    });
    const thread = await database().addThread(snapshot, caches);
    events.emit({ kind: 'threads' });
    jobs.start(thread.id, rowReader(snapshot.blocks));
    return thread;
  }

  /** The memory, or undefined where its thread was embedded with another embedder than the chosen one. */
  async memoryIfEmbedded(threadId: string): Promise<EpisodicMemory | undefined> {
    try {
      return await this.parts.memories.get(threadId);
    } catch (error) {
      if (error instanceof SkeinError && error.code === 'stamp-mismatch') return undefined;
      throw error;
    }
  }
}
