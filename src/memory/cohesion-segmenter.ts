import { centroid, dot } from '../core/vectors.ts';
import { charGrams } from '../index/analyzers.ts';
import type { TermStatistics } from '../index/lexical-index.ts';
import type { RestoredSegmenter, Segmenter, SegmenterState, SegmenterTurn } from './segmenter.ts';

/** Constants of the product's own segmentation (shared design, retrieval: configuration A). */
export interface CohesionSegmentation {
  readonly kind: 'cohesion';
  /** Turns before an exchange that its vector is compared with. */
  readonly contextTurns: number;
  /** Turns before an exchange whose words it may share. */
  readonly lexicalTurns: number;
  readonly lexicalWeight: number;
  /** theta = running mean of s - this many running deviations. */
  readonly deviations: number;
  /** User turns judged before theta adapts, and theta until then. */
  readonly warmUpTurns: number;
  readonly initialThreshold: number;
  readonly minTokens: number;
  readonly maxTokens: number;
}

/** A place where an episode may still be cut: before user turn `index`, `tokens` into the open episode. */
interface Candidate {
  readonly index: number;
  readonly cohesion: number;
  readonly tokens: number;
}

interface SeenTurn extends SegmenterTurn {
  readonly grams: ReadonlySet<string>;
}

/** An opening user turn that waits for its reply, with what was known when it came. */
interface Pending {
  readonly turn: SeenTurn;
  readonly before: readonly SeenTurn[];
  readonly tokens: number;
}

/** What `SegmenterState` holds for this segmenter. */
interface CohesionState {
  readonly candidates: readonly Omit<Candidate, 'tokens'>[];
  readonly moments: [number, number, number];
}

function see(turn: SegmenterTurn): SeenTurn {
  return { ...turn, grams: new Set(charGrams(turn.text)) };
}

/**
 * Segments by cohesion: an exchange (a user turn and its reply) opens an episode when it is less tied to the
 * turns before it, by meaning and by rare character n-grams, than exchanges of this thread usually are.
 * The decision falls one turn late; an episode that grows too long is cut at its weakest inner boundary.
 */
export class CohesionSegmenter implements Segmenter {
  private recent: SeenTurn[] = [];
  private candidates: Candidate[] = [];
  private pending: Pending | undefined;
  private openTokens = 0;
  private moments = new RunningMoments();

  /**
   * `statistics` must count exactly the turns before the one that is pushed (grams of `charGrams`).
   */
  constructor(
    private readonly constants: CohesionSegmentation,
    private readonly statistics: TermStatistics,
    restored?: RestoredSegmenter,
  ) {
    if (restored) this.restore(restored);
  }

  push(turn: SegmenterTurn): number[] {
    const seen = see(turn);
    const cuts: number[] = [];
    if (this.pending) this.settle(this.pending, seen, cuts);
    // A user turn's tokens count once it is settled: it may yet open an episode of its own.
    this.cutOverfull(seen.role === 'model' ? seen.tokens : 0, cuts);
    if (this.isFullWithoutBoundary(seen)) {
      this.cut({ index: seen.index, cohesion: 0, tokens: this.openTokens }, cuts);
    }
    this.await(seen);
    this.remember(seen);
    return cuts;
  }

  state(): SegmenterState {
    const candidates = this.candidates.map(({ index, cohesion }) => ({ index, cohesion }));
    return { candidates, moments: this.moments.values() };
  }

  /** Goes through the last turns again without judging them: what was judged is in the state. */
  private restore({ state, openStart, turns }: RestoredSegmenter): void {
    const { candidates, moments } = state as unknown as CohesionState;
    this.moments = new RunningMoments(...moments);
    for (const turn of turns) {
      if (turn.index === openStart) this.openTokens = 0;
      const candidate = candidates.find((c) => c.index === turn.index);
      if (candidate) this.candidates.push({ ...candidate, tokens: this.openTokens });
      const seen = see(turn);
      this.await(seen);
      this.remember(seen);
    }
  }

  /** A user turn waits for the next turn, which tells whether it opened an episode. */
  private await(turn: SeenTurn): void {
    this.pending =
      turn.role === 'user' && this.recent.length > 0
        ? { turn, before: [...this.recent], tokens: this.openTokens }
        : undefined;
  }

  /** Keeps a thread in which one side only speaks from growing into a single episode. */
  private isFullWithoutBoundary(turn: SeenTurn): boolean {
    return (
      turn.role === 'model' &&
      this.recent.at(-1)?.role === 'model' &&
      this.openTokens >= this.constants.maxTokens &&
      this.weakestCandidate() === undefined
    );
  }

  /** Judges the exchange that `next` completes or, being a user turn itself, leaves without reply. */
  private settle(pending: Pending, next: SeenTurn, cuts: number[]): void {
    const exchange = next.role === 'model' ? [pending.turn, next] : [pending.turn];
    const s = this.cohesion(exchange, pending.before);
    const threshold = this.threshold();
    this.moments.add(s);
    if (s < threshold && pending.tokens >= this.constants.minTokens) {
      this.cut({ index: pending.turn.index, cohesion: s, tokens: pending.tokens }, cuts);
    } else {
      this.candidates.push({ index: pending.turn.index, cohesion: s, tokens: pending.tokens });
    }
  }

  private cutOverfull(coming: number, cuts: number[]): void {
    while (this.openTokens + coming > this.constants.maxTokens) {
      const weakest = this.weakestCandidate();
      if (!weakest) return;
      this.cut(weakest, cuts);
    }
  }

  private cut(at: Candidate, cuts: number[]): void {
    cuts.push(at.index);
    this.openTokens -= at.tokens;
    this.candidates = this.candidates
      .filter((c) => c.index > at.index)
      .map((c) => ({ ...c, tokens: c.tokens - at.tokens }));
  }

  private weakestCandidate(): Candidate | undefined {
    let best: Candidate | undefined;
    for (const c of this.candidates) {
      if (c.tokens >= this.constants.minTokens && (!best || c.cohesion < best.cohesion)) best = c;
    }
    return best;
  }

  private threshold(): number {
    const { warmUpTurns, initialThreshold, deviations } = this.constants;
    if (this.moments.count < warmUpTurns) return initialThreshold;
    return this.moments.mean - deviations * this.moments.deviation;
  }

  private cohesion(exchange: readonly SeenTurn[], before: readonly SeenTurn[]): number {
    const dimension = exchange[0]!.vector.length;
    const here = centroid(
      exchange.map((t) => t.vector),
      dimension,
    );
    const context = centroid(
      before.slice(-this.constants.contextTurns).map((t) => t.vector),
      dimension,
    );
    return dot(here, context) + this.constants.lexicalWeight * this.overlap(exchange, before);
  }

  private overlap(exchange: readonly SeenTurn[], before: readonly SeenTurn[]): number {
    const known = before.slice(-this.constants.lexicalTurns);
    const grams = new Set<string>();
    for (const t of exchange) for (const g of t.grams) grams.add(g);
    let mass = 0;
    let shared = 0;
    for (const g of grams) {
      const weight = this.idf(g, exchange[0]!);
      mass += weight;
      if (known.some((t) => t.grams.has(g))) shared += weight;
    }
    return mass > 0 ? shared / mass : 0;
  }

  /** Rarity of a gram among the turns before the exchange, whose first turn is in the statistics already. */
  private idf(gram: string, opening: SeenTurn): number {
    const n = this.statistics.documents - 1;
    const df = this.statistics.documentFrequency(gram) - (opening.grams.has(gram) ? 1 : 0);
    return Math.log(1 + (n - df + 0.5) / (df + 0.5));
  }

  private remember(turn: SeenTurn): void {
    this.recent.push(turn);
    if (this.recent.length > Math.max(this.constants.contextTurns, this.constants.lexicalTurns))
      this.recent.shift();
    this.openTokens += turn.tokens;
  }
}

/** Mean and standard deviation of a stream (Welford). */
class RunningMoments {
  constructor(
    public count = 0,
    public mean = 0,
    private squares = 0,
  ) {}

  add(x: number): void {
    this.count++;
    const delta = x - this.mean;
    this.mean += delta / this.count;
    this.squares += delta * (x - this.mean);
  }

  values(): [number, number, number] {
    return [this.count, this.mean, this.squares];
  }

  get deviation(): number {
    return this.count > 0 ? Math.sqrt(this.squares / this.count) : 0;
  }
}
