import type { OfferedEpisode } from './messages.ts';

/** The turns of an offered episode from the one that decides it on, or from its first question where none is named. */
export function tellingTurns({ turns, telling }: OfferedEpisode): OfferedEpisode['turns'] {
  const at = turns.findIndex(({ turn, role }) =>
    telling === undefined ? role === 'user' : turn === telling,
  );
  return turns.slice(Math.max(0, at));
}
