import { SkeinError } from '../../core/errors.ts';
import type { HostAnswers, HostCall, HostEnvelope, HostReply } from '../host/contract.ts';
import type { Host } from '../host/host.ts';

/** Asks the page that leads, which may be this one. Rejects with what it answered, or that it did not. */
export async function askHost<K extends HostCall['kind']>(
  own: Host,
  call: Extract<HostCall, { kind: K }>,
): Promise<HostAnswers[K]> {
  const envelope: HostEnvelope = { to: 'host', call };
  const reply: HostReply<K> | undefined = own.leads
    ? await own.reply<K>(call)
    : await chrome.runtime.sendMessage(envelope).catch(() => undefined);
  if (!reply) {
    throw new SkeinError('busy', 'Another page of Skein has the memory and did not answer.', 'Try again.');
  }
  if (reply.ok) return reply.value;
  throw new SkeinError(reply.code as SkeinError['code'], reply.message, reply.remedy);
}
