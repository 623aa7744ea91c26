import { words } from '../../index/analyzers.ts';
import { STOP_WORDS } from '../stop-words.ts';
import { ICE } from './constants.ts';
import type { FusedFragment } from './fragment.ts';
import type { Off } from './switches.ts';

/** What curation knows of the moment. */
export interface CurationGround {
  readonly question: string;
  /** The conversation that the question belongs to. */
  readonly conversation: string | undefined;
  /** Turns of the whole thread. */
  readonly turns: number;
  readonly off: Off;
}

/** Adds the bonuses and leaves out what foreign conversations give too much of. Best first. */
export function curate(fused: readonly FusedFragment[], ground: CurationGround): FusedFragment[] {
  const asked = new Set(words(ground.question).filter((word) => !STOP_WORDS.has(word)));
  const scored = fused
    .map((one) => ({ ...one, score: one.score + bonus(one, asked, ground) }))
    .sort((a, b) => b.score - a.score);
  return ground.off.has('foreign-cap') ? scored : capForeign(scored, ground.conversation);
}

/** Keyword, length and recency bonuses; what is creative gets none for being recent. */
function bonus(
  { fragment }: FusedFragment,
  asked: ReadonlySet<string>,
  { turns, off }: CurationGround,
): number {
  const { keyword, length, recency, lengthTokens } = ICE.bonuses;
  let sum = 0;
  if (!off.has('keyword-bonus') && asked.size > 0) {
    const own = new Set(words(fragment.text));
    sum += (keyword * [...asked].filter((word) => own.has(word)).length) / asked.size;
  }
  const [short, long] = lengthTokens;
  if (!off.has('length-bonus') && fragment.tokens >= short && fragment.tokens <= long) sum += length;
  if (!off.has('recency-bonus') && !fragment.creative && turns > 0) {
    sum += (recency * fragment.span.end) / turns;
  }
  return sum;
}

function capForeign(ranked: readonly FusedFragment[], own: string | undefined): FusedFragment[] {
  const counts = new Map<string | undefined, number>();
  return ranked.filter(({ fragment: { conversation, type } }) => {
    // Facts and routines belong to no conversation.
    if (conversation === own || type === 'fact' || type === 'pattern') return true;
    const count = (counts.get(conversation) ?? 0) + 1;
    counts.set(conversation, count);
    return count <= ICE.foreignCap;
  });
}

/**
 * Two phases: first the best fragment of each source type that fits, then whatever fits, best first. What is left
 * of the budget stays unused.
 */
export function fitBudget(ranked: readonly FusedFragment[], budget: number, off: Off): FusedFragment[] {
  const taken = new Set<FusedFragment>();
  let left = budget;
  const take = (one: FusedFragment) => {
    if (taken.has(one) || one.fragment.tokens > left) return false;
    taken.add(one);
    left -= one.fragment.tokens;
    return true;
  };
  if (!off.has('diversity')) {
    const types = new Set<string>();
    for (const one of ranked) {
      if (!types.has(one.fragment.type) && take(one)) types.add(one.fragment.type);
    }
  }
  for (const one of ranked) take(one);
  return ranked.filter((one) => taken.has(one));
}
