import { expect, test } from './fixtures.ts';
import { ask, engine, ingested, openDemo, recalled, startThread, threadOf, typeTurns } from './person.ts';

test('WebGPU, chosen in the settings, gives the same answer from a few short turns', async ({ openSite }) => {
  // In software it takes most of a minute to load and seconds a text.
  test.setTimeout(300_000);
  const page = await openSite();
  await page.getByRole('link', { name: 'Settings' }).click();
  await page.getByRole('radio', { name: 'WebGPU' }).check();
  const status = page.locator('skein-embedder-section [role=status]');
  await expect(status).toContainText('runs on the graphics processor (WebGPU) and passed its self-test', {
    timeout: 200_000,
  });
  await startThread(page, 'On the GPU');
  await typeTurns(page, ['The spare key is under the pot.', 'Noted.', 'The cat eats fish.']);
  await ingested(page, 60_000);
  const answer = await ask(page, 'Where is the key?');
  await expect(recalled(answer, 1)).toContainText('under the pot', { timeout: 60_000 });
  const state = await engine(page, ({ engine }) => engine.embedderState());
  expect(state).toMatchObject({ kind: 'ready', backend: 'webgpu' });
});

test.describe('without WebGPU', () => {
  test.use({ chromeFlags: ['--disable-features=WebGPU,WebGPUService', '--disable-webgpu'] });

  test('the processor computes, and the settings say so', async ({ openSite }) => {
    const page = await openSite();
    expect(await page.evaluate(async () => (await navigator.gpu?.requestAdapter()) ?? null)).toBeNull();
    await openDemo(page);
    await expect(recalled(await ask(page, 'What does Tolly eat?'), 1)).toContainText('Tolly');
    await page.getByRole('link', { name: 'Settings' }).click();
    await expect(page.getByText('No WebGPU here: the processor computes (WASM).')).toBeVisible();
  });
});

test.describe('without SIMD', () => {
  test.use({ chromeFlags: ['--js-flags=--no-enable-sse4-1'] });

  test('what is stored can be read and searched, and the model says what is missing', async ({
    openSite,
  }) => {
    const page = await openSite();
    // A function that returns a vector: valid only where there is SIMD.
    const simd = await page.evaluate(() =>
      WebAssembly.validate(
        new Uint8Array([
          0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15,
          253, 98, 11,
        ]),
      ),
    );
    expect(simd).toBe(false);
    await openDemo(page);
    expect(
      (await engine(page, ({ engine }, id) => engine.search(id, 'Tolly', 5), threadOf(page))).length,
    ).toBe(5);
    await page.getByRole('link', { name: 'Settings' }).click();
    await expect(page.locator('skein-embedder-section [role=status]')).toContainText(/SIMD/);
  });
});
