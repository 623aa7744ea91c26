import { centroid, dot } from '../core/vectors.ts';
import type { RestoredSegmenter, Segmenter, SegmenterState, SegmenterTurn } from './segmenter.ts';

/** Constants of M1 (TSIM section 4). Tokens are the 1.3 x words estimate. */
export interface DriftSegmentation {
  readonly kind: 'drift';
  /** theta_s: a turn less similar than this to what came before may open an episode. */
  readonly threshold: number;
  /** b: added to the similarity of a user turn that follows a model turn. */
  readonly speakerBonus: number;
  /** L_min: tokens an episode must hold before drift may close it. */
  readonly minTokens: number;
  /** L_max: tokens at which an episode closes whatever comes. */
  readonly maxTokens: number;
  /** Turns the centroid is taken over. */
  readonly recentWindow: number;
  /** Messages an episode must hold before drift may close it. */
  readonly minMessages: number;
}

/** M1, streaming semantic drift: cuts before a turn that is unlike the recent turns of the open episode. */
export class DriftSegmenter implements Segmenter {
  private recent: SegmenterTurn[] = [];
  private tokens = 0;
  private messages = 0;

  constructor(
    private readonly constants: DriftSegmentation,
    restored?: RestoredSegmenter,
  ) {
    if (!restored) return;
    for (const turn of restored.turns) if (turn.index >= restored.openStart) this.add(turn);
  }

  push(turn: SegmenterTurn): number[] {
    const cut = this.messages > 0 && this.cutsBefore(turn);
    if (cut) this.clear();
    this.add(turn);
    return cut ? [turn.index] : [];
  }

  /** Everything this segmenter knows follows from the turns of the open episode. */
  state(): SegmenterState {
    return {};
  }

  private cutsBefore(turn: SegmenterTurn): boolean {
    const { threshold, minTokens, maxTokens, minMessages } = this.constants;
    if (this.tokens >= maxTokens) return true;
    if (this.tokens < minTokens || this.messages < minMessages) return false;
    return this.similarity(turn) < threshold;
  }

  private similarity(turn: SegmenterTurn): number {
    const c = centroid(
      this.recent.map((t) => t.vector),
      turn.vector.length,
    );
    const speakerChange = this.recent.at(-1)?.role === 'model' && turn.role === 'user';
    return dot(turn.vector, c) + (speakerChange ? this.constants.speakerBonus : 0);
  }

  private add(turn: SegmenterTurn): void {
    this.recent.push(turn);
    if (this.recent.length > this.constants.recentWindow) this.recent.shift();
    this.tokens += turn.tokens;
    this.messages++;
  }

  private clear(): void {
    this.recent = [];
    this.tokens = 0;
    this.messages = 0;
  }
}
