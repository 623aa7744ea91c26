import type { EngineApi } from '../../engine/contract.ts';

/**
 * The first turn at or after `time` (milliseconds), in a thread merged by time; undefined when there is none.
 * Episodes carry the time of their first turn, so only the episode before has to be read.
 */
export async function firstTurnOn(
  engine: Pick<EngineApi, 'listEpisodes' | 'readTurns'>,
  threadId: string,
  time: number,
): Promise<number | undefined> {
  const episodes = await engine.listEpisodes(threadId);
  const next = episodes.findIndex((episode) => episode.time !== undefined && episode.time >= time);
  const before = next < 0 ? episodes.at(-1) : episodes[next - 1];
  if (before) {
    const turns = await engine.readTurns(threadId, before.start, before.end);
    const inside = turns.find((turn) => turn.time !== undefined && turn.time >= time);
    if (inside) return inside.index;
  }
  return episodes[next]?.start;
}
