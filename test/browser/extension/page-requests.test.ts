import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type PageRequestPorts, PageRequests } from '../../../src/extension/background/page-requests.ts';
import type { PageRequest } from '../../../src/extension/messages.ts';
import { changeSite } from '../../../src/extension/settings.ts';

const PAGE = { tab: { id: 7 }, url: 'https://claude.ai/chat/1', frameId: 0 } as chrome.runtime.MessageSender;
const CAPTURE: PageRequest = {
  kind: 'capture',
  batch: { site: 'claude', conversation: '1', title: '', turns: [] },
};

/** What the inbox does with a batch; a test may hold it up. */
let add: () => Promise<{ added: number; known: number }>;
let requests: PageRequests;

beforeEach(() => {
  const stored = new Map<string, unknown>();
  const local = {
    get: async (key: string | null) =>
      Object.fromEntries([...stored].filter(([name]) => key === null || name === key)),
    set: async (values: Record<string, unknown>) => {
      for (const [key, value] of Object.entries(values)) stored.set(key, value);
    },
  };
  vi.stubGlobal('chrome', { storage: { local } });
  add = async () => ({ added: 1, known: 0 });
  const ports = {
    inbox: { add: () => add() },
    tabs: { count: async () => {} },
    captured: () => {},
  } as unknown as PageRequestPorts;
  requests = new PageRequests(ports);
});
afterEach(() => vi.unstubAllGlobals());

test('capture that is turned off waits for the batch that is being kept, and takes none after it', async () => {
  await changeSite('claude', { used: true, capture: 'on' });
  const done: string[] = [];
  let keep = () => {};
  const begun = new Promise<void>((begin) => {
    add = () =>
      new Promise((resolve) => {
        begin();
        keep = () => resolve({ added: 1, known: 0 });
      });
  });
  const kept = requests.reply(CAPTURE, PAGE).then((reply) => done.push(`kept: ${reply.ok}`));
  await begun;
  // As a deletion begins: what is on the disk when this resolves is erased after it.
  const off = changeSite('claude', { capture: 'off' }).then(() => done.push('off'));
  const late = requests.reply(CAPTURE, PAGE);
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(done).toEqual([]);
  keep();
  await Promise.all([kept, off]);
  expect(done).toHaveLength(2);
  expect(await late).toMatchObject({ ok: false, code: 'read-only' });
});

test('a page speaks for its own site only, from the main frame of a tab', async () => {
  await changeSite('claude', { used: true, capture: 'on' });
  expect(await requests.reply(CAPTURE, PAGE)).toMatchObject({ ok: true });
  const elsewhere = { ...PAGE, url: 'https://claude.ai.evil.example/chat/1' };
  expect(await requests.reply(CAPTURE, elsewhere)).toMatchObject({ ok: false, code: 'bad-argument' });
  expect(await requests.reply(CAPTURE, { ...PAGE, frameId: 3 })).toMatchObject({ ok: false });
  expect(await requests.reply(CAPTURE, { url: PAGE.url! })).toMatchObject({ ok: false });
});
