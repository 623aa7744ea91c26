import type { Locator, Page } from '@playwright/test';
import type { ChatSession } from '../../src/ui/chat/chat-session.ts';
import { findings } from './findings.ts';
import { expect, test } from './fixtures.ts';
import { choose, engine, field, ingested, startThread, threadOf } from './person.ts';

const SAID = [
  'The spare key of the garden house is under the blue flowerpot, left of the door.',
  'Noted: the spare key is under the blue flowerpot, left of the door.',
  'The heating in the garden house must stay at twelve degrees in winter, or the pipes freeze.',
  'Twelve degrees in winter, so that the pipes do not freeze.',
  'Our neighbour Mrs Albrecht waters the tomatoes on Mondays and Thursdays.',
  'Mrs Albrecht waters the tomatoes on Mondays and Thursdays.',
] as const;
/** A busy machine reads and writes a few tokens a second. */
const ANSWERED = { timeout: 180_000 };
const KEY = 'Where is the spare key of the garden house?';
const EDITED = 'On which days are the tomatoes watered?';
const MODEL = 'SmolLM2 135M Instruct (comes with this site)';

const about = (page: Page): Locator => page.getByRole('region', { name: 'About this answer' });

interface Chat {
  readonly chatSession: ChatSession;
}

/** Notes what becomes of every question from now on: its steps, and how long its answer is at each. */
async function watchChat(page: Page): Promise<void> {
  await page.evaluate(() => {
    const { chatSession } = document.querySelector('skein-app') as unknown as Chat;
    const seen: [string, number][] = [];
    Object.assign(globalThis, { seen });
    chatSession.listen(() => {
      const { step } = chatSession.run ?? {};
      if (step) seen.push([step.kind, 'text' in step ? step.text.length : 0]);
    });
  });
}

/** The steps that were noted, and the different lengths that answers had. */
async function seen(page: Page): Promise<{ steps: string[]; lengths: number }> {
  const noted = await page.evaluate(() => (globalThis as unknown as { seen: [string, number][] }).seen);
  return {
    steps: [...new Set(noted.map(([kind]) => kind))],
    lengths: new Set(noted.filter(([kind]) => kind === 'writing').map(([, length]) => length)).size,
  };
}

async function send(page: Page, question: string): Promise<void> {
  await choose(page, 'Ask');
  await field(page).fill(question);
  await field(page).press('Enter');
}

/** Waits for the first words of the answer under way. */
async function writing(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const { chatSession } = document.querySelector('skein-app') as unknown as Chat;
    return chatSession.run?.step.kind === 'writing';
  });
}

async function texts(page: Page): Promise<string[]> {
  const turns = await engine(page, ({ engine }, id) => engine.readTurns(id, 0, 99), threadOf(page));
  return turns.map(({ text }) => text);
}

test('the embedded model answers from a recalled episode; stop, reload, retry and a branch', async ({
  openSite,
}) => {
  test.setTimeout(600_000);
  const page = await openSite();
  await startThread(page, 'Garden house');
  const turns = SAID.map((text, i) => ({ role: i % 2 === 0 ? ('user' as const) : ('model' as const), text }));
  await engine(page, async ({ engine }, { id, turns }) => engine.append(id, turns), {
    id: threadOf(page),
    turns,
  });
  await ingested(page);

  await choose(page, 'Ask');
  await page.getByRole('link', { name: 'Answers by: Recall only. Choose a model' }).click();
  await page.getByRole('button', { name: `Download ${MODEL}` }).click();
  await page.getByRole('button', { name: `Use ${MODEL}` }).click();
  await page.getByRole('link', { name: 'Settings' }).click();
  await page.getByRole('radio', { name: 'Short' }).check();
  await page.getByRole('link', { name: 'Garden house' }).click();
  await expect(page.getByRole('link', { name: `Answers by: ${MODEL}. Choose a model` })).toBeVisible();

  await watchChat(page);
  await send(page, KEY);
  await expect(about(page)).toBeVisible(ANSWERED);
  const { steps, lengths } = await seen(page);
  expect(steps).toEqual(['recalling', 'loading', 'reading', 'writing', 'keeping']);
  expect(lengths).toBeGreaterThan(2);
  const [question, answer] = (await texts(page)).slice(SAID.length);
  expect(question).toBe(KEY);
  expect(answer).toMatch(/flowerpot|door/i);
  await expect(about(page)).toContainText(/The model read \d passages? of this thread/);
  await about(page).locator('summary').click();
  for (const fact of [/Recalled\s*\d+ token/, /First token\s*\d/, /tokens a second/, /transformers\.js/]) {
    await expect(about(page)).toContainText(fact);
  }
  const source = about(page).getByRole('article', { name: /^Source 1: / });
  if (!(await source.getByText(SAID[0]).isVisible())) await source.getByRole('button').first().click();
  await expect(source.getByText(SAID[0]).first()).toBeVisible();
  expect(await findings(page)).toEqual([]);
  await source.getByRole('button', { name: 'Go to its place' }).click();
  await page.waitForURL(/\/turn\/\d$/);

  await send(page, 'Tell me everything about the garden house, in many sentences.');
  await writing(page);
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Ask', exact: true })).toBeVisible();
  const half = (await texts(page)).at(-1)!;
  await expect(about(page).last()).toContainText('You stopped this answer.');

  // A tab that ends in mid-answer: the question is there again and can be answered yet.
  await page.getByRole('link', { name: 'Garden house' }).click();
  await send(page, 'When are the tomatoes watered?');
  await writing(page);
  await page.reload();
  const left = page.locator('skein-ask');
  await expect(left.getByRole('heading', { name: 'When are the tomatoes watered?' })).toBeVisible();
  expect((await texts(page)).slice(-4)).toEqual([KEY, answer, expect.stringMatching(/everything/), half]);
  await left.getByRole('button', { name: /^Answer with SmolLM2/ }).click();
  await expect.poll(async () => (await texts(page)).length, ANSWERED).toBe(SAID.length + 6);
  await expect(left).toHaveCount(0);
  await expect(about(page).last()).not.toContainText('You stopped this answer.');
  await expect(about(page).last()).toContainText(/\d tokens\/s/);
  const first = (await texts(page)).at(-1)!;
  await about(page).last().getByRole('button', { name: 'Retry' }).click();
  await expect(about(page).last()).toContainText('2 of 2', ANSWERED);
  await about(page).last().getByRole('button', { name: 'Earlier version' }).click();
  await expect.poll(async () => (await texts(page)).at(-1)).toBe(first);

  const trunk = await texts(page);
  await about(page).last().getByRole('button', { name: 'Edit question' }).click();
  await page.locator('skein-turn-editor textarea').fill(EDITED);
  await page.getByRole('button', { name: 'Ask in a branch' }).click();
  await expect(page.getByRole('heading', { name: 'Garden house (branch)', level: 1 })).toBeVisible();
  await expect(page.getByText('Up to here the same as')).toBeVisible();
  await expect(about(page).last().getByText('of 2')).toHaveCount(0);
  await expect.poll(async () => (await texts(page)).length, ANSWERED).toBe(trunk.length);
  expect((await texts(page)).slice(0, -1)).toEqual([...trunk.slice(0, -2), EDITED]);
  await page.getByRole('link', { name: 'Garden house', exact: true }).first().click();
  await expect.poll(() => texts(page)).toEqual(trunk);
});
