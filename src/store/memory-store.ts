import type { NewTurn } from '../core/turn.ts';
import type { EmbedderStamp } from '../embed/embedder.ts';
import type {
  AskRecord,
  ClusterRecord,
  ConfigurationName,
  DerivedRecords,
  EpisodeRecord,
  IngestCommit,
  SettledAsk,
  StoredThread,
  StoredTurn,
  ThreadRecord,
  VectorBlock,
} from './records.ts';
import * as rules from './thread-rules.ts';
import type { ThreadStore } from './thread-store.ts';
import { blockOf, blocksBetween, joinBlocks, readRow, writeRows, zeroRows } from './vector-blocks.ts';

/** What a new thread in memory is called and which memory it has. */
export interface MemoryThreadOptions {
  readonly id?: string;
  readonly name?: string;
  readonly configuration?: ConfigurationName;
}

/**
 * A thread in plain memory, for the command line, library users and tests. It means the same as the stored one,
 * except that nothing outlives the process. Nothing handed in or out is shared with the caller.
 *
 * Threads that share a `family` find each other's vectors (see `findVectors`).
 */
export class MemoryThreadStore implements ThreadStore {
  readonly id: string;
  private head: ThreadRecord;
  private readonly turns: StoredTurn[] = [];
  private readonly blocks = new Map<number, VectorBlock>();
  private readonly episodes = new Map<number, EpisodeRecord>();
  private readonly clusters = new Map<number, ClusterRecord>();
  private readonly caches = new Map<string, unknown>();
  private asks: AskRecord[] = [];

  constructor(
    options: MemoryThreadOptions = {},
    private readonly family: Set<MemoryThreadStore> = new Set(),
  ) {
    this.id = options.id ?? crypto.randomUUID();
    const { name = 'Thread', configuration = 'skein' } = options;
    this.head = rules.newThread(this.id, name, configuration, Date.now());
    family.add(this);
  }

  async load(): Promise<StoredThread> {
    const { stamp, ingested } = this.head;
    return structuredClone({
      thread: this.head,
      episodes: byId(this.episodes),
      clusters: byId(this.clusters),
      vectors: stamp ? joinBlocks(this.blocksInOrder(), stamp, ingested) : new Float32Array(0),
    });
  }

  async append(turns: readonly NewTurn[], settles?: SettledAsk): Promise<number> {
    const first = this.head.turns;
    const numbered = rules.numberTurns(turns, first);
    if (settles) this.putAsk(rules.settled(this.askOf(settles.askId), settles, first, turns));
    this.head = rules.headAfterAppend(this.head, numbered, Date.now());
    for (const turn of numbered) this.turns.push(turn);
    return first;
  }

  async readTurns(from: number, to: number): Promise<StoredTurn[]> {
    return this.turns.slice(Math.max(0, from), Math.max(0, to)).map((turn) => ({ ...turn }));
  }

  async commit(step: IngestCommit): Promise<void> {
    const head = structuredClone(rules.headAfterCommit(this.head, step));
    const { from, stamp, vectors } = step;
    if (!rules.sameStamp(this.head, stamp)) this.blocks.clear();
    for (const block of blocksBetween(from, from + vectors.length)) {
      this.blocks.set(block, writeRows(this.blocks.get(block), block, stamp, from, vectors));
    }
    this.head = head;
    this.putDerived(step);
  }

  async putEpisodes(episodes: readonly EpisodeRecord[]): Promise<void> {
    rules.checkEpisodes(episodes, this.head.ingested);
    this.putDerived({ episodes });
  }

  async rewriteTurn(
    index: number,
    text: string,
    vector: Float32Array | undefined,
    derived: DerivedRecords = {},
  ): Promise<void> {
    const before = rules.requireTurn(this.turns[index], index);
    const after = rules.rewritten(before, text);
    rules.checkRewriteVector(this.head, index, vector);
    this.change([before], [after], derived);
    for (const ask of rules.reworded(this.asks, index, text)) this.putAsk(ask);
    const number = blockOf(index);
    const block = this.blocks.get(number);
    if (block) {
      this.blocks.set(
        number,
        vector ? writeRows(block, number, block.stamp, index, [vector]) : zeroRows(block, index, index + 1),
      );
    }
  }

  async erase(from: number, to: number, derived: DerivedRecords): Promise<void> {
    const before = this.turns.slice(Math.max(0, from), Math.max(0, to));
    this.change(before, before.map(rules.erasedTurn), derived);
    for (const [number, block] of this.blocks) this.blocks.set(number, zeroRows(block, from, to));
    this.asks = this.asks.filter((ask) => !rules.concerns(ask, from, to));
  }

  async reset(configuration: ConfigurationName, keepVectors: boolean): Promise<void> {
    this.head = rules.headAfterReset(this.head, configuration, keepVectors);
    this.episodes.clear();
    this.clusters.clear();
    this.caches.clear();
    if (!keepVectors) this.blocks.clear();
  }

  async findVectors(texts: readonly string[], stamp: EmbedderStamp): Promise<(Float32Array | undefined)[]> {
    const missing = new Set(texts);
    const found = new Map<string, Float32Array>();
    for (const thread of new Set([this, ...this.family])) thread.collectVectors(missing, stamp, found);
    return texts.map((text) => found.get(text)?.slice());
  }

  async addAsk(ask: Omit<AskRecord, 'id'>): Promise<AskRecord> {
    const id = (this.asks.at(-1)?.id ?? -1) + 1;
    const record = structuredClone({ ...ask, id });
    this.asks.push(record);
    return structuredClone(record);
  }

  async listAsks(): Promise<AskRecord[]> {
    return structuredClone(this.asks);
  }

  async readAsk(id: number): Promise<AskRecord | undefined> {
    return structuredClone(this.askOf(id));
  }

  async removeAsk(id: number): Promise<void> {
    this.asks = this.asks.filter((ask) => ask.id !== id);
  }

  async readCache(kind: string): Promise<unknown> {
    return structuredClone(this.caches.get(kind));
  }

  async writeCache(kind: string, value: unknown): Promise<void> {
    this.caches.set(kind, structuredClone(value));
  }

  private change(before: readonly StoredTurn[], after: readonly StoredTurn[], derived: DerivedRecords): void {
    for (const { id } of derived.asks ?? []) rules.requireAsk(this.askOf(id), id);
    this.head = structuredClone(rules.headAfterChange(this.head, before, after, derived, Date.now()));
    for (const ask of derived.asks ?? []) this.putAsk(ask);
    for (const turn of after) this.turns[turn.index] = turn;
    this.putDerived(derived);
    this.caches.clear();
  }

  private putDerived({ episodes = [], clusters = [] }: DerivedRecords): void {
    for (const episode of structuredClone(episodes)) this.episodes.set(episode.id, episode);
    for (const cluster of structuredClone(clusters)) this.clusters.set(cluster.id, cluster);
  }

  private askOf(id: number): AskRecord | undefined {
    return this.asks.find((ask) => ask.id === id);
  }

  private putAsk(ask: AskRecord): void {
    this.asks = this.asks.map((old) => (old.id === ask.id ? structuredClone(ask) : old));
  }

  /** Moves the texts whose vector this thread holds from `missing` to `found`. */
  private collectVectors(missing: Set<string>, stamp: EmbedderStamp, found: Map<string, Float32Array>): void {
    if (!rules.sameStamp(this.head, stamp)) return;
    for (const turn of this.turns) {
      if (turn.erased || !missing.has(turn.text)) continue;
      const block = this.blocks.get(blockOf(turn.index));
      const vector = block && readRow(block, turn.index);
      if (!vector) continue;
      found.set(turn.text, vector);
      missing.delete(turn.text);
    }
  }

  private blocksInOrder(): VectorBlock[] {
    return [...this.blocks.values()].sort((a, b) => a.block - b.block);
  }
}

function byId<T extends { readonly id: number }>(records: ReadonlyMap<number, T>): T[] {
  return [...records.values()].sort((a, b) => a.id - b.id);
}
