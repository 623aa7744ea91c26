import type { NearTies } from './near-ties.ts';
import { type Signal, signalOf } from './standard-scores.ts';
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
  /** The turn behind the last that is recalled of each (see `Trimming`). */
  readonly ends: Int32Array;
  /** The episode that holds each. */
  readonly episodes: Int32Array;
  /** Token estimate of what is recalled of each. */
  readonly tokens: Float64Array;
  /** 1 where an exchange may be recalled: its episode may, and one of its turns has a vector. */
  readonly eligible: Uint8Array;
  /** How much like all others each is (see `ExchangeSums`). */
  readonly common: Signal;
}

/** Which turns at the end of an exchange are left out of what is recalled, above all replies that only repeat. */
export interface Trimming {
  /** Those of which a larger share than this was said in the exchange before: 1 leaves none out. */
  readonly repeated: number;
  /** Shorter ones stay: they cost less than the gap they would leave. In tokens. */
  readonly least: number;
}

/** The exchanges of `views`, whose ties nearby are `near`. */
export function exchangesOf(views: Views, near: NearTies, trimming: Trimming): Exchanges {
  const { exchanges: starts, starts: episodeStarts, size } = views;
  const ends = new Int32Array(starts.length);
  const episodes = new Int32Array(starts.length);
  const tokens = new Float64Array(starts.length);
  const eligible = new Uint8Array(starts.length);
  const repeated = views.words.repeatedShares(starts);
  const isLeftOut = (turn: number) =>
    repeated[turn]! > trimming.repeated && views.tokensOf(turn) >= trimming.least;
  let episode = 0;
  for (let x = 0; x < starts.length; x++) {
    while (episode + 1 < episodeStarts.length && episodeStarts[episode + 1]! <= starts[x]!) episode++;
    episodes[x] = episode;
    let end = starts[x + 1] ?? size;
    while (end - 1 > starts[x]! && isLeftOut(end - 1)) end--;
    ends[x] = end;
    for (let turn = starts[x]!; turn < end; turn++) tokens[x]! += views.tokensOf(turn);
    eligible[x] = views.isEligible(episode) && near.sumLengths[x]! > 0 ? 1 : 0;
  }
  return { starts, size, ends, episodes, tokens, eligible, common: signalOf(near.commonness(), eligible) };
}
