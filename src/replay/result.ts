import type { EmbedderStamp } from '../embed/embedder.ts';
import type { MaintenanceStep } from '../systems/longitudinal.ts';
import type { ContextPart } from '../systems/system.ts';
import type { ProbeType } from './corpus.ts';
import type { FidelityRow } from './fidelity.ts';
import type { AnswerScore, ContextScore } from './score.ts';

/** What happens with the side effects of a question: `apply` keeps them, `exclude` restores a snapshot. */
export const QUERY_EFFECTS = ['apply', 'exclude'] as const;
export type QueryEffects = (typeof QUERY_EFFECTS)[number];

/** What a run was made with; equal settings over an equal corpus give equal bytes. */
export interface ReplaySettings {
  readonly corpus: string;
  readonly corpusHash: string;
  readonly conditions: readonly { readonly name: string; readonly configuration?: unknown }[];
  readonly embedder: EmbedderStamp;
  readonly queryEffects: QueryEffects;
  /** Tokens that a prompt may have; a longer one is a missing output, which scores 0. */
  readonly window: number;
  /** How answers were made and graded; absent: none were, contexts alone are scored. */
  readonly answering?: string;
  /** The language model that built systems; absent: rules did. */
  readonly builder?: string;
  readonly engine: string;
}

/** What came of the way to one checkpoint in one condition. */
export interface CheckpointLine {
  readonly kind: 'checkpoint';
  readonly condition: string;
  readonly history: string;
  readonly checkpoint: string;
  /** Turns and simulated days that came with it. */
  readonly turns: number;
  readonly days: number;
  /** What maintenance changed on the way, summed by mechanism. */
  readonly maintenance: readonly MaintenanceStep[];
}

/** One probe asked in one condition at one checkpoint. */
export interface ObservationLine {
  readonly kind: 'observation';
  readonly condition: string;
  readonly history: string;
  readonly checkpoint: string;
  readonly probe: string;
  readonly type: ProbeType;
  /** What the memory had seen. */
  readonly scope: { readonly turns: number; readonly day: number };
  /** Turn ranges of the context; texts of a system's own making as they are. */
  readonly context: readonly ContextPart[];
  readonly cost: {
    /** Tokens of what was recalled, and of the whole prompt around it. */
    readonly contextTokens: number;
    readonly promptTokens: number;
  };
  /** Why there is no output. */
  readonly missing?: 'prompt too long';
  readonly found: ContextScore;
  readonly answer?: string;
  readonly graded?: AnswerScore;
}

export type ReplayLine = CheckpointLine | ObservationLine;

export interface ReplayResult {
  readonly settings: ReplaySettings;
  readonly lines: readonly ReplayLine[];
  readonly fidelity: readonly FidelityRow[];
}

/** What an observation counts for: its answer's grade where there is one, else what its context holds. */
export function scoreOf({ missing, graded, found }: ObservationLine): number {
  if (missing) return 0;
  return graded ? graded.score : found.score;
}
