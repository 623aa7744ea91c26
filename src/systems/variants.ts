import { type Configuration, TSIM } from '../memory/configurations.ts';
import { EpisodicSystem } from './episodic.ts';
import type { SystemDescription } from './system.ts';

/** `tsim` with another drift threshold (theta_s), all else the paper's. Called `tsim@0.65`. */
export function tsimAt(threshold: number): SystemDescription {
  const { segmentation } = TSIM;
  if (segmentation.kind !== 'drift') throw new Error('TSIM is segmented by drift.');
  const constants: Configuration = { ...TSIM, segmentation: { ...segmentation, threshold } };
  return {
    name: `tsim@${threshold.toFixed(2)}`,
    title: `TSIM, threshold ${threshold.toFixed(2)}`,
    summary: `TSIM with a drift threshold of ${threshold.toFixed(2)}, all else the paper's.`,
    configuration: { ...constants },
    create: (ports) => EpisodicSystem.create(ports, 'tsim', constants),
  };
}
