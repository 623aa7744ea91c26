import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import {
  ask,
  choose,
  engine,
  field,
  ingested,
  openDemo,
  recalled,
  startThread,
  threadOf,
  typeTurns,
} from './person.ts';
import { SITE_FOLDER } from './site.ts';
import { repositoryFile } from './threads.ts';

const MODEL = 'models/all-MiniLM-L6-v2/onnx/model_int8.onnx';

/** The model's state in the settings. */
async function modelState(page: Page) {
  await page.getByRole('link', { name: 'Settings' }).click();
  return page.locator('skein-embedder-section [role=status]');
}

test('a model file that is a web page is named with a remedy, is not kept, and hides no thread', async ({
  openSite,
  site,
}) => {
  // Files cut off or missing take the same way (test/browser/embed/model-files.test.ts).
  const answer = repositoryFile(`${SITE_FOLDER}/index.html`);
  site.answers.set(MODEL, (response) => response.setHeader('content-type', 'text/html').end(answer));
  const said = /model_int8\.onnx is broken: it is a web page\. Load it again/;
  const page = await openSite();
  // The demo's vectors come ready-made, so its thread is whole without a model.
  await openDemo(page);
  await expect(page.getByRole('article', { name: 'Turn 1,497, Assistant' })).toBeVisible();
  await field(page).fill('What does Tolly eat?');
  await field(page).press('Enter');
  await expect(page.locator('skein-composer').getByRole('alert')).toHaveText(said);
  await expect(field(page)).toHaveValue('What does Tolly eat?');
  await expect(await modelState(page)).toHaveText(said);

  site.answers.delete(MODEL);
  await page.goBack();
  await expect(recalled(await ask(page, 'What does Tolly eat?'), 1)).toBeVisible();
});

test('a full disk is said, and nothing that was stored is lost', async ({
  openSite,
  context,
  site,
  problems,
}) => {
  problems.allow(/QuotaExceeded/);
  const page = await openSite();
  await startThread(page, 'Full');
  await typeTurns(page, ['The first turn fits.']);
  await ingested(page);
  const devtools = await context.newCDPSession(page);
  const { origin } = new URL(site.url);
  await devtools.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: 1 });
  const alert = page.locator('skein-composer').getByRole('alert');
  let added = 1;
  // The browser remembers for half a minute how much room there was before.
  await expect(async () => {
    await choose(page, 'Add to thread');
    await field(page).fill(`Does turn ${added + 1} fit?`);
    await field(page).press('Enter');
    await expect(alert.or(page.getByRole('article', { name: `Turn ${added + 1},` }))).toBeVisible();
    if (!(await alert.isVisible())) added++;
    await expect(alert).toContainText('no space left', { timeout: 100 });
  }).toPass({ timeout: 60_000, intervals: [3_000] });
  await expect(field(page)).toHaveValue(`Does turn ${added + 1} fit?`);
  await devtools.send('Storage.overrideQuotaForOrigin', { origin });
  const turns = () => engine(page, ({ engine }, id) => engine.readTurns(id, 0, 100), threadOf(page));
  expect(await turns()).toHaveLength(added);
  await page.reload();
  await typeTurns(page, ['Now there is room again.']);
  await expect
    .poll(async () => (await turns()).map(({ text }) => text))
    .toContain('Now there is room again.');
  expect((await turns())[0]!.text).toBe('The first turn fits.');
});
