import type { Intent } from './classifier.ts';

/** The six retrieval legs. Batch summaries (`batches`) are the one whose weight the paper does not give. */
export const LEGS = ['bm25', 'vector', 'codex', 'procedural', 'documents', 'batches'] as const;
export type Leg = (typeof LEGS)[number];

export type LegWeights = Readonly<Record<Leg, number>>;

/** Constants of ICE v2 (arXiv 2609.16730). What the paper leaves open is marked as a choice. */
export const ICE = {
  /** Base weights of fusion; `batches` is a choice. */
  weights: {
    bm25: 0.8,
    vector: 1,
    codex: 0.5,
    procedural: 0.2,
    documents: 1,
    batches: 0.5,
  } satisfies LegWeights,
  /** What an intent changes of them (choice: the paper only says that intents do). */
  profiles: {
    question: { codex: 0.8 },
    instruction: { procedural: 0.4 },
    code: { documents: 1.2, bm25: 1 },
    creative: { vector: 1.2, codex: 0.2 },
    statement: {},
    smalltalk: {},
  } as Readonly<Record<Intent, Partial<LegWeights>>>,
  /** Hits of each leg; those of bm25, vector, codex and batches are choices. */
  hits: { bm25: 10, vector: 10, codex: 10, procedural: 5, documents: 5, batches: 3 } satisfies LegWeights,
  /** Cosine from which a document's chunk passes the gate (choice). */
  documentGate: 0.25,
  codexDepth: 3,
  /** Cosine below which a pair founds a cluster of its own; and how many clusters a search looks into (choice). */
  clusters: { founding: 0.6, searched: 24 },
  /** Shares of the decay score lost a day, and the thresholds below which a pair is archived, then cold. */
  decay: { unaccessed: 0.05, accessed: 0.02, creative: 0.01, creativeFloor: 0.3, archived: 0.1, cold: 0.05 },
  reinforcement: 0.15,
  /** Bonuses on a fused score, at most; an RRF share is about 0.016 (choices). */
  bonuses: { keyword: 0.012, length: 0.002, recency: 0.004, lengthTokens: [20, 200] as const },
  foreignCap: 3,
  /** Tokens of a whole prompt and of what is not retrieved. */
  budget: { total: 23_000, overhead: 1_800 },
  /** Recent turns of the conversation in every prompt: so many at most, of so many tokens (choice). */
  recent: { turns: 8, tokens: 1_200 },
  /** A longer pair is shown by its summary, of so many tokens (choice). */
  pair: { lossless: 400, summary: 100 },
  /** Closed pairs of a conversation that one batch summary covers, and its tokens (choice). */
  batch: { pairs: 8, summary: 100 },
  /** Words of a document's chunk (choice). */
  chunkWords: 120,
  /** Times that a trigger comes before it is a pattern (choice). */
  recurring: 3,
  /** Tokens of a slot (choice). */
  slotTokens: 60,
  /** Turns from which, and confidence below which, a prompt that needs no memory is given it all the same. */
  escalation: { turns: 10, confidence: 0.95 },
} as const;

/** Most tokens of retrieval in a conversation of `turns` turns. */
export function growthCap(turns: number): number {
  if (turns < 30) return 2_000 + 150 * turns;
  if (turns < 100) return 5_000 + 100 * (turns - 30);
  return 10_000 + 30 * (turns - 100);
}
