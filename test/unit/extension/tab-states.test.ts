import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { TabStates } from '../../../src/extension/background/tab-states.ts';
import type { Inbox } from '../../../src/extension/inbox/inbox.ts';

/** What each tab's address is, as far as the extension may know. */
let addresses: Map<number, string | undefined>;
let local: Map<string, unknown>;
let session: Map<string, unknown>;
/** The badge that each tab was given last. */
let badges: Map<number, string>;
/** What each tab was told, in order. */
let told: [tabId: number, kind: string][];
let tabs: TabStates;

const area = (stored: Map<string, unknown>) => ({
  get: async (key: string | null) =>
    Object.fromEntries([...stored].filter(([name]) => key === null || name === key)),
  set: async (values: Record<string, unknown>) => {
    for (const [key, value] of Object.entries(values)) stored.set(key, value);
  },
  remove: async (key: string) => void stored.delete(key),
});

beforeEach(async () => {
  local = new Map([['site:claude', { used: true, capture: 'on' }]]);
  session = new Map();
  badges = new Map();
  told = [];
  vi.stubGlobal('chrome', {
    storage: { local: area(local), session: area(session) },
    tabs: {
      get: async (id: number) => ({ id, url: addresses.get(id) }),
      sendMessage: async (id: number, { kind }: { kind: string }) => void told.push([id, kind]),
    },
    action: {
      setBadgeText: async ({ tabId, text }: { tabId: number; text: string }) => void badges.set(tabId, text),
      setBadgeBackgroundColor: async () => {},
      setBadgeTextColor: async () => {},
      setTitle: async () => {},
    },
  });
  tabs = new TabStates({ kept: async () => 5 } as unknown as Inbox);
  for (const tabId of [1, 2, 3, 4]) await tabs.shows(tabId, { site: 'claude', conversation: 'one' });
  // The browser takes the badge off a tab that goes to another page.
  badges.clear();
  addresses = new Map([
    [1, 'https://claude.ai/chat/one'],
    [2, 'https://example.org/'],
    [3, 'https://gemini.google.com/app/1'],
    [4, undefined],
  ]);
});
afterEach(() => vi.unstubAllGlobals());

test.each([
  ['counted', () => tabs.count('claude', 'one')],
  ['told', () => tabs.tell('claude')],
])('only a tab that still shows the site gets the badge when turns are %s', async (_, work) => {
  await work();
  expect([...badges]).toEqual([[1, '5']]);
  expect([...session.keys()]).toEqual(['tab:1', 'tab:4']);
  expect(told.filter(([tabId]) => tabId === 2 || tabId === 3)).toEqual([]);
});

test('a site that is left: its tabs are told so and show no badge, also where their address is not told any more', async () => {
  local.set('site:claude', { used: false, capture: 'off' });
  await tabs.tell('claude');
  expect(told).toEqual([
    [1, 'leave'],
    [4, 'leave'],
  ]);
  expect([...badges]).toEqual([
    [1, ''],
    [4, ''],
  ]);
  expect([...session.keys()]).toEqual([]);
});
