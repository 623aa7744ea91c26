import { expect, test } from './fixtures.ts';
import { ask, engine, ingested, recalled, startThread, typeTurns } from './person.ts';

test('WebGPU, chosen in the settings, gives the same answer from a few short turns', async ({ openSite }) => {
  // In software it takes most of a minute to load and seconds a text.
  test.setTimeout(480_000);
  const page = await openSite();
  await page.getByRole('link', { name: 'Settings' }).click();
  await page.getByRole('radio', { name: 'WebGPU' }).check();
  const status = page.locator('skein-embedder-section [role=status]');
  await expect(status).toContainText('runs on the graphics processor (WebGPU) and passed its self-test', {
    timeout: 200_000,
  });
  await startThread(page, 'On the GPU');
  await typeTurns(page, ['The spare key is under the pot.', 'Noted.', 'The cat eats fish.']);
  await ingested(page, 150_000);
  const answer = await ask(page, 'Where is the key?');
  await expect(recalled(answer, 1)).toContainText('under the pot', { timeout: 90_000 });
  const state = await engine(page, ({ engine }) => engine.embedderState());
  expect(state).toMatchObject({ kind: 'ready', backend: 'webgpu' });
});
