import type { NewTurn } from '../../../src/core/turn.ts';
import type { Embedder } from '../../../src/embed/embedder.ts';
import { EpisodicMemory } from '../../../src/memory/episodic-memory.ts';
import { MemoryThreadStore } from '../../../src/store/memory-store.ts';
import type { ConfigurationName, RecalledEpisode } from '../../../src/store/records.ts';
import { HashEmbedder } from './support.ts';

export interface OpenMemory {
  readonly store: MemoryThreadStore;
  readonly embedder: HashEmbedder;
  readonly memory: EpisodicMemory;
}

/** A memory of a new thread, with `turns` ingested. */
export async function memoryOf(
  configuration: ConfigurationName,
  turns: readonly NewTurn[] = [],
  store = new MemoryThreadStore({ configuration }),
): Promise<OpenMemory> {
  const embedder = new HashEmbedder();
  const memory = await EpisodicMemory.open({ store, embedder });
  await memory.append(turns);
  await memory.catchUp();
  return { store, embedder, memory };
}

export function reopen(store: MemoryThreadStore, embedder: Embedder): Promise<EpisodicMemory> {
  return EpisodicMemory.open({ store, embedder });
}

/** The bounds of a memory's episodes. */
export function bounds(memory: EpisodicMemory): [number, number][] {
  return memory.episodes.map(({ start, end }) => [start, end]);
}

export interface Outcome {
  readonly stored: unknown;
  readonly recalled: readonly RecalledEpisode[][];
}

/** Everything that follows from a thread's turns: what is stored of its memory, and what questions recall. */
export async function outcome(
  store: MemoryThreadStore,
  memory: EpisodicMemory,
  questions: readonly string[] = ['topic0word3 topic1word5', 'apple river', 'something else'],
): Promise<Outcome> {
  const { thread, episodes, clusters, vectors } = await store.load();
  const recalled: RecalledEpisode[][] = [];
  for (const question of questions) recalled.push(await memory.recall(question));
  return {
    stored: { ingested: thread.ingested, segmenter: thread.segmenter, episodes, clusters, vectors },
    recalled,
  };
}
