import { LEADER_LOCK } from '../../engine/leadership.ts';

/** Whether the engine of some page leads. */
export async function someoneLeads(): Promise<boolean> {
  const { held = [] } = await navigator.locks.query();
  return held.some(({ name }) => name === LEADER_LOCK);
}
