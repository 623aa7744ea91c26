import { estimateTokens } from '../../core/tokens.ts';
import type { Span } from '../retrieval.ts';
import { type Classification, classify } from './classifier.ts';
import { growthCap, ICE, type Leg } from './constants.ts';
import { curate, fitBudget } from './curation.ts';
import type { DecayClock } from './decay.ts';
import type { Fragment, FusedFragment } from './fragment.ts';
import { concatenateLegs, fuseLegs, weightsFor } from './fusion.ts';
import { LEG_SEARCHES, openLegs, type Query, type Stores } from './legs.ts';
import type { SlotStore } from './slots.ts';
import type { Off } from './switches.ts';

/** Everything that a question is answered from. */
export interface PlanGround {
  readonly stores: Stores;
  readonly slots: SlotStore;
  /** The clock without what is off. */
  clockOf(off: Off): DecayClock;
  /** Turns of the conversation that the question belongs to. */
  readonly conversationTurns: number;
}

/** What stands in the prompt for a question, and how it came there. */
export interface Plan {
  readonly classification: Classification;
  readonly hits: ReadonlyMap<Leg, readonly Fragment[]>;
  /** After fusion and curation, best first. */
  readonly ranked: readonly FusedFragment[];
  readonly chosen: readonly FusedFragment[];
  readonly slots: string;
  /** Recent turns of the conversation. */
  readonly recent: Span | undefined;
}

const UNCLASSIFIED: Classification = {
  intent: 'question',
  topics: [],
  source: 'Long_Term_Memory',
  confidence: 0,
};

/** Hears of a leg that threw. The plan goes on without it, unless this throws. */
export type LegFailed = (leg: Leg, error: unknown) => void;

/** Classifies, searches, fuses, curates and fits; changes nothing. */
export function makePlan(
  ground: PlanGround,
  text: string,
  vector: Float32Array,
  off: Off,
  legFailed: LegFailed,
): Plan {
  const { stores, conversationTurns } = ground;
  const { thread } = stores;
  const classification = off.has('classifier') ? UNCLASSIFIED : classify(text, thread.size);
  const query: Query = { text, vector, classification, clock: ground.clockOf(off), off };
  const hits = searchAll(stores, query, legFailed);
  const weights = weightsFor(classification.intent, !off.has('profiles'));
  const fused = off.has('fusion') ? concatenateLegs(hits) : fuseLegs(hits, weights);
  const conversation = thread.size > 0 ? thread.at(thread.size - 1).source : undefined;
  const ranked = curate(fused, { question: text, conversation, turns: thread.size, off });
  const slots = off.has('slots') ? '' : ground.slots.text();
  const recent = off.has('recent-turns') ? undefined : recentTurns(stores, conversation);
  const { total, overhead } = ICE.budget;
  const left =
    total - overhead - estimateTokens(slots) - (recent ? thread.tokens(recent.start, recent.end) : 0);
  const budget = off.has('growth-cap') ? left : Math.min(left, growthCap(conversationTurns));
  return { classification, hits, ranked, chosen: fitBudget(ranked, budget, off), slots, recent };
}

function searchAll(stores: Stores, query: Query, legFailed: LegFailed) {
  const hits = new Map<Leg, readonly Fragment[]>();
  for (const leg of openLegs(stores, query)) {
    try {
      hits.set(leg, LEG_SEARCHES[leg](stores, query));
    } catch (error) {
      legFailed(leg, error);
    }
  }
  return hits;
}

/** The last turns of the conversation that fit. */
function recentTurns({ thread }: Stores, conversation: string | undefined): Span | undefined {
  const end = thread.size;
  let start = end;
  while (
    start > 0 &&
    end - start < ICE.recent.turns &&
    thread.at(start - 1).source === conversation &&
    thread.tokens(start - 1, end) <= ICE.recent.tokens
  ) {
    start--;
  }
  return start < end ? { start, end } : undefined;
}
