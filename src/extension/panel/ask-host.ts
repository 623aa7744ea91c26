import type { HostAnswers, HostCall } from '../host/contract.ts';
import type { Host } from '../host/host.ts';
import { callHost } from '../host/host-place.ts';

/** Asks the page that leads, which may be this one. Rejects with what it answered, or that it did not. */
export function askHost<K extends HostCall['kind']>(
  own: Host,
  call: Extract<HostCall, { kind: K }>,
): Promise<HostAnswers[K]> {
  const here = {
    // This page holds an engine: some page leads, or is about to.
    ensure: async () => {},
    yield: async () => {},
    answer: async (one: HostCall) => (own.leads ? own.reply(one) : undefined),
  };
  return callHost(here, call);
}
