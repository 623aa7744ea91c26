import { expect, test } from './fixtures.ts';
import { ask, askForRank, engine, field, importFiles, ingested, recalled, typeTurns } from './person.ts';
import { exportOf, smallThread } from './threads.ts';

test('a second tab reads, follows, takes over, and is given the lead when the first closes', async ({
  openSite,
  context,
}) => {
  const first = await openSite();
  const records = smallThread();
  const turns = records.reduce((sum, { dialogue }) => sum + dialogue.length, 0);
  await importFiles(first, [exportOf(records)], 'Shared');
  await first.getByRole('button', { name: 'Open the thread' }).click();
  await ingested(first);

  const second = await context.newPage();
  await second.goto(first.url());
  const banner = 'Skein is open in another tab; this tab reads only.';
  await expect(second.getByText(banner)).toBeVisible();
  await expect(field(second)).toBeDisabled();
  await typeTurns(first, ['The ferry to Hiiumaa leaves at a quarter past six.']);
  await expect(second.getByText('The ferry to Hiiumaa leaves at a quarter past six.')).toBeVisible();

  await second.getByRole('button', { name: 'Use it here' }).click();
  await expect(second.getByText(banner)).toHaveCount(0);
  await expect(first.getByText(banner)).toBeVisible();
  await typeTurns(second, ['The return ferry leaves at noon.']);
  await expect(first.getByText('The return ferry leaves at noon.')).toBeVisible();
  await ingested(second);
  expect(await askForRank(second, records[2]!.query, records[2]!.expected_doc)).toBe(1);

  await second.close();
  await expect(first.getByText(banner)).toHaveCount(0);
  await typeTurns(first, ['Bicycles cost four euros on the ferry.']);
  await ingested(first);
  await expect(recalled(await ask(first, 'What do bicycles cost?'), 1)).toBeVisible();
  // A tab that changes its part goes on reading meanwhile.
  await expect(first.locator('skein-toasts .problem')).toHaveCount(0);
  const [thread] = await engine(first, ({ engine }) => engine.listThreads());
  expect(thread!.turns).toBe(turns + 3);
  const episodes = await engine(first, ({ engine }, id) => engine.listEpisodes(id), thread!.id);
  expect(episodes[0]!.start).toBe(0);
  expect(episodes.at(-1)!.end).toBe(turns + 3);
  for (const [i, { start }] of episodes.slice(1).entries()) expect(start).toBe(episodes[i]!.end);
});
