import type { EpisodicMemory } from '../memory/episodic-memory.ts';
import type { EpisodeRecord } from '../store/records.ts';
import type { ThreadStore } from '../store/thread-store.ts';
import type { EpisodeView, SearchHit } from './contract.ts';
import { excerptAround, opening } from './excerpt.ts';

/** Episodes as the timeline shows them, with the first words and the time of their first turn. */
export async function episodeViews(
  store: ThreadStore,
  episodes: readonly EpisodeRecord[],
): Promise<EpisodeView[]> {
  const firsts = await Promise.all(episodes.map(({ start }) => store.readTurns(start, start + 1)));
  return episodes.map(({ summary: _, ...episode }, i) => {
    const first = firsts[i]![0];
    return {
      ...episode,
      opening: opening(first?.text ?? ''),
      ...(first?.time !== undefined && { time: first.time }),
    };
  });
}

/** The turns that hold words of `query`, best first, each with the place where they stand. */
export async function searchHits(
  store: ThreadStore,
  memory: EpisodicMemory,
  query: string,
  limit: number,
): Promise<SearchHit[]> {
  return Promise.all(
    memory.search(query, limit).map(async ({ turn, score }) => {
      const [found] = await store.readTurns(turn, turn + 1);
      const excerpt = excerptAround(found?.text ?? '', query);
      return { turn, score, episode: memory.episodeOf(turn), excerpt };
    }),
  );
}
