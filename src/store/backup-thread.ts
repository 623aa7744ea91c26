import { estimateTokens } from '../core/tokens.ts';
import { unreachable } from '../core/unreachable.ts';
import { stampKey } from '../embed/embedder.ts';
import type { BackupLine, LineCounts } from './backup-lines.ts';
import type {
  AskRecord,
  ClusterRecord,
  EpisodeRecord,
  StoredTurn,
  ThreadRecord,
  ThreadSnapshot,
  VectorBlock,
} from './records.ts';
import { checkEpisodes, newThread } from './thread-rules.ts';
import { joinBlocks } from './vector-blocks.ts';

/** Turns that may be missing in a row before an index is taken for a broken one. */
const LARGEST_GAP = 10_000;

/** A thread as far as its lines could be read. */
export interface CollectedThread {
  readonly snapshot: ThreadSnapshot;
  /** Turns that the file has or should have of it. */
  readonly found: number;
  /** Turns of `found` whose text is in the snapshot. */
  readonly imported: number;
  /** What is missing beyond the lines that could not be read, each with a number of turns. */
  readonly losses: readonly { readonly reason: string; readonly turns: number }[];
}

type LineOfThread = Exclude<BackupLine, { kind: 'thread' | 'end' }>;

/** Gathers the lines of one thread and makes a consistent thread of what arrived. */
export class ThreadCollector {
  private readonly turns: StoredTurn[] = [];
  private readonly episodes: EpisodeRecord[] = [];
  private readonly clusters: ClusterRecord[] = [];
  private readonly asks: AskRecord[] = [];
  private readonly blocks: VectorBlock[] = [];
  private imported = 0;
  private lostTurnLines = 0;

  constructor(
    private readonly head: ThreadRecord,
    private readonly counts: LineCounts,
  ) {}

  /** For lines of a thread whose own line was lost. */
  static recovered(): ThreadCollector {
    const head = newThread(crypto.randomUUID(), 'Recovered thread', 'skein', Date.now());
    return new ThreadCollector(head, { turns: 0, episodes: 0, clusters: 0, asks: 0, vectors: 0 });
  }

  /** Throws a plain Error for a turn out of order. */
  add(line: LineOfThread): void {
    switch (line.kind) {
      case 'turn':
        this.addTurn(line.turn);
        return;
      case 'episode':
        this.episodes.push(line.episode);
        return;
      case 'cluster':
        this.clusters.push(line.cluster);
        return;
      case 'ask':
        this.asks.push(line.ask);
        return;
      case 'vectors':
        this.blocks.push(line.block);
        return;
      default:
        unreachable(line);
    }
  }

  /** Notes that a line which held a turn could not be read. */
  loseTurn(): void {
    this.lostTurnLines++;
  }

  finish(): CollectedThread {
    const found = Math.max(this.counts.turns, this.imported + this.lostTurnLines);
    const missing = found - this.imported - this.lostTurnLines;
    const losses = [];
    if (missing > 0) losses.push({ reason: `${missing} of its turns are not in the file.`, turns: missing });
    const lostAsks = this.counts.asks - this.asks.length;
    if (lostAsks > 0) losses.push({ reason: `${lostAsks} of its questions could not be read.`, turns: 0 });
    const whole = this.derivedIsWhole();
    if (!whole && this.counts.episodes > 0) {
      losses.push({ reason: 'Its episodes are incomplete and will be made anew, without pins.', turns: 0 });
    }
    const snapshot = whole ? this.wholeSnapshot() : this.rebuildableSnapshot();
    return { snapshot, found, imported: this.imported, losses };
  }

  private addTurn(turn: StoredTurn): void {
    const next = this.turns.length;
    if (turn.index < next || turn.index > next + LARGEST_GAP) {
      throw new Error(`turn ${turn.index} stands where turn ${next} should`);
    }
    // A lost turn keeps its place, as an erased one does: the numbers of the others still hold.
    for (let index = next; index < turn.index; index++) {
      this.turns.push({ index, role: 'user', text: '', erased: true });
    }
    this.turns.push(turn);
    this.imported++;
  }

  private derivedIsWhole(): boolean {
    const { head, counts } = this;
    if (
      this.episodes.length !== counts.episodes ||
      this.clusters.length !== counts.clusters ||
      this.blocks.length !== counts.vectors ||
      head.ingested > this.turns.length ||
      (head.ingested > 0 && !head.stamp)
    ) {
      return false;
    }
    try {
      checkEpisodes(this.episodes, head.ingested);
      if (head.stamp) joinBlocks(this.blocks, head.stamp, head.ingested);
      return true;
    } catch {
      // Lines that are each readable but do not fit each other: the same as if one were missing.
      return false;
    }
  }

  private wholeSnapshot(): ThreadSnapshot {
    const { turns, episodes, clusters, asks, blocks } = this;
    return { thread: this.countedHead(), turns, episodes, clusters, asks, blocks };
  }

  /** The turns, and those vectors that can be found again while the rest is made anew. */
  private rebuildableSnapshot(): ThreadSnapshot {
    const { segmenter: _, ...head } = this.countedHead();
    const stamp = head.stamp ?? this.blocks[0]?.stamp;
    const blocks = this.blocks.filter((block) => stamp && stampKey(block.stamp) === stampKey(stamp));
    return {
      thread: { ...head, ingested: 0, ...(stamp && { stamp }) },
      turns: this.turns,
      episodes: [],
      clusters: [],
      asks: this.asks,
      blocks,
    };
  }

  /** The head with the turns that are really there. */
  private countedHead(): ThreadRecord {
    if (this.imported === this.head.turns) return this.head;
    const tokens = this.turns.reduce((sum, turn) => sum + estimateTokens(turn.text), 0);
    return { ...this.head, turns: this.turns.length, tokens };
  }
}
