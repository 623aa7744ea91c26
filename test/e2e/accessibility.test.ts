import type { Page } from '@playwright/test';
import { findings } from './findings.ts';
import { expect, test } from './fixtures.ts';
import { openDemo, recalled } from './person.ts';

async function press(page: Page, ...keys: string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key);
}

/** Goes on with Tab until the focused element has that name. */
async function tabTo(page: Page, name: RegExp): Promise<void> {
  for (let step = 0; step < 60; step++) {
    await page.keyboard.press('Tab');
    const focused = await page.evaluate(() => {
      let element = document.activeElement;
      while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
      const { labels, placeholder } = element as HTMLTextAreaElement;
      return [
        element?.getAttribute('aria-label'),
        labels?.[0]?.textContent,
        placeholder,
        element?.textContent,
      ].join(' ');
    });
    if (name.test(focused)) return;
  }
  throw new Error(`No Tab leads to ${name}.`);
}

test('from the first visit to an answer with the keyboard alone', async ({ openSite }) => {
  const page = await openSite();
  await expect(page.getByRole('button', { name: 'Load the demo thread' })).toBeVisible();
  await tabTo(page, /Load the demo thread/);
  await press(page, 'Enter');
  await page.waitForURL(/#\/t\//);
  await expect(page.getByRole('article', { name: 'Turn 1,497, Assistant' })).toBeVisible();
  await tabTo(page, /Question to this thread/);
  await page.keyboard.type('What does Tolly eat?');
  await press(page, 'Enter');
  const answer = page.locator('skein-ask').filter({ hasText: 'What does Tolly eat?' });
  await expect(recalled(answer, 1)).toBeVisible();
});

/** Findings of what is shown now, in either colours. */
async function expectNone(page: Page, view: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    expect.soft(await findings(page), `${view}, ${colorScheme}`).toEqual([]);
  }
}

test('no view has a serious accessibility problem, in light and in dark colours', async ({ openSite }) => {
  const page = await openSite();
  await expect(page.getByRole('button', { name: 'Load the demo thread' })).toBeVisible();
  await expectNone(page, 'welcome');
  await openDemo(page);
  await expect(page.getByRole('article', { name: 'Turn 1,497, Assistant' })).toBeVisible();
  await expectNone(page, 'thread');
  await page.getByRole('button', { name: /^Tolly has been sick/ }).click();
  await expect(recalled(page.locator('skein-ask'), 1)).toBeVisible();
  await expectNone(page, 'answer');
  await page.getByRole('link', { name: 'Memory' }).click();
  await expect(page.getByText(/^\d+ episodes$/)).toBeVisible();
  await expectNone(page, 'memory');
  await page.getByRole('searchbox').fill('Tolly');
  await expect(page.getByText(/turns? found$/)).toBeVisible();
  await expectNone(page, 'search');
  await page.getByRole('link', { name: 'Settings' }).click();
  await expect(page.getByText('passed its self-test')).toBeVisible();
  await expectNone(page, 'settings');
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Import' })).toBeVisible();
  await expectNone(page, 'import');
});
