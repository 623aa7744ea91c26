import { readFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { expect, type Page, test } from '@playwright/test';
import type { EngineApi } from '../../src/engine/contract.ts';
import {
  buildExtension,
  clickInClosedRoot,
  ExtensionBrowser,
  FOLDER,
  type ReplicaWindow,
  type SiteName,
} from './extension-browser.ts';

test.describe.configure({ mode: 'serial' });

let browser: ExtensionBrowser;
/** Problems that pages of the extension and replicas report. */
const problems: string[] = [];

test.beforeAll(async () => {
  await buildExtension();
  browser = await ExtensionBrowser.open();
  browser.context.on('weberror', (error) => problems.push(error.error().message));
});

test.afterAll(async () => {
  const requested = await browser.close();
  expect(requested.filter((url) => !isExpected(url))).toEqual([]);
  expect(problems).toEqual([]);
});

/** Requests for the replicas, and what the browser asks its maker's servers by itself. */
function isExpected(url: string): boolean {
  const { hostname, pathname } = new URL(url);
  if (/(^|\.)(googleapis|gvt1)\.com$|^accounts\.google\.com$/.test(hostname)) return true;
  return (
    ['chatgpt.com', 'claude.ai', 'gemini.google.com'].includes(hostname) &&
    (['/', '/replica.js', '/favicon.ico'].includes(pathname) ||
      TABS.some(({ conversation }) => pathname.endsWith(`/${conversation}`)))
  );
}

/** Exchanges in each of four tabs: 208 turns. */
const EXCHANGES = 26;
const TABS: readonly { site: SiteName; conversation: string }[] = [
  { site: 'chatgpt', conversation: 'garden' },
  { site: 'chatgpt', conversation: 'kitchen' },
  { site: 'claude', conversation: 'harbour' },
  // Gemini names its conversations in hexadecimal.
  { site: 'gemini', conversation: 'cafefade' },
];
const HOSTILE = `<img src="x" onerror="document.title='owned'"><script>document.title='owned'</script>`;

const questionOf = (conversation: string, n: number) => `What grows in bed ${n} of the ${conversation}?`;
const answerOf = (conversation: string, n: number) =>
  conversation === 'cafefade' && n === 7
    ? `The spare key of the tool shed hangs behind the third beehive. ${HOSTILE}`
    : `In bed ${n} of the ${conversation} there is crop number ${n * 31}.`;

async function say(page: Page, conversation: string, from: number, to: number): Promise<void> {
  const exchanges = Array.from({ length: to - from }, (_, i) => [
    questionOf(conversation, from + i),
    answerOf(conversation, from + i),
  ]);
  await page.evaluate(async (all) => {
    const { replica } = window as unknown as ReplicaWindow;
    for (const [question, answer] of all) await replica.say(question!, answer!);
  }, exchanges);
}

/** The last two exchanges of a conversation in two tabs, each of which shows what was said in the other. */
async function sayInTwoTabs(conversation: string): Promise<void> {
  const first = pages.get(conversation)!;
  const second = await browser.openReplica('chatgpt', conversation);
  const show = async (from: Page, to: Page) => {
    const shown = await from.evaluate(() =>
      (window as unknown as ReplicaWindow).replica.shown.map(({ text }) => text),
    );
    await to.evaluate((texts) => {
      const { replica } = window as unknown as ReplicaWindow;
      replica.load(texts.slice(replica.shown.length));
    }, shown);
  };
  await expect(second.locator('[data-skein="button"]')).toBeAttached();
  await show(first, second);
  await say(first, conversation, EXCHANGES - 2, EXCHANGES - 1);
  await show(first, second);
  await say(second, conversation, EXCHANGES - 1, EXCHANGES);
  await show(second, first);
  pages.set('second', second);
}

/** The thread of captured turns, as the app in `page` reads it. */
async function captured(
  page: Page,
): Promise<{ turns: { role: string; text: string; source?: string }[]; ingested: number }> {
  return page.evaluate(async () => {
    const { skein } = globalThis as unknown as { skein: EngineApi };
    const thread = (await skein.listThreads()).find(({ name }) => name === 'Captured chats');
    if (!thread) return { turns: [], ingested: 0 };
    return { turns: await skein.readTurns(thread.id, 0, thread.turns), ingested: thread.ingested };
  });
}

const badge = async (tabId: number) =>
  (await browser.background()).evaluate((id) => chrome.action.getBadgeText({ tabId: id }), tabId);

/** The icon of a conversation's tab shows `text`, and its page has heard what was told it by then. */
async function heard(conversation: string, text: string): Promise<void> {
  const tabId = await browser.tabOf(conversation);
  await expect.poll(() => badge(tabId)).toBe(text);
  // Messages come in order.
  const ask = (id: number) => chrome.tabs.sendMessage(id, { kind: 'describe' });
  await (await browser.background()).evaluate(ask, tabId);
}

/** The sites that capture is on for, as the extension has stored it. */
const captureOn = async () =>
  (await browser.background()).evaluate(async () =>
    Object.entries(await chrome.storage.local.get(null))
      .filter(([, value]) => (value as { capture?: string }).capture === 'on')
      .map(([key]) => key.replace('site:', ''))
      .sort(),
  );

const kept = (page: Page) => page.locator('skein-page-bar').getByRole('status').first();
const pages = new Map<string, Page>();

test('200 streamed turns of three sites are kept, none lost or doubled', async () => {
  for (const { site, conversation } of TABS)
    pages.set(conversation, await browser.openReplica(site, conversation));
  const panel = await browser.openOwn(`index.html?panel&tab=${await browser.tabOf('garden')}`);
  await panel.getByRole('button', { name: 'Use Skein on ChatGPT' }).click();
  await panel.getByRole('radio', { name: 'On', exact: true }).check();
  await panel.getByRole('button', { name: 'Sites' }).click();
  const dialog = panel.getByRole('dialog', { name: 'Sites' });
  for (const name of ['Claude', 'Gemini']) {
    await dialog.getByRole('button', { name: `Use Skein on ${name}` }).click();
    await dialog
      .getByRole('group', { name: `Capture on ${name}` })
      .getByRole('radio', { name: 'On' })
      .check();
  }
  // What was chosen is kept before the panel goes.
  await expect.poll(captureOn).toEqual(['chatgpt', 'claude', 'gemini']);
  await panel.close();

  const sayInAll = (from: number, to: number) =>
    Promise.all([...pages].map(([conversation, page]) => say(page, conversation, from, to)));
  await sayInAll(0, 9);
  // A reload, and a background worker that is stopped while turns come in.
  await pages.get('harbour')!.reload();
  let saying = sayInAll(9, 17);
  await browser.stopBackground();
  await saying;
  // An update of the extension: the scripts of the one before are left in the pages.
  saying = sayInAll(17, EXCHANGES - 2);
  await browser.updateExtension();
  await saying;
  await sayInTwoTabs('garden');
  for (const { conversation } of TABS.slice(1)) {
    await say(pages.get(conversation)!, conversation, EXCHANGES - 2, EXCHANGES);
  }

  const turns = 2 * EXCHANGES;
  for (const { conversation } of TABS) {
    for (const tab of await browser.tabsOf(conversation)) {
      await expect.poll(() => badge(tab), { message: `${conversation} in tab ${tab}` }).toBe(`${turns}`);
    }
  }
  const app = await browser.openOwn('index.html');
  await expect
    .poll(async () => (await captured(app)).turns.length, { timeout: 90_000 })
    .toBe(TABS.length * turns);
  const texts = (await captured(app)).turns.map(({ role, text }) => `${role}: ${text}`);
  for (const { conversation } of TABS) {
    const wanted = Array.from({ length: EXCHANGES }, (_, n) => [
      `user: ${questionOf(conversation, n)}`,
      `model: ${answerOf(conversation, n)}`,
    ]).flat();
    // In the order they were said, an answer right after its question.
    expect(texts.filter((text) => wanted.includes(text))).toEqual(wanted);
    for (let at = 0; at < wanted.length; at += 2) {
      expect(texts[texts.indexOf(wanted[at]!) + 1]).toBe(wanted[at + 1]);
    }
  }
  await expect
    .poll(async () => (await captured(app)).ingested, { timeout: 120_000 })
    .toBe(TABS.length * turns);
  await app.close();
  await pages.get('second')!.close();
});

test('the right episode is recalled, inserted as text and never sent', async () => {
  const page = pages.get('garden')!;
  await page.bringToFront();
  const composer = () => page.evaluate(() => (window as unknown as ReplicaWindow).replica.editor.text());
  const sent = () => page.evaluate(() => (window as unknown as ReplicaWindow).replica.sent);
  const question = 'Where does the spare key of the tool shed hang?';
  await page.evaluate(() => (window as unknown as ReplicaWindow).replica.editor.element.focus());
  await page.keyboard.type(question);
  const button = page.locator('[data-skein="button"]');
  await expect(button).toHaveAttribute('data-hint', /[1-9]/);
  await button.click();
  await expect(page.locator('[data-skein="panel"]')).toHaveAttribute('data-state', 'ready');
  // The first one is in focus.
  await page.keyboard.press('Space');
  await clickInClosedRoot(page, 'button', 'Insert');
  await expect.poll(composer).toContain('third beehive');
  expect(await composer()).toContain(HOSTILE);
  expect((await composer()).endsWith(question)).toBe(true);
  expect(await sent()).toEqual([]);
  expect(await page.title()).toBe('Replica');
  await page.screenshot({ path: 'test-results/extension-inserted.png' });

  // What was inserted is not captured again when its message is sent.
  await page.evaluate(() => (window as unknown as ReplicaWindow).replica.editor.element.focus());
  await page.keyboard.press('Enter');
  await expect.poll(async () => badge(await browser.tabOf('garden'))).toBe(`${2 * EXCHANGES + 2}`);
  const app = await browser.openOwn('index.html');
  await expect
    .poll(async () => (await captured(app)).turns.filter(({ text }) => text === question).length)
    .toBe(1);
  expect((await captured(app)).turns.filter(({ text }) => text.includes('third beehive'))).toHaveLength(1);
  // What would run code from elsewhere says that it can't here.
  await app.evaluate(() => {
    location.hash = '#/models';
  });
  await expect(app.getByText('this page runs no code from elsewhere').first()).toBeAttached();
  await app.close();
});

test('the side panel recalls for the page, inserts into it, and deletes what a site gave', async () => {
  const page = pages.get('kitchen')!;
  // The page without a face is gone, and with it the engine: the next one takes over.
  await (await browser.background()).evaluate(() => chrome.offscreen.closeDocument().catch(() => {}));
  await page.evaluate(() => (window as unknown as ReplicaWindow).replica.editor.element.focus());
  await page.keyboard.type('Which crop is in bed 4 of the harbour?');
  const panel = await browser.openOwn(`index.html?panel&tab=${await browser.tabOf('kitchen')}`);
  await expect(kept(panel)).toHaveText(`${2 * EXCHANGES} turns of this conversation kept`);
  await panel.getByRole('button', { name: 'Recall for this page' }).click();
  await expect(panel.getByRole('textbox', { name: 'What you are writing' })).toHaveValue(
    /bed 4 of the harbour/,
  );
  await panel.getByRole('button', { name: 'Recall', exact: true }).click();
  await panel.getByRole('checkbox').first().check();
  await panel.getByRole('button', { name: 'Insert 1 episode' }).click();
  await expect(panel.getByText('Inserted before your text. Nothing was sent.')).toBeVisible();
  const text = await page.evaluate(() => (window as unknown as ReplicaWindow).replica.editor.text());
  expect(text).toContain('crop number 124');
  expect(await page.evaluate(() => (window as unknown as ReplicaWindow).replica.sent)).toEqual([]);

  // What is said in a pause is not kept, and what follows goes on where it stopped.
  await panel.getByRole('radio', { name: 'Paused' }).check();
  await heard('kitchen', 'II');
  await say(page, 'kitchen', 100, 101);
  await panel.getByRole('radio', { name: 'On', exact: true }).check();
  await heard('kitchen', `${2 * EXCHANGES}`);
  await say(page, 'kitchen', EXCHANGES, EXCHANGES + 1);
  await expect.poll(async () => badge(await browser.tabOf('kitchen'))).toBe(`${2 * EXCHANGES + 2}`);

  await panel.getByRole('button', { name: 'Sites' }).click();
  const dialog = panel.getByRole('dialog', { name: 'Sites' });
  // Skein leaves the site, in every tab.
  await dialog
    .getByRole('listitem')
    .filter({ hasText: 'ChatGPT' })
    .getByRole('button', { name: 'Stop using it' })
    .click();
  for (const tab of [page, pages.get('garden')!]) await expect(tab.locator('[data-skein]')).toHaveCount(0);
  await say(page, 'kitchen', 200, 201);
  // Said after it on a site where capture is on: once this one has come, that one would have come, too.
  await say(pages.get('harbour')!, 'harbour', EXCHANGES, EXCHANGES + 1);
  await dialog.getByRole('button', { name: 'Delete what was kept of Gemini' }).click();
  await dialog.getByRole('button', { name: 'Delete them' }).click();
  await expect(dialog.getByRole('button', { name: 'Delete what was kept of Gemini' })).toHaveCount(0);
  const { turns } = await captured(panel);
  expect(turns.some((turn) => turn.text.includes('cafefade') || turn.source?.startsWith('Gemini'))).toBe(
    false,
  );
  const saidIn = async (conversation: string) =>
    (await captured(panel)).turns.filter(({ text }) => text.includes(conversation));
  const harbour = 2 * EXCHANGES + 2;
  await expect.poll(async () => (await saidIn('harbour')).length, { timeout: 30_000 }).toBe(harbour);
  const kitchen = await saidIn('kitchen');
  expect(kitchen.slice(-2).map(({ text }) => text)).toEqual([
    questionOf('kitchen', EXCHANGES),
    answerOf('kitchen', EXCHANGES),
  ]);
  expect(kitchen).toHaveLength(2 * EXCHANGES + 2);
  expect(new Set(kitchen.map(({ source }) => source))).toEqual(new Set(['ChatGPT: Replica']));
  await panel.close();
});

test('the content script is small', async () => {
  expect(gzipSync(await readFile(`${FOLDER}/content.js`)).length).toBeLessThan(40_000);
});
