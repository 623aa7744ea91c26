import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { EngineApi } from '../../../src/engine/contract.ts';
import { Host } from '../../../src/extension/host/host.ts';
import type { Inbox } from '../../../src/extension/inbox/inbox.ts';

beforeEach(() => {
  vi.useFakeTimers();
  // Node has no locks; nobody else is here.
  vi.stubGlobal('navigator', { locks: { request: (_: string, work: () => unknown) => work() } });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** A host that leads, whose moves begin with a call of its engine. */
async function leadingHost(listThreads: () => Promise<never>): Promise<Host> {
  const inbox = { thread: async () => 'captured' } as unknown as Inbox;
  const host = new Host({ listThreads } as unknown as EngineApi, inbox, {
    subscribe: async (listener) => listener({ kind: 'tab', role: 'leader' }),
  });
  await vi.advanceTimersByTimeAsync(0);
  return host;
}

test('a host that is stopped neither leads nor calls its engine, which a call would start again', async () => {
  const listThreads = vi.fn(() => Promise.reject(new Error('The engine failed.')));
  const host = await leadingHost(listThreads);
  expect(host.leads).toBe(true);
  await vi.advanceTimersByTimeAsync(60_000);
  // What failed is tried again.
  expect(listThreads).toHaveBeenCalledTimes(2);
  host.stop();
  expect(host.leads).toBe(false);
  await vi.advanceTimersByTimeAsync(600_000);
  expect(listThreads).toHaveBeenCalledTimes(2);
});

test('what fails since the host was stopped is not tried again', async () => {
  let fail = () => {};
  const listThreads = vi.fn(
    () => new Promise<never>((_, reject) => (fail = () => reject(new Error('The engine was stopped.')))),
  );
  const host = await leadingHost(listThreads);
  host.stop();
  fail();
  await vi.advanceTimersByTimeAsync(0);
  expect(listThreads).toHaveBeenCalledTimes(1);
  expect(vi.getTimerCount()).toBe(0);
});
