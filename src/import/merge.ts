import type { NewTurn } from '../core/turn.ts';
import type { ImportedConversation } from './contract.ts';

/** A silence after which a conversation counts as taken up again: half an hour, in milliseconds. */
export const SITTING_PAUSE_MS = 30 * 60 * 1000;

/** Turns said in one go, with the time of the first. */
interface Sitting {
  readonly time: number;
  readonly turns: NewTurn[];
}

/**
 * Several conversations as one thread, in the order in which they were held.
 *
 * A conversation is cut where it rested for more than `pauseMs` before a user's turn, and each such sitting
 * stands whole at the time it began. So a chat that was taken up again in March stands in March, with what was
 * said elsewhere in between before it, while two chats held side by side don't tear questions from answers.
 * With `pauseMs = 0` every question with its answers is placed by its own time.
 *
 * A turn without time follows the one before it; leading ones go with the first that has a time, or with
 * the conversation's own. Conversations without any time come first, whole: nothing says that they are later
 * than the rest. Equal times keep the order given.
 */
export function mergeByTime(
  conversations: readonly ImportedConversation[],
  pauseMs: number = SITTING_PAUSE_MS,
): NewTurn[] {
  const sittings = conversations.flatMap((conversation) => sittingsOf(conversation, pauseMs));
  return sittings.sort((a, b) => (a.time === b.time ? 0 : a.time - b.time)).flatMap(({ turns }) => turns);
}

function sittingsOf({ turns, createdAt }: ImportedConversation, pauseMs: number): Sitting[] {
  const first = turns.find((turn) => turn.time !== undefined)?.time ?? createdAt;
  let last = first ?? Number.NEGATIVE_INFINITY;
  const sittings: Sitting[] = [];
  for (const turn of turns) {
    const time = turn.time ?? last;
    const resumed = turn.role === 'user' && time - last > pauseMs;
    if (sittings.length === 0 || resumed) sittings.push({ time, turns: [turn] });
    else sittings.at(-1)!.turns.push(turn);
    last = Math.max(last, time);
  }
  return sittings;
}
