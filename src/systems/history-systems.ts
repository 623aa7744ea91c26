import { LexicalWindows, WINDOWS_TAKEN } from './fixed-window.ts';
import { findSystem } from './registry.ts';
import { GivenSessions } from './sessions.ts';
import { STANDARD_TAKEN, StandardRag } from './standard-rag.ts';
import type { SystemDescription } from './system.ts';
import { TSIM_E2, TsimE2 } from './tsim-e2.ts';

/** A system that may need to be told where sessions begin: it then runs in that condition alone. */
export interface HistorySystem extends SystemDescription {
  readonly needsSessions?: boolean;
}

/** Tokens of the fixed chunks of TSIM's Table 23. */
const CHUNK_TOKENS = 1_100;

/**
 * What is compared on LongMemEval and LoCoMo: TSIM as it ran there (E.2) and the controls of its Table 23. Of those
 * four we know three; the dense ranking of given sessions is our choice for the fourth.
 */
export const HISTORY_SYSTEMS: readonly HistorySystem[] = [
  {
    name: 'tsim-e2',
    title: 'TSIM, E.2',
    summary: 'TSIM with the constants of its run on LongMemEval-S.',
    configuration: { ...TSIM_E2 },
    create: (ports) => TsimE2.create(ports),
  },
  {
    name: 'bm25-chunks-1100',
    title: 'Chunks of 1,100, BM25',
    summary: 'The five chunks of whole turns up to 1,100 tokens that BM25 ranks first.',
    configuration: { size: CHUNK_TOKENS, taken: WINDOWS_TAKEN },
    create: async (ports) => new LexicalWindows(ports, CHUNK_TOKENS),
  },
  {
    name: 'dense-turns',
    title: 'Single turns, dense',
    summary: 'The five single turns closest to the question by their vectors.',
    configuration: { taken: STANDARD_TAKEN },
    create: async (ports) => new StandardRag(ports),
  },
  {
    name: 'bm25-sessions',
    title: 'Given sessions, BM25',
    summary: 'The five whole sessions that BM25 ranks first.',
    needsSessions: true,
    configuration: { taken: WINDOWS_TAKEN },
    create: async (ports) => new GivenSessions(ports, 'bm25'),
  },
  {
    name: 'dense-sessions',
    title: 'Given sessions, dense',
    summary: 'The five whole sessions closest to the question by their vectors.',
    needsSessions: true,
    configuration: { taken: WINDOWS_TAKEN },
    create: async (ports) => new GivenSessions(ports, 'dense'),
  },
];

/** One of these systems, or of the registry. Throws `bad-argument` as `findSystem` does. */
export function findHistorySystem(name: string): HistorySystem {
  return HISTORY_SYSTEMS.find((system) => system.name === name) ?? findSystem(name);
}
