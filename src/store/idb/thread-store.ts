import type { NewTurn } from '../../core/turn.ts';
import type { EmbedderStamp } from '../../embed/embedder.ts';
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
} from '../records.ts';
import * as rules from '../thread-rules.ts';
import type { ThreadStore } from '../thread-store.ts';
import { blockOf, blocksBetween, joinBlocks, writeRows, zeroRows } from '../vector-blocks.ts';
import type { Connection } from './connection.ts';
import { findStoredVectors } from './find-vectors.ts';
import { askRow, blockRow, derivedRows, episodeRow, putAll, recordOf, turnOf, turnRow } from './rows.ts';
import { type OfThread, rowRange, type Transaction, type TurnRow, threadRange } from './schema.ts';

/** The stores that a change of turns touches. */
const CHANGED_STORES = ['threads', 'turns', 'vectors', 'episodes', 'clusters', 'asks', 'caches'] as const;
type ChangeTransaction = Transaction<typeof CHANGED_STORES, 'readwrite'>;

/**
 * One thread in IndexedDB. Every writing call is one strictly durable transaction, whatever its size: it resolves
 * once everything of it is on the disk, and nothing of it is stored when it rejects. Beside the port's errors, a
 * call rejects with `storage-blocked`, `storage-newer` or `storage-unavailable` when the database can't be opened.
 */
export class IdbThreadStore implements ThreadStore {
  constructor(
    readonly id: string,
    private readonly connection: Connection,
  ) {}

  async load(): Promise<StoredThread> {
    return this.connection.read(['threads', 'episodes', 'clusters', 'vectors'], async (tx) => {
      const thread = await this.headIn(tx);
      const { stamp, ingested } = thread;
      const range = threadRange(this.id);
      const [episodes, clusters, blocks] = await Promise.all([
        tx.objectStore('episodes').getAll(range),
        tx.objectStore('clusters').getAll(range),
        ingested > 0 ? tx.objectStore('vectors').getAll(rowRange(this.id, 0, blockOf(ingested - 1) + 1)) : [],
      ]);
      return {
        thread,
        episodes: episodes.map(recordOf),
        clusters: clusters.map(recordOf),
        vectors: stamp ? joinBlocks(blocks, stamp, ingested) : new Float32Array(0),
      };
    });
  }

  async append(turns: readonly NewTurn[], settles?: SettledAsk): Promise<number> {
    return this.connection.write(['threads', 'turns', 'asks'], async (tx) => {
      const head = await this.headIn(tx);
      const numbered = rules.numberTurns(turns, head.turns);
      if (settles) {
        const ask = await this.askIn(tx, settles.askId);
        await this.putAsks(tx, [rules.settled(ask, settles, head.turns, turns)]);
      }
      const rows = numbered.map((turn) => turnRow(this.id, turn));
      await putAll(tx.objectStore('turns'), rows);
      await tx.objectStore('threads').put(rules.headAfterAppend(head, numbered, Date.now()));
      return head.turns;
    });
  }

  async readTurns(from: number, to: number): Promise<StoredTurn[]> {
    return this.connection.read(['threads', 'turns'], async (tx) => {
      await this.headIn(tx);
      return this.turnsIn(tx, from, to);
    });
  }

  async commit(step: IngestCommit): Promise<void> {
    const { from, stamp, vectors } = step;
    await this.connection.write(['threads', 'vectors', 'episodes', 'clusters'], async (tx) => {
      const head = await this.headIn(tx);
      const next = rules.headAfterCommit(head, step);
      const store = tx.objectStore('vectors');
      if (!rules.sameStamp(head, stamp)) await store.delete(threadRange(this.id));
      await Promise.all(
        blocksBetween(from, from + vectors.length).map(async (block) => {
          const previous = await store.get([this.id, block]);
          await store.put(blockRow(this.id, writeRows(previous, block, stamp, from, vectors)));
        }),
      );
      await this.putDerived(tx, step);
      await tx.objectStore('threads').put(next);
    });
  }

  async putEpisodes(episodes: readonly EpisodeRecord[]): Promise<void> {
    await this.connection.write(['threads', 'episodes'], async (tx) => {
      rules.checkEpisodes(episodes, (await this.headIn(tx)).ingested);
      const rows = episodes.map((episode) => episodeRow(this.id, episode));
      await putAll(tx.objectStore('episodes'), rows);
    });
  }

  async rewriteTurn(
    index: number,
    text: string,
    vector: Float32Array | undefined,
    derived: DerivedRecords = {},
  ): Promise<void> {
    await this.connection.write(CHANGED_STORES, async (tx) => {
      const row = await tx.objectStore('turns').get([this.id, index]);
      const head = await this.headIn(tx);
      const before = rules.requireTurn(row && turnOf(row), index);
      rules.checkRewriteVector(head, index, vector);
      await this.change(tx, [before], [rules.rewritten(before, text)], derived);
      await this.putAsks(tx, rules.reworded(await this.asksIn(tx), index, text));
      const store = tx.objectStore('vectors');
      const block = await store.get([this.id, blockOf(index)]);
      if (!block) return;
      const changed = vector
        ? writeRows(block, block.block, block.stamp, index, [vector])
        : zeroRows(block, index, index + 1);
      await store.put(blockRow(this.id, changed));
    });
  }

  async erase(from: number, to: number, derived: DerivedRecords): Promise<void> {
    await this.connection.write(CHANGED_STORES, async (tx) => {
      const before = await this.turnsIn(tx, from, to);
      await this.change(tx, before, before.map(rules.erasedTurn), derived);
      if (before.length > 0) await this.zeroVectors(tx, before[0]!.index, before.at(-1)!.index + 1);
      for (const ask of await this.asksIn(tx)) {
        if (rules.concerns(ask, from, to)) await tx.objectStore('asks').delete([this.id, ask.id]);
      }
    });
  }

  async reset(configuration: ConfigurationName, keepVectors: boolean): Promise<void> {
    await this.connection.write(['threads', 'vectors', 'episodes', 'clusters', 'caches'], async (tx) => {
      const head = rules.headAfterReset(await this.headIn(tx), configuration, keepVectors);
      const range = threadRange(this.id);
      await Promise.all([
        tx.objectStore('threads').put(head),
        tx.objectStore('episodes').delete(range),
        tx.objectStore('clusters').delete(range),
        tx.objectStore('caches').delete(range),
        keepVectors || tx.objectStore('vectors').delete(range),
      ]);
    });
  }

  async findVectors(texts: readonly string[], stamp: EmbedderStamp): Promise<(Float32Array | undefined)[]> {
    const found = await this.connection.read(['threads', 'turns', 'vectors'], async (tx) => {
      await this.headIn(tx);
      return findStoredVectors(tx, new Set(texts), stamp);
    });
    return texts.map((text) => found.get(text)?.slice());
  }

  async addAsk(ask: Omit<AskRecord, 'id'>): Promise<AskRecord> {
    return this.connection.write(['threads', 'asks'], async (tx) => {
      await this.headIn(tx);
      const store = tx.objectStore('asks');
      const last = await store.openKeyCursor(threadRange(this.id), 'prev');
      const record = { ...ask, id: last ? last.primaryKey[1] + 1 : 0 };
      await store.put(askRow(this.id, record));
      return record;
    });
  }

  async listAsks(): Promise<AskRecord[]> {
    return this.connection.read(['threads', 'asks'], async (tx) => {
      await this.headIn(tx);
      return this.asksIn(tx);
    });
  }

  async readAsk(id: number): Promise<AskRecord | undefined> {
    return this.connection.read(['threads', 'asks'], async (tx) => {
      await this.headIn(tx);
      return this.askIn(tx, id);
    });
  }

  async removeAsk(id: number): Promise<void> {
    await this.connection.write(['threads', 'asks'], async (tx) => {
      await this.headIn(tx);
      await tx.objectStore('asks').delete([this.id, id]);
    });
  }

  async readCache(kind: string): Promise<unknown> {
    return this.connection.read(['threads', 'caches'], async (tx) => {
      await this.headIn(tx);
      return (await tx.objectStore('caches').get([this.id, kind]))?.value;
    });
  }

  async writeCache(kind: string, value: unknown): Promise<void> {
    await this.connection.write(['threads', 'caches'], async (tx) => {
      await this.headIn(tx);
      await tx.objectStore('caches').put({ threadId: this.id, kind, value });
    });
  }

  /** Replaces turns in place, stores what was derived from them anew and drops every cache. */
  private async change(
    tx: ChangeTransaction,
    before: readonly StoredTurn[],
    after: readonly StoredTurn[],
    derived: DerivedRecords,
  ): Promise<void> {
    const head = rules.headAfterChange(await this.headIn(tx), before, after, derived, Date.now());
    for (const { id } of derived.asks ?? []) rules.requireAsk(await this.askIn(tx, id), id);
    const rows = after.map((turn) => turnRow(this.id, turn));
    await Promise.all([
      tx.objectStore('threads').put(head),
      putAll(tx.objectStore('turns'), rows),
      this.putDerived(tx, derived),
      this.putAsks(tx, derived.asks ?? []),
      tx.objectStore('caches').delete(threadRange(this.id)),
    ]);
  }

  private async zeroVectors(tx: ChangeTransaction, from: number, to: number): Promise<void> {
    const store = tx.objectStore('vectors');
    for (const number of blocksBetween(from, to)) {
      const block = await store.get([this.id, number]);
      if (block) await store.put(blockRow(this.id, zeroRows(block, from, to)));
    }
  }

  private async putDerived(tx: DerivedWriter, derived: DerivedRecords): Promise<void> {
    const { episodes, clusters } = derivedRows(this.id, derived);
    await Promise.all([
      putAll(tx.objectStore('episodes'), episodes),
      putAll(tx.objectStore('clusters'), clusters),
    ]);
  }

  private async putAsks(tx: AsksWriter, asks: readonly AskRecord[]): Promise<void> {
    const rows = asks.map((ask) => askRow(this.id, ask));
    await putAll(tx.objectStore('asks'), rows);
  }

  private async asksIn(tx: AsksReader): Promise<AskRecord[]> {
    return (await tx.objectStore('asks').getAll(threadRange(this.id))).map(recordOf);
  }

  private async askIn(tx: AsksReader, id: number): Promise<AskRecord | undefined> {
    const row = await tx.objectStore('asks').get([this.id, id]);
    return row && recordOf(row);
  }

  private async headIn(tx: ThreadsReader): Promise<ThreadRecord> {
    return rules.requireThread(await tx.objectStore('threads').get(this.id), this.id);
  }

  private async turnsIn(tx: TurnsReader, from: number, to: number): Promise<StoredTurn[]> {
    const first = Math.max(0, from);
    if (!(first < to)) return [];
    return (await tx.objectStore('turns').getAll(rowRange(this.id, first, to))).map(turnOf);
  }
}

// What the steps above need of a transaction, whichever other stores it spans.

interface ThreadsReader {
  objectStore(name: 'threads'): { get(id: string): Promise<ThreadRecord | undefined> };
}

interface TurnsReader {
  objectStore(name: 'turns'): { getAll(range: IDBKeyRange): Promise<TurnRow[]> };
}

interface AsksReader {
  objectStore(name: 'asks'): {
    get(key: [string, number]): Promise<OfThread<AskRecord> | undefined>;
    getAll(range: IDBKeyRange): Promise<OfThread<AskRecord>[]>;
  };
}

interface AsksWriter {
  objectStore(name: 'asks'): { put(row: OfThread<AskRecord>): Promise<unknown> };
}

interface DerivedWriter {
  objectStore(name: 'episodes'): { put(row: OfThread<EpisodeRecord>): Promise<unknown> };
  objectStore(name: 'clusters'): { put(row: OfThread<ClusterRecord>): Promise<unknown> };
}
