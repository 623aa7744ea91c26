import { iceCondition } from '../systems/ice/conditions.ts';
import { findSystem } from '../systems/registry.ts';
import type { SystemDescription } from '../systems/system.ts';

/** What is compared when nothing is chosen. */
export const DEFAULT_CONDITIONS = ['ice', 'vector-rag-30', 'skein', 'tsim'];

/**
 * The condition of that name: a system of the registry, or ICE without some mechanisms
 * (`ice-without:decay+clusters`). Throws `bad-argument` that lists the known ones.
 */
export function findCondition(name: string): SystemDescription {
  return iceCondition(name) ?? findSystem(name);
}
