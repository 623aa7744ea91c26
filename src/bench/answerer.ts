import type { NewTurn } from '../core/turn.ts';
import type { Letter } from './exchange.ts';

/** A stretch of recalled turns, or a text that a system made. */
export type ContextBlock =
  | { readonly kind: 'turns'; readonly turns: readonly NewTurn[] }
  | { readonly kind: 'text'; readonly text: string };

export interface AnswerRequest {
  readonly query: string;
  /** Always shown to the answerer: the mode only says what the retrieval was asked with. */
  readonly options: Readonly<Record<Letter, string>>;
  readonly context: readonly ContextBlock[];
  readonly signal?: AbortSignal;
}

export interface AnswerGiven {
  /** The whole answer; this is what is written back. */
  readonly text: string;
  /** Null when no letter can be read out of it. */
  readonly letter: Letter | null;
  readonly rationale?: string;
  /** Why there is no answer: the engine's error. */
  readonly dropped?: string;
  /** Turns and texts of the context that did not fit the model's window, the first ones. */
  readonly leftOut?: number;
}

/** Port: answers one multiple-choice question from a context. */
export interface Answerer {
  /** Model, engine and prompt version, for the record. */
  readonly name: string;
  answer(request: AnswerRequest): Promise<AnswerGiven>;
}
