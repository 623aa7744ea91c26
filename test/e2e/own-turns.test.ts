import { expect, test } from './fixtures.ts';
import { askForRank, engine, ingested, paste, startThread, threadOf, typeTurns } from './person.ts';
import { smallThread, transcriptOf } from './threads.ts';

test('typed and pasted turns are recalled by the real model on WASM', async ({ openSite }) => {
  const page = await openSite();
  const [typed, ...pasted] = smallThread();
  await startThread(page, 'My own');
  await typeTurns(
    page,
    typed!.dialogue.map(([, text]) => text),
  );
  for (const record of pasted) {
    await paste(page, transcriptOf(record));
    await page.getByRole('button', { name: `Add as ${record.dialogue.length} turns` }).click();
    await expect(page.getByText(`Added ${record.dialogue.length} turns.`)).toBeVisible();
    await page.getByRole('button', { name: 'Close this message' }).first().click();
  }
  await ingested(page);
  const stored = await engine(page, ({ engine }, id) => engine.readTurns(id, 0, 100), threadOf(page));
  const written = [typed!, ...pasted].flatMap(({ dialogue }) => dialogue.map(([, text]) => text.trim()));
  expect(stored.map(({ text }) => text)).toEqual(written);
  expect(stored.slice(0, 3).map(({ role }) => role)).toEqual(['user', 'model', 'user']);

  for (const { query, expected_doc } of [typed!, ...pasted]) {
    expect.soft(await askForRank(page, query, expected_doc), query).toBe(1);
  }
  await page.getByRole('link', { name: 'Settings' }).click();
  await expect(page.getByText(/runs on the processor \(WASM\) and passed its self-test/)).toBeVisible();
});

test('hostile text, a lone surrogate and a turn of 2 MB are kept as they are', async ({ openSite }) => {
  const page = await openSite();
  await startThread(page, 'Odd turns');
  const hostile = "<img src=x onerror=\"document.title='owned'\"><script>document.title='owned'</script>";
  await typeTurns(page, [hostile, 'Half an emoji: \ud83d and its end.']);
  await expect(page.locator('skein-thread-scroller').getByText(hostile)).toBeVisible();
  await expect(page.locator('skein-thread-scroller img')).toHaveCount(0);
  await expect(page).not.toHaveTitle('owned');

  const sentence = 'The lighthouse keeper of Ardnish counts the herring boats at dusk. ';
  const long = sentence.repeat(Math.ceil(2_000_000 / sentence.length)).trim();
  await paste(page, long);
  await expect(page.getByText('Pasted text, 2.0 MB')).toBeVisible();
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(page.getByRole('button', { name: /Show the next part/ })).toBeVisible();
  const [surrogate, stored] = await engine(
    page,
    async ({ engine }, { id, long }) => {
      const [, second, third] = await engine.readTurns(id, 0, 3);
      return [second!.text, third!.text === long] as const;
    },
    { id: threadOf(page), long },
  );
  expect(surrogate).toMatch(/^Half an emoji: .{1,3} and its end\.$/u);
  expect(stored).toBe(true);
});
