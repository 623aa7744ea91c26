import type { SystemDescription, SystemPorts } from '../system.ts';
import { ICE } from './constants.ts';
import { Ice, type IceOptions } from './ice.ts';
import { readMechanisms } from './switches.ts';

const PREFIX = 'ice-without:';

/** ICE as the lab runs it. */
export const ICE_SYSTEM: SystemDescription = {
  name: 'ice',
  title: 'ICE v2',
  summary:
    'Typed stores (pairs, a temporal graph, routines, documents, slots, clusters), six legs, weighted rank fusion, a ' +
    'budget that grows with the conversation.',
  configuration: { ...ICE, extraction: 'sentence patterns', summaries: 'extractive', classifier: 'rules' },
  create: async (ports) => new Ice(ports, builtBy(ports)),
};

/**
 * ICE as a condition that counts what its mechanisms do: `ice`, or an ablation such as `ice-without:decay+clusters`.
 * Undefined for another name; throws `bad-argument` for an unknown mechanism.
 */
export function iceCondition(name: string): SystemDescription | undefined {
  if (name !== ICE_SYSTEM.name && !name.startsWith(PREFIX)) return undefined;
  const off = name.startsWith(PREFIX) ? readMechanisms(name.slice(PREFIX.length)) : [];
  return {
    ...ICE_SYSTEM,
    name,
    title: off.length > 0 ? `ICE v2 without ${off.join(', ')}` : ICE_SYSTEM.title,
    configuration: { ...ICE_SYSTEM.configuration, ...(off.length > 0 && { off }) },
    create: async (ports) => new Ice(ports, { ...builtBy(ports), off, traced: true }),
  };
}

/** A language model's builders, where there are some. */
function builtBy({ builders }: SystemPorts): IceOptions {
  return { extractor: builders?.relations, summariser: builders?.summariser };
}
