import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import {
  ask,
  askForRank,
  engine,
  everythingStored,
  field,
  importFiles,
  ingested,
  recalled,
  threadOf,
} from './person.ts';
import { exportOf, smallThread } from './threads.ts';

async function openTurn(page: Page, words: string): Promise<string> {
  await page.getByRole('link', { name: 'Memory' }).click();
  await page.getByRole('searchbox').fill(words);
  await page.locator('skein-search-results').getByRole('link').first().click();
  await page.waitForURL(/turn\/\d+$/);
  return /turn\/(\d+)$/.exec(page.url())![1]!;
}

/** What was said later is neither recalled nor shown, and the question keeps the day it was asked as of. */
async function asksAsOfADay(page: Page): Promise<void> {
  await engine(
    page,
    ({ engine }, id) =>
      engine.append(id, [
        { role: 'user', text: 'The harbour ledger is kept in SQLite.', time: Date.UTC(2026, 2, 10, 12) },
        { role: 'user', text: 'The harbour ledger moved to PostgreSQL.', time: Date.UTC(2026, 2, 20, 12) },
      ]),
    threadOf(page),
  );
  await ingested(page);
  const control = page.locator('skein-as-of');
  const set = async (day: string) => {
    await control.getByRole('button', { name: 'Ask as of a date' }).click();
    await control.getByLabel('End of the day').fill(day);
    await control.getByLabel('End of the day').press('Enter');
  };
  await set('2026-03-09');
  await expect(control.getByRole('alert')).toHaveText(
    'Nothing had been said by 9 March 2026: this thread begins on 10 March 2026.',
  );
  await page.keyboard.press('Escape');
  await set('2026-03-14');
  await expect(field(page)).toBeFocused();
  const answer = await ask(page, 'Where is the harbour ledger kept?');
  await expect(recalled(answer, 1)).toContainText('SQLite');
  await expect(answer).not.toContainText('PostgreSQL');
  await page.reload();
  await expect(answer).toContainText('As of 14 March 2026');
  await expect(answer).toContainText(/without a date, placed by the turns around them/);
  await expect(page.locator('skein-composer .chip')).toHaveCount(0);
}

test('search, pin, forget and undo, edit, and erase for good', async ({ openSite }) => {
  const page = await openSite();
  const records = smallThread();
  const [, , packing, , appeal] = records;
  await importFiles(page, [exportOf(records)], 'Five things');
  await page.getByRole('button', { name: 'Open the thread' }).click();
  await ingested(page);

  await page.getByRole('link', { name: 'Memory' }).click();
  await page.getByRole('searchbox').fill('sleeping bags forbidden');
  await expect(page.locator('skein-search-results').getByRole('link').first()).toContainText('sleeping bags');
  await page.getByRole('link', { name: 'Thread', exact: true }).click();

  const first = recalled(await ask(page, packing!.query), 1);
  await expect(first).toContainText(/hut|sheets|blankets/);
  await first.getByRole('button', { name: 'Pin' }).click();
  await expect(first.getByRole('button', { name: 'Unpin' })).toBeVisible();

  await first.getByRole('button', { name: 'Forget' }).click();
  await expect(page.getByText('will not be recalled any more.')).toBeVisible();
  expect(await askForRank(page, 'What do I pack for the bunk at Tarnsee?', packing!.expected_doc)).toBe(0);
  await page.getByRole('button', { name: 'Undo' }).click();
  expect(await askForRank(page, 'So what is to be packed for Tarnsee?', packing!.expected_doc)).toBe(1);

  const edited = await openTurn(page, 'sleeping bags forbidden');
  await page.getByRole('button', { name: `Turn ${edited}: more` }).click();
  await page.getByRole('button', { name: 'Edit turn' }).click();
  await page.getByRole('textbox', { name: 'Text', exact: true }).fill('At the hut hammocks are compulsory.');
  await page.getByRole('button', { name: 'Save' }).click();
  await ingested(page);
  expect(await askForRank(page, 'Where are hammocks compulsory?', ['hammocks are compulsory'])).toBe(1);

  const erased = await openTurn(page, '28 days byelaw');
  await page.getByRole('button', { name: `Turn ${erased}: more` }).click();
  await page.getByRole('button', { name: 'Erase turn' }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Erase turn/ })
    .click();
  await expect(page.getByText(`Erased turn ${erased}.`)).toBeVisible();
  await ingested(page);
  const stored = await everythingStored(page);
  expect(stored).toContain('hammocks are compulsory');
  for (const gone of ['28 days since the byelaw', 'sleeping bags are forbidden']) {
    expect(stored).not.toContain(gone);
  }

  await page.reload();
  expect(await askForRank(page, appeal!.query, appeal!.expected_doc)).toBe(1);
  await asksAsOfADay(page);
  await page.goto(`${page.url().split('#')[0]}#/t/${threadOf(page)}/memory`);
  await page.getByRole('radio', { name: 'Pinned' }).check();
  // What was pinned is a family: every episode of it.
  const episodes = await engine(page, ({ engine }, id) => engine.listEpisodes(id), threadOf(page));
  const pinned = episodes.filter((episode) => episode.pinned).length;
  expect(pinned).toBeGreaterThan(0);
  expect(pinned).toBeLessThan(episodes.length);
  const counted = pinned === 1 ? '1 episode' : `${pinned} episodes`;
  await expect(page.getByText(counted, { exact: true })).toBeVisible();
  await page.getByRole('searchbox').fill('byelaw');
  await expect(page.getByText('No turn holds these words')).toBeVisible();
});
