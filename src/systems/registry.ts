import { SkeinError } from '../core/errors.ts';
import { FITTED_THRESHOLDS, SKEIN, TSIM } from '../memory/configurations.ts';
import { EpisodicSystem } from './episodic.ts';
import { DenseWindows, LexicalWindows, WINDOWS_TAKEN } from './fixed-window.ts';
import { STANDARD_TAKEN, StandardRag } from './standard-rag.ts';
import type { SystemDescription } from './system.ts';

const WINDOW_SIZES = [128, 256, 320];

/** Every system that can be chosen, in the order of tables. */
export const SYSTEMS: readonly SystemDescription[] = [
  {
    name: 'standard-rag',
    title: 'Standard RAG',
    summary: 'The five single turns closest to the question by their vectors.',
    configuration: { taken: STANDARD_TAKEN },
    create: async (ports) => new StandardRag(ports),
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
    summary: 'Episodes cut by cohesion, ranked by a fusion of meaning, words and character grams.',
    configuration: { ...SKEIN },
    create: (ports) => EpisodicSystem.create(ports, 'skein'),
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
