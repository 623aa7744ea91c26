import { SkeinError } from '../../core/errors.ts';
import { type Reply, unwrapReply } from '../reply.ts';
import type { HostAnswers, HostCall, HostEnvelope } from './contract.ts';

/** Where the memory runs while no page of the extension is open; this differs between browsers. */
export interface HostPlace {
  /** Resolves once some page holds an engine and answers calls. */
  ensure(): Promise<void>;
  /** Gives the lead up to a page that opens. */
  yield(): Promise<void>;
  /** Answers a call here; undefined where the calls go to other pages by message. */
  answer?(call: HostCall): Promise<Reply<HostAnswers[HostCall['kind']]> | undefined>;
}

/** How often a call is made when the page that answers it goes, or none leads yet. */
const ATTEMPTS = 7;
/** Milliseconds before the second attempt; each later wait is twice as long. */
const FIRST_WAIT = 250;

/**
 * Asks the page that leads, and starts one where none is. When that page goes in the middle, the call is made again
 * with the next one; every call can be repeated. Rejects with `worker-died` when none answers.
 */
export async function callHost<K extends HostCall['kind']>(
  place: HostPlace,
  call: Extract<HostCall, { kind: K }>,
): Promise<HostAnswers[K]> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    if (attempt > 0) await new Promise((resolve) => setTimeout(resolve, FIRST_WAIT * 2 ** (attempt - 1)));
    const reply = (await askOnce(place, call)) as Reply<HostAnswers[K]> | undefined;
    if (!reply) continue;
    // The page lost its engine or its lead on the way.
    if (!reply.ok && (reply.code === 'read-only' || reply.code === 'worker-died')) continue;
    return unwrapReply(reply);
  }
  throw new SkeinError(
    'worker-died',
    'The memory was stopped while it was working.',
    'Try again: it starts afresh. Nothing that was kept is lost.',
  );
}

async function askOnce(place: HostPlace, call: HostCall): Promise<unknown> {
  try {
    await place.ensure();
    const own = await place.answer?.(call);
    if (own) return own;
    const envelope: HostEnvelope = { to: 'host', call };
    return await chrome.runtime.sendMessage(envelope);
  } catch {
    // No page listened, or the one that did is gone.
    return undefined;
  }
}
