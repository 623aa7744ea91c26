import { unreachable } from '../core/unreachable.ts';
import type { TermStatistics } from '../index/lexical-index.ts';
import { loadRelatedWords } from '../index/related-words.ts';
import { CohesionSegmenter } from './cohesion-segmenter.ts';
import type { Configuration } from './configurations.ts';
import { DriftSegmenter } from './drift-segmenter.ts';
import { EvidenceRanker } from './evidence-ranker.ts';
import { FamilyRanker } from './family-ranker.ts';
import { FusedRanker } from './fused-ranker.ts';
import type { Ranker } from './ranker.ts';
import type { RestoredSegmenter, Segmenter } from './segmenter.ts';

/** The segmenter (M1) of a configuration; `grams` counts the turns before the one that is pushed. */
export function createSegmenter(
  { segmentation }: Configuration,
  grams: TermStatistics,
  restored?: RestoredSegmenter,
): Segmenter {
  switch (segmentation.kind) {
    case 'drift':
      return new DriftSegmenter(segmentation, restored);
    case 'cohesion':
      return new CohesionSegmenter(segmentation, grams, restored);
    default:
      return unreachable(segmentation);
  }
}

/** Fetches what the ranker of a configuration needs beside it. Rejects with `download-failed`. */
export async function loadRanker({ ranking }: Configuration): Promise<void> {
  if (ranking.kind === 'family' && ranking.pooledWords.relatedShare > 0) await loadRelatedWords();
}

/** The ranker (M3) of a configuration, once `loadRanker` is done. */
export function createRanker({ ranking }: Configuration): Ranker {
  switch (ranking.kind) {
    case 'evidence':
      return new EvidenceRanker(ranking);
    case 'fused':
      return new FusedRanker(ranking);
    case 'family':
      return new FamilyRanker(ranking);
    default:
      return unreachable(ranking);
  }
}
