import type { ChatMessage } from '../answer/answer-engine.ts';
import type { MemorySystem, Retrieval } from './system.ts';

/** How often a mechanism came to each stage between its input and the prompt (LSREP, fidelity ledger). */
export interface MechanismCounts {
  /** Input that the mechanism is there for was seen. */
  eligible: number;
  executed: number;
  /** It gave something: a hit, a changed score, a dropped fragment. */
  produced: number;
  /** What it gave was still there after ranking and curation. */
  selected: number;
  /** The prompt holds it, or would be another one without it. */
  reached: number;
  /** It threw. The error is counted, never taken for an empty result. */
  failed: number;
  /** What it threw first. */
  error?: string;
}

/** Counts before anything was seen. */
export function noCounts(): MechanismCounts {
  return { eligible: 0, executed: 0, produced: 0, selected: 0, reached: 0, failed: 0 };
}

/** Counts by mechanism. Every mechanism that a system has is listed, those that never ran as well. */
export type Activity = Readonly<Record<string, Readonly<MechanismCounts>>>;

/** One step of maintenance and what came of it. */
export interface MaintenanceStep {
  readonly mechanism: string;
  /** Items it changed. */
  readonly changed: number;
  /** Present when it failed. */
  readonly error?: string;
}

/**
 * What a memory that changes by time or by being asked offers beside `MemorySystem`. All of it is optional: a
 * system without has no ageing, and its `retrieve` changes nothing.
 */
export interface LongitudinalMemory extends MemorySystem {
  /** Lets simulated days pass and completes the maintenance that is due. */
  advance?(days: number, signal?: AbortSignal): Promise<readonly MaintenanceStep[]>;
  /** Applies the side effects of having been asked (reinforcement); `retrieval` is what `retrieve` gave last. */
  applyQuery?(question: string, retrieval: Retrieval): Promise<void>;
  /** What `advance` and `applyQuery` may change, as plain data; `restore` brings it back. */
  snapshot?(): unknown;
  restore?(snapshot: unknown): void;
  /** The whole prompt for a retrieval, where the system prescribes one. */
  prompt?(question: string, retrieval: Retrieval): readonly ChatMessage[];
  /** Counts since the system was made. */
  activity?(): Activity;
}

/** `system` with the optional part of the port in view. */
export function longitudinal(system: MemorySystem): LongitudinalMemory {
  return system;
}
