import { expect, test } from './fixtures.ts';
import { ask, openDemo, recalled } from './person.ts';

test.use({ webgpu: false });

test('without WebGPU the processor computes, and the settings say so', async ({ openSite }) => {
  const page = await openSite();
  expect(await page.evaluate(async () => (await navigator.gpu?.requestAdapter()) ?? null)).toBeNull();
  await openDemo(page);
  await expect(recalled(await ask(page, 'What does Tolly eat?'), 1)).toContainText('Tolly');
  await page.getByRole('link', { name: 'Settings' }).click();
  await expect(page.getByText('No WebGPU here: the processor computes (WASM).')).toBeVisible();
});
