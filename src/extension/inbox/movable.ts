import { groupBy } from '../../bench/group-by.ts';
import type { InboxRow } from './schema.ts';

/** How long a question waits for its answer, so that the two stand together in the thread. */
export const PATIENCE_MS = 2 * 60_000;
/** Turns moved at once. */
const AT_ONCE = 256;

/**
 * The next turns to be moved into the thread. Turns come in mixed from several pages; each conversation's are moved
 * together, in the order they came, and a question that is the last of its conversation waits for its answer.
 */
export function movable(pending: readonly InboxRow[], now: number): InboxRow[] {
  const conversations = groupBy(pending, ({ site, conversation }) => JSON.stringify([site, conversation]));
  return [...conversations.values()].flatMap((rows) => withoutOpenQuestion(rows, now)).slice(0, AT_ONCE);
}

function withoutOpenQuestion(rows: readonly InboxRow[], now: number): readonly InboxRow[] {
  const last = rows.at(-1)!;
  const waits = last.role === 'user' && now - last.pending!.receivedAt < PATIENCE_MS;
  return waits ? rows.slice(0, -1) : rows;
}

/** When a question that waits is moved all the same, in milliseconds from now; undefined when none waits. */
export function nextMove(pending: readonly InboxRow[], now: number): number | undefined {
  const due = pending.map((row) => row.pending!.receivedAt + PATIENCE_MS - now);
  return due.length === 0 ? undefined : Math.max(0, Math.min(...due, PATIENCE_MS));
}
