import type {
  AskRecord,
  ClusterRecord,
  DerivedRecords,
  EpisodeRecord,
  StoredTurn,
  ThreadSnapshot,
  VectorBlock,
} from '../records.ts';
import { textHash } from '../text-hash.ts';
import type { OfThread, TurnRow } from './schema.ts';

// Records to rows of the database and back. A row carries its thread's id, which the records leave out.

export function turnRow(threadId: string, turn: StoredTurn): TurnRow {
  return turn.erased ? { ...turn, threadId } : { ...turn, threadId, hash: textHash(turn.text) };
}

export function turnOf({ threadId: _, hash: __, ...turn }: TurnRow): StoredTurn {
  return turn;
}

export function episodeRow(threadId: string, episode: EpisodeRecord): OfThread<EpisodeRecord> {
  return episode.summary
    ? { ...episode, threadId, summary: compact(episode.summary) }
    : { ...episode, threadId };
}

export function clusterRow(threadId: string, cluster: ClusterRecord): OfThread<ClusterRecord> {
  return { ...cluster, threadId, vector: compact(cluster.vector) };
}

export function blockRow(threadId: string, block: VectorBlock): OfThread<VectorBlock> {
  return { ...block, threadId, vectors: compact(block.vectors) };
}

export function askRow(threadId: string, ask: AskRecord): OfThread<AskRecord> {
  return { ...ask, threadId };
}

/** A row without its thread's id. */
export function recordOf<T>({ threadId: _, ...record }: OfThread<T>): Omit<OfThread<T>, 'threadId'> {
  return record;
}

/** Episodes and clusters as rows. */
export function derivedRows(threadId: string, { episodes = [], clusters = [] }: DerivedRecords) {
  return {
    episodes: episodes.map((episode) => episodeRow(threadId, episode)),
    clusters: clusters.map((cluster) => clusterRow(threadId, cluster)),
  };
}

/** A whole thread as rows of each store. */
export function snapshotRows(snapshot: ThreadSnapshot) {
  const { id } = snapshot.thread;
  return {
    turns: snapshot.turns.map((turn) => turnRow(id, turn)),
    vectors: snapshot.blocks.map((block) => blockRow(id, block)),
    asks: snapshot.asks.map((ask) => askRow(id, ask)),
    ...derivedRows(id, snapshot),
  };
}

/**
 * Puts every row. A row that can't be stored rejects like a failed request, so that no request of the others is
 * left without a listener.
 */
export async function putAll<Row>(
  store: { put(row: Row): Promise<unknown> },
  rows: readonly Row[],
): Promise<void> {
  await Promise.all(rows.map(async (row) => store.put(row)));
}

/** A view of a larger buffer would be stored with all of that buffer: such a vector is copied out. */
function compact(vector: Float32Array): Float32Array {
  return vector.byteLength === vector.buffer.byteLength ? vector : vector.slice();
}
