import type { EngineApi } from '../../engine/contract.ts';
import type { Inbox } from './inbox.ts';

export type EraseEngine = Pick<EngineApi, 'eraseTurns'>;

/**
 * Erases what was captured from a site: its turns in the thread, then their names and what still waits. Broken off
 * half-way it can be run again. Resolves with the number of turns erased from the thread.
 */
export async function eraseSite(inbox: Inbox, engine: EraseEngine, site: string): Promise<number> {
  const threadId = await inbox.thread();
  const turns = await inbox.turnsOfSite(site);
  if (threadId !== undefined) {
    for (const { start, end } of stretches(turns)) await engine.eraseTurns(threadId, start, end);
  }
  await inbox.forgetSite(site);
  return turns.length;
}

/** Ascending numbers as runs without gaps, `start` to `end - 1`. */
export function stretches(numbers: readonly number[]): { start: number; end: number }[] {
  const found: { start: number; end: number }[] = [];
  for (const number of numbers) {
    const last = found.at(-1);
    if (last?.end === number) last.end++;
    else found.push({ start: number, end: number + 1 });
  }
  return found;
}
