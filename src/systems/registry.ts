import { SkeinError } from '../core/errors.ts';
import { FITTED_THRESHOLDS, SKEIN, SKEIN_A, TSIM } from '../memory/configurations.ts';
import { CONTROL_C, ControlC } from './control-c.ts';
import { CORE_TOKENS } from './core-memory.ts';
import { DriftDirect } from './drift-direct.ts';
import { EpisodicSystem } from './episodic.ts';
import { DenseWindows, LexicalWindows, WINDOWS_TAKEN } from './fixed-window.ts';
import { FULL_CONTEXT_WINDOW, FullContext } from './full-context.ts';
import { HIPPORAG, HippoRag } from './hipporag.ts';
import { HYBRID_RERANK, HybridRerank } from './hybrid-rerank.ts';
import { HYBRID_RRF, HybridRrf } from './hybrid-rrf.ts';
import { ICE_SYSTEM } from './ice/conditions.ts';
import { MEMGPT, MemGpt } from './memgpt.ts';
import { RRF_K } from './rank-fusion.ts';
import { RAPTOR, Raptor } from './raptor.ts';
import { STANDARD_TAKEN, StandardRag, VECTOR_RAG_TAKEN } from './standard-rag.ts';
import type { SystemDescription } from './system.ts';

const WINDOW_SIZES = [128, 256, 320];
const L1_SIZE = TSIM.segmentation.maxTokens;

/** Every system that can be chosen, in the order of tables. */
export const SYSTEMS: readonly SystemDescription[] = [
  {
    name: 'standard-rag',
    title: 'Standard RAG',
    summary: 'The five single turns closest to the question by their vectors.',
    configuration: { taken: STANDARD_TAKEN },
    create: async (ports) => new StandardRag(ports),
  },
  {
    name: 'vector-rag-30',
    title: 'Vector RAG, top 30',
    summary: 'The thirty single turns closest to the question by their vectors, without any budget.',
    configuration: { taken: VECTOR_RAG_TAKEN },
    create: async (ports) => new StandardRag(ports, VECTOR_RAG_TAKEN),
  },
  ...WINDOW_SIZES.map(
    (size): SystemDescription => ({
      name: `fixed-${size}`,
      title: `Windows of ${size}, dense`,
      summary: `The five windows of whole turns up to ${size} tokens closest to the question by their vectors.`,
      configuration: { size, taken: WINDOWS_TAKEN },
      create: async (ports) => new DenseWindows(ports, size),
    }),
  ),
  ...WINDOW_SIZES.map(
    (size): SystemDescription => ({
      name: `bm25-${size}`,
      title: `Windows of ${size}, BM25`,
      summary: `The five windows of whole turns up to ${size} tokens that BM25 ranks first.`,
      configuration: { size, taken: WINDOWS_TAKEN },
      create: async (ports) => new LexicalWindows(ports, size),
    }),
  ),
  {
    name: 'hybrid-rrf',
    title: 'Hybrid-RRF',
    summary:
      'Windows found by vectors and by BM25, fused by reciprocal ranks, with neighbouring turns under a cap.',
    configuration: { ...HYBRID_RRF, rrf: RRF_K },
    create: async (ports) => new HybridRrf(ports),
  },
  {
    name: 'hybrid-rerank',
    title: 'Tuned Hybrid-Rerank',
    summary:
      'BM25, vectors and a hypothetical passage, reranked by late interaction over tokens with the loaded encoder, ' +
      'parent windows, MMR packing.',
    configuration: {
      ...HYBRID_RERANK,
      rrf: RRF_K,
      reranker: 'token-level late interaction',
      hypothesis: 'extractive',
    },
    create: async (ports) => new HybridRerank(ports, ports.builders?.hypothesiser),
  },
  {
    name: 'raptor',
    title: 'RAPTOR',
    summary:
      'A tree of clustered extractive summaries over windows, all layers searched at once by their vectors.',
    configuration: { ...RAPTOR, summaries: 'extractive' },
    create: async (ports) => new Raptor(ports, ports.builders?.summariser),
  },
  {
    name: 'memgpt',
    title: 'MemGPT',
    summary:
      'Core memory and recent messages, then pages of archival passages (vectors) and recalled messages (BM25) in turn.',
    configuration: { ...MEMGPT, core: CORE_TOKENS, controller: 'fixed', coreEditor: 'patterns' },
    create: async (ports) => new MemGpt(ports, ports.builders?.coreEditor),
  },
  {
    name: 'hipporag',
    title: 'HippoRAG',
    summary:
      'Personalised PageRank from the phrases of the question over a graph of the phrases of the thread.',
    configuration: { ...HIPPORAG, extraction: 'phrases by rule' },
    create: async (ports) => new HippoRag(ports, ports.builders?.extractor),
  },
  ICE_SYSTEM,
  {
    name: 'full-context',
    title: 'Full Context',
    summary: 'The whole thread, or its most recent turns that fit the window.',
    configuration: { window: FULL_CONTEXT_WINDOW },
    create: async (ports) => new FullContext(ports, FULL_CONTEXT_WINDOW),
  },
  {
    name: 'tsim-l0',
    title: 'TSIM ablation L0, single turns',
    summary: 'Standard RAG, under the name it has among the ablations.',
    configuration: { taken: STANDARD_TAKEN },
    create: async (ports) => new StandardRag(ports),
  },
  {
    name: 'tsim-l1',
    title: 'TSIM ablation L1, fixed tokens',
    summary: `Windows of ${L1_SIZE} tokens (L_max of TSIM) found directly by their vectors.`,
    configuration: { size: L1_SIZE, taken: WINDOWS_TAKEN },
    create: async (ports) => new DenseWindows(ports, L1_SIZE),
  },
  {
    name: 'tsim-l2',
    title: 'TSIM ablation L2, semantic drift',
    summary: 'The episodes of TSIM found directly by the vectors of their summary texts.',
    configuration: { segmentation: TSIM.segmentation, taken: TSIM.recalled },
    create: async (ports) => new DriftDirect(ports),
  },
  {
    name: 'tsim',
    title: 'TSIM',
    summary:
      'Episodes cut by semantic drift, three views, evidence-first ranking, with the constants of the paper.',
    configuration: { ...TSIM },
    create: (ports) => EpisodicSystem.create(ports, 'tsim'),
  },
  {
    name: 'tsim-fitted',
    title: 'TSIM, fitted',
    summary: 'TSIM with the drift threshold fitted to the embedder on the development pool.',
    configuration: { ...TSIM, name: 'tsim-fitted', thresholds: FITTED_THRESHOLDS },
    create: (ports) => EpisodicSystem.create(ports, 'tsim-fitted'),
  },
  {
    name: 'skein',
    title: 'Skein',
    summary:
      'Exchanges ranked by themselves, the conversation around them and the matter they belong to, packed into families ' +
      'within a budget of tokens.',
    configuration: { ...SKEIN },
    create: (ports) => EpisodicSystem.create(ports, 'skein'),
  },
  {
    name: 'skein-a',
    title: 'Skein, configuration A',
    summary: 'Episodes cut by cohesion, ranked whole by a fusion of meaning, words and character grams.',
    configuration: { ...SKEIN_A, name: 'skein-a' },
    create: (ports) => EpisodicSystem.create(ports, 'skein', SKEIN_A),
  },
  {
    name: 'control-c',
    title: 'Control C',
    summary: 'Plain overlapping windows under the fused ranking of configuration A: no segmentation at all.',
    configuration: { ...CONTROL_C },
    create: async (ports) => new ControlC(ports),
  },
];

/** The system of that name. Throws `bad-argument` that lists the known ones. */
export function findSystem(name: string): SystemDescription {
  const system = SYSTEMS.find((s) => s.name === name);
  if (system) return system;
  throw new SkeinError(
    'bad-argument',
    `There is no system "${name}".`,
    `Choose one of: ${SYSTEMS.map((s) => s.name).join(', ')}.`,
  );
}
