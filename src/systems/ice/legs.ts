import { topK } from '../../index/top-k.ts';
import type { DenseList } from '../dense.ts';
import type { Thread } from '../thread.ts';
import type { BatchSummaries } from './batches.ts';
import type { Classification, Intent } from './classifier.ts';
import type { Codex } from './codex.ts';
import { ICE, LEGS, type Leg } from './constants.ts';
import type { DecayClock } from './decay.ts';
import type { DocumentStore } from './documents.ts';
import type { EpisodicStore } from './episodic-store.ts';
import { type Fragment, textFragment } from './fragment.ts';
import { type ProceduralStore, patternText } from './procedural.ts';
import type { Off } from './switches.ts';

/** The stores that legs search. */
export interface Stores {
  readonly thread: Thread;
  readonly episodic: EpisodicStore;
  readonly codex: Codex;
  readonly procedural: ProceduralStore;
  readonly patternVectors: DenseList;
  readonly documents: DocumentStore;
  readonly chunkVectors: DenseList;
  readonly batches: BatchSummaries;
  readonly batchVectors: DenseList;
}

/** One question. */
export interface Query {
  readonly text: string;
  readonly vector: Float32Array;
  readonly classification: Classification;
  readonly clock: DecayClock;
  readonly off: Off;
}

/** Intents for which routines are looked up. */
const ROUTINE_INTENTS: ReadonlySet<Intent> = new Set(['instruction', 'creative', 'code']);

/** What each leg does. A leg that fails throws: an error is never an empty list (see `LegFailed`). */
export const LEG_SEARCHES: Readonly<Record<Leg, (stores: Stores, query: Query) => Fragment[]>> = {
  bm25: searchWords,
  vector: searchVectors,
  codex: searchCodex,
  procedural: searchPatterns,
  documents: searchDocuments,
  batches: searchBatches,
};

/** Legs that the gates let through and that have something to search. */
export function openLegs(stores: Stores, { classification, off }: Query): Leg[] {
  const { source, intent } = classification;
  if (source !== 'Long_Term_Memory') return [];
  const filled: Record<Leg, boolean> = {
    bm25: stores.episodic.pairs.all.length > 0,
    vector: stores.episodic.pairs.all.length > 0,
    codex: stores.codex.size > 0,
    procedural: stores.procedural.patterns.length > 0 && ROUTINE_INTENTS.has(intent),
    documents: stores.documents.chunks.length > 0 && intent !== 'smalltalk',
    batches: stores.batches.batches.length > 0,
  };
  return LEGS.filter((leg) => filled[leg] && !off.has(leg));
}

function searchWords({ thread, episodic }: Stores, { text, off }: Query): Fragment[] {
  const scores = episodic.wordScores(text);
  return topK(scores, scores.length, ICE.hits.bm25)
    .filter((pair) => scores[pair]! > 0)
    .map((pair) => episodic.fragment(thread, pair, off.has('summaries')));
}

/** Cosine times decay, in the clusters closest to the question; archived pairs are left out. */
function searchVectors({ thread, episodic }: Stores, { vector, clock, off }: Query): Fragment[] {
  const { clusters } = episodic;
  const allowed = off.has('clusters') ? undefined : clusters.around(vector);
  const scores = episodic.similarities(vector).map((similarity, pair) => {
    if (allowed && pair < clusters.size && !allowed.has(pair)) return Number.NEGATIVE_INFINITY;
    // What does not decay is never archived either.
    const decay = off.has('decay') ? 1 : clock.scoreOf(pair);
    if (!off.has('archive') && decay < ICE.decay.archived) return Number.NEGATIVE_INFINITY;
    return similarity * decay;
  });
  return topK(scores, scores.length, ICE.hits.vector)
    .filter((pair) => scores[pair]! > Number.NEGATIVE_INFINITY)
    .map((pair) => episodic.fragment(thread, pair, off.has('summaries')));
}

function searchCodex({ codex }: Stores, { text, off }: Query): Fragment[] {
  return codex
    .search(text, { expired: off.has('supersession') })
    .slice(0, ICE.hits.codex)
    .map((fact) =>
      textFragment(fact.text, fact.turn, { type: 'fact', conversation: undefined, creative: false }),
    );
}

function searchPatterns({ procedural, patternVectors }: Stores, { vector }: Query): Fragment[] {
  return patternVectors.index.search(vector, ICE.hits.procedural).map(({ id }) => {
    const pattern = procedural.patterns[id]!;
    return textFragment(patternText(pattern), pattern.turn, {
      type: 'pattern',
      conversation: undefined,
      creative: false,
    });
  });
}

function searchDocuments({ thread, documents, chunkVectors }: Stores, { vector }: Query): Fragment[] {
  return chunkVectors.index
    .search(vector, ICE.hits.documents)
    .filter(({ score }) => score >= ICE.documentGate)
    .map(({ id }) => {
      const { turn, text } = documents.chunks[id]!;
      return textFragment(text, turn, {
        type: 'chunk',
        conversation: thread.at(turn).source,
        creative: false,
      });
    });
}

function searchBatches({ batches, batchVectors }: Stores, { vector }: Query): Fragment[] {
  return batchVectors.index.search(vector, ICE.hits.batches).map(({ id }) => {
    const { text, turn, conversation } = batches.batches[id]!;
    return textFragment(text, turn, { type: 'batch', conversation, creative: false });
  });
}
