import type { NewTurn } from '../core/turn.ts';
import type { Configuration } from '../memory/configurations.ts';
import { EpisodicMemory } from '../memory/episodic-memory.ts';
import { MemoryThreadStore } from '../store/memory-store.ts';
import type { ConfigurationName, RecalledEpisode } from '../store/records.ts';
import { contextOf, type Span, toUnit } from './retrieval.ts';
import {
  LISTED_UNITS,
  type MemorySystem,
  type Retrieval,
  type RetrievedUnit,
  type SystemPorts,
} from './system.ts';

/** Our own memory and TSIM as comparison systems: `EpisodicMemory`, nothing beside it. */
export class EpisodicSystem implements MemorySystem {
  private constructor(private readonly memory: EpisodicMemory) {}

  /** @param constants for variants: constants other than those that the name stands for. */
  static async create(
    { embedder }: SystemPorts,
    name: ConfigurationName,
    constants?: Configuration,
  ): Promise<EpisodicSystem> {
    const store = new MemoryThreadStore({ configuration: name });
    const configuration = constants && { configuration: constants };
    return new EpisodicSystem(await EpisodicMemory.open({ store, embedder, ...configuration }));
  }

  async append(turns: readonly NewTurn[], signal?: AbortSignal): Promise<void> {
    await this.memory.append(turns);
    await this.memory.catchUp({ signal });
  }

  async retrieve(question: string, signal?: AbortSignal): Promise<Retrieval> {
    await this.memory.catchUp({ signal });
    const ranked = await this.memory.recall(question, { k: LISTED_UNITS, signal });
    const units = ranked.map(toRetrieved);
    const context = contextOf(ranked.slice(0, this.memory.configuration.recalled).flatMap(spansOf));
    const views = this.memory.configuration.clustering && viewsOf(ranked);
    return { units, context, ...(views && { views }) };
  }

  index(): RetrievedUnit[] {
    return this.memory.episodes.map(({ start, end }) => toUnit({ span: { start, end }, score: 0 }));
  }
}

/** TSIM's candidates by the view whose hits led to them: a view that had none gave the score no part. */
function viewsOf(ranked: readonly RecalledEpisode[]): Record<string, RetrievedUnit[]> {
  const hits = (view: string) => ranked.filter(({ parts }) => parts[view] !== 0).map(toRetrieved);
  return { raw: hits('raw'), summary: hits('summary'), cluster: hits('cluster') };
}

function toRetrieved(episode: RecalledEpisode): RetrievedUnit {
  const { score, parts } = episode;
  return { ranges: spansOf(episode).map(({ start, end }) => [start, end] as const), score, parts };
}

function spansOf({ start, end, ranges }: RecalledEpisode): readonly Span[] {
  return ranges?.map((range) => ({ start: range.start, end: range.end })) ?? [{ start, end }];
}
