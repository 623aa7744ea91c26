import { estimateTokens } from '../../core/tokens.ts';
import { type Span, spanText, spanTokens } from '../retrieval.ts';
import type { Thread } from '../thread.ts';
import type { Leg } from './constants.ts';

/** Something that may stand in the prompt. */
export interface Fragment {
  /** Where it is from: one of each source type comes into the prompt first. */
  readonly type: 'episode' | 'fact' | 'pattern' | 'chunk' | 'batch';
  readonly span: Span;
  readonly text: string;
  readonly tokens: number;
  readonly conversation: string | undefined;
  readonly creative: boolean;
  /** Of episodes: the pair. */
  readonly pair?: number;
}

export function spanFragment(
  thread: Thread,
  span: Span,
  rest: Pick<Fragment, 'type' | 'conversation' | 'creative' | 'pair'>,
): Fragment {
  return { span, text: spanText(thread, span), tokens: spanTokens(thread, span), ...rest };
}

/** A fragment of the system's own words, placed in time at `turn`. */
export function textFragment(
  text: string,
  turn: number,
  rest: Pick<Fragment, 'type' | 'conversation' | 'creative' | 'pair'>,
): Fragment {
  return { span: { start: turn, end: turn + 1, text }, text, tokens: estimateTokens(text), ...rest };
}

/** Ranked hits of each leg that ran. */
export type LegHits = ReadonlyMap<Leg, readonly Fragment[]>;

/** A fragment with its fused score and what each leg added to it. */
export interface FusedFragment {
  readonly fragment: Fragment;
  readonly score: number;
  readonly parts: Readonly<Partial<Record<Leg, number>>>;
}
