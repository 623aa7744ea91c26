import type { CaptureBatch, CapturedTurn } from '../messages.ts';
import { type KnownTurn, placeOf, sourceOf } from './branches.ts';
import type { InboxRow, InboxTransaction } from './schema.ts';

/** Adds a turn of a batch within `tx`, unless its key is known; says whether it did. */
export async function addTurn(
  tx: InboxTransaction,
  batch: CaptureBatch,
  siteName: string,
  turn: CapturedTurn,
): Promise<boolean> {
  const { site, conversation } = batch;
  const turns = tx.objectStore('turns');
  const byKey = turns.index('key');
  if ((await byKey.getKey([site, conversation, turn.key])) !== undefined) return false;
  const after = turn.after ?? '';
  const parent = after === '' ? undefined : await byKey.get([site, conversation, after]);
  // Where the page shows only a part of a conversation, its first turn is no branch of the turn that was first before.
  const siblings: readonly KnownTurn[] =
    after === '' && (await leadsToKnown(tx, batch, turn))
      ? []
      : await turns.index('after').getAll([site, conversation, after]);
  const place = placeOf(turn, parent, siblings);
  const row: Omit<InboxRow, 'seq'> = {
    site,
    conversation,
    key: turn.key,
    role: turn.role,
    after,
    ...place,
    pending: {
      text: turn.text,
      source: sourceOf(siteName, batch.title, place.branch),
      at: turn.at,
      receivedAt: Date.now(),
    },
  };
  // The store gives the number.
  await turns.add(row as InboxRow);
  return true;
}

/** Whether turns that follow `turn` in the batch are known already. */
async function leadsToKnown(
  tx: InboxTransaction,
  { site, conversation, turns }: CaptureBatch,
  { key }: CapturedTurn,
): Promise<boolean> {
  const byKey = tx.objectStore('turns').index('key');
  let next = turns.find(({ after }) => after === key);
  for (let steps = 0; next && steps < turns.length; steps++) {
    if ((await byKey.getKey([site, conversation, next.key])) !== undefined) return true;
    const { key: last } = next;
    next = turns.find(({ after }) => after === last);
  }
  return false;
}
