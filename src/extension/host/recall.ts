import type { EngineApi } from '../../engine/contract.ts';
import type { RecalledEpisode } from '../../store/records.ts';
import type { OfferedEpisode } from '../messages.ts';
import { offeredEpisode, stretchesOf } from './offered.ts';

/** Episodes offered for one message. */
const OFFERED = 6;

export type RecallEngine = Pick<EngineApi, 'listThreads' | 'readTurns' | 'recall'>;

/** A recalled episode and its thread. */
export interface Found {
  readonly threadId: string;
  readonly episode: RecalledEpisode;
}

/** What the threads hold for `text`, best first. Rejects only when no thread could be asked. */
export async function recallFrom(
  engine: RecallEngine,
  threadIds: readonly string[],
  text: string,
): Promise<Found[]> {
  if (text.trim() === '') return [];
  const there = new Set((await engine.listThreads()).map(({ id }) => id));
  const asked = threadIds.filter((id) => there.has(id));
  const results = await Promise.allSettled(
    asked.map(async (threadId) =>
      (await engine.recall(threadId, text)).map((episode) => ({ threadId, episode })),
    ),
  );
  const found = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  const failure = results.find((result) => result.status === 'rejected');
  if (failure && found.length === 0) throw failure.reason;
  return found.flat().sort((a, b) => b.episode.score - a.episode.score);
}

/** The best of what was found, with the words of its turns. */
export async function offer(engine: RecallEngine, found: readonly Found[]): Promise<OfferedEpisode[]> {
  const offered = await Promise.all(
    found.slice(0, OFFERED).map(async ({ threadId, episode }) => {
      const parts = stretchesOf(episode).map(({ start, end }) => engine.readTurns(threadId, start, end));
      return offeredEpisode(episode, (await Promise.all(parts)).flat());
    }),
  );
  return offered.filter((episode) => episode !== undefined);
}
