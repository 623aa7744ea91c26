import type { Views } from './views.ts';

/**
 * The exchanges of a thread: what a user says and what follows up to the next time a user speaks. Episodes begin
 * exchanges too, so that each exchange lies in one episode.
 */
export interface Exchanges {
  /** First turn of each. */
  readonly starts: readonly number[];
  /** Number of turns of the thread. */
  readonly size: number;
  /** The episode that holds each. */
  readonly episodes: Int32Array;
  /** Token estimate of each. */
  readonly tokens: Float64Array;
  /** 1 where an exchange may be recalled: its episode may, and one of its turns has a vector. */
  readonly eligible: Uint8Array;
}

/** The exchanges of `views`; `hasVector` tells of an exchange whether any of its turns has one. */
export function exchangesOf(views: Views, hasVector: (exchange: number) => boolean): Exchanges {
  const { exchanges: starts, starts: episodeStarts, size } = views;
  const episodes = new Int32Array(starts.length);
  const tokens = new Float64Array(starts.length);
  const eligible = new Uint8Array(starts.length);
  let episode = 0;
  for (let x = 0; x < starts.length; x++) {
    while (episode + 1 < episodeStarts.length && episodeStarts[episode + 1]! <= starts[x]!) episode++;
    episodes[x] = episode;
    for (let turn = starts[x]!; turn < (starts[x + 1] ?? size); turn++) tokens[x]! += views.tokensOf(turn);
    eligible[x] = views.isEligible(episode) && hasVector(x) ? 1 : 0;
  }
  return { starts, size, episodes, tokens, eligible };
}
