import { expect, test } from './fixtures.ts';
import { engine, openDemo, threadOf } from './person.ts';

test.use({ chromeFlags: ['--js-flags=--no-enable-sse4-1'] });

test('without SIMD what is stored can be read and searched, and the model says what is missing', async ({
  openSite,
}) => {
  const page = await openSite();
  // A function that returns a vector: valid only where there is SIMD.
  const simd = await page.evaluate(() =>
    WebAssembly.validate(
      new Uint8Array([
        0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253,
        98, 11,
      ]),
    ),
  );
  expect(simd).toBe(false);
  await openDemo(page);
  const found = await engine(page, ({ engine }, id) => engine.search(id, 'Tolly', 5), threadOf(page));
  expect(found[0]!.excerpt).toContain('Tolly');
  await page.getByRole('link', { name: 'Settings' }).click();
  await expect(page.locator('skein-embedder-section [role=status]')).toContainText(/SIMD/);
});
