import { RRF_K } from '../rank-fusion.ts';
import type { Intent } from './classifier.ts';
import { ICE, type Leg, type LegWeights } from './constants.ts';
import type { Fragment, FusedFragment, LegHits } from './fragment.ts';

/** The legs' weights for an intent; without profiles the base weights. */
export function weightsFor(intent: Intent, profiles: boolean): LegWeights {
  return profiles ? { ...ICE.weights, ...ICE.profiles[intent] } : ICE.weights;
}

/**
 * Weighted reciprocal rank fusion: each leg adds weight / (60 + rank) to its fragments, ranks from 1. Fragments of
 * the same text are one, and what agrees adds up. Best first, equal scores in the order of the legs.
 */
export function fuseLegs(hits: LegHits, weights: LegWeights): FusedFragment[] {
  const fused = new Map<string, { fragment: Fragment; score: number; parts: Partial<Record<Leg, number>> }>();
  for (const [leg, fragments] of hits) {
    const seen = new Set<string>();
    for (const [i, fragment] of fragments.entries()) {
      if (seen.has(fragment.text)) continue;
      seen.add(fragment.text);
      const share = weights[leg] / (RRF_K + i + 1);
      const one = fused.get(fragment.text) ?? { fragment, score: 0, parts: {} };
      one.score += share;
      one.parts[leg] = share;
      fused.set(fragment.text, one);
    }
  }
  return [...fused.values()].sort((a, b) => b.score - a.score);
}

/**
 * Without fusion (ablation): the legs one behind the other, each fragment scored by its best rank in one leg alone.
 * This is what the paper's audit found for BM25: a leg that stood beside the others instead of agreeing with them.
 */
export function concatenateLegs(hits: LegHits): FusedFragment[] {
  const seen = new Map<string, FusedFragment>();
  let place = 0;
  for (const [leg, fragments] of hits) {
    for (const fragment of fragments) {
      const score = 1 / (RRF_K + ++place);
      if (!seen.has(fragment.text)) seen.set(fragment.text, { fragment, score, parts: { [leg]: score } });
    }
  }
  return [...seen.values()];
}
