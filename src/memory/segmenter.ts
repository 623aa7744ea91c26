import type { Role } from '../core/turn.ts';

/** A turn as a segmenter sees it. `vector` is unit length; `tokens` is the estimate of core/tokens. */
export interface SegmenterTurn {
  readonly index: number;
  readonly role: Role;
  readonly text: string;
  readonly tokens: number;
  readonly vector: Float32Array;
}

/** Plain JSON that, with the last turns, brings a segmenter back to where it was. */
export type SegmenterState = Readonly<Record<string, unknown>>;

/**
 * M1: cuts a stream of turns into episodes. It sees no later turn when it decides, and what it returned
 * stands for ever: only the episode that is still open may yet be cut.
 */
export interface Segmenter {
  /**
   * Takes the next turn and returns the turns at which new episodes open, ascending. Each lies after every
   * one returned before, and at most at `turn.index`.
   */
  push(turn: SegmenterTurn): number[];
  /** State after the last turn, without any text. */
  state(): SegmenterState;
}

/** What brings a segmenter back to where `state` was taken. */
export interface RestoredSegmenter {
  readonly state: SegmenterState;
  /** First turn of the open episode. */
  readonly openStart: number;
  /** The last turns in order: those of the open episode, and at least RESTORE_TURNS where there are. */
  readonly turns: readonly SegmenterTurn[];
}

/** How many turns before the end a segmenter needs to be brought back, besides those of the open episode. */
export const RESTORE_TURNS = 16;
