import type { EpisodeRecord } from '../store/records.ts';

/** The cache that keeps marks while a thread's episodes are made anew. */
export const MARKS = 'marks';

/** A stretch of turns that was pinned or forgotten as an episode, before the episodes were made anew. */
export interface Mark {
  readonly start: number;
  readonly end: number;
  readonly pinned?: boolean;
  readonly forgottenAt?: number;
}

/** What a person said of episodes, as stretches of turns: it outlives the episodes' bounds. */
export function marksOf(episodes: readonly EpisodeRecord[]): Mark[] {
  return episodes
    .filter(({ pinned, forgottenAt }) => pinned || forgottenAt !== undefined)
    .map(({ start, end, pinned, forgottenAt }) => ({
      start,
      end,
      ...(pinned && { pinned }),
      ...(forgottenAt !== undefined && { forgottenAt }),
    }));
}

/**
 * `episode` with the marks of the stretches it holds: it is forgotten when any of its turns was (better too much
 * than a thing recalled that a person wanted gone), and pinned when most of a pinned stretch lies in it.
 */
export function withMarks(episode: EpisodeRecord, marks: readonly Mark[]): EpisodeRecord {
  let marked = episode;
  for (const mark of marks) {
    const shared = Math.min(mark.end, episode.end) - Math.max(mark.start, episode.start);
    if (shared <= 0) continue;
    if (mark.forgottenAt !== undefined) marked = { ...marked, forgottenAt: mark.forgottenAt };
    if (mark.pinned && 2 * shared > mark.end - mark.start) marked = { ...marked, pinned: true };
  }
  return marked;
}
