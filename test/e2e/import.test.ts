import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from './fixtures.ts';
import { ask, engine, everythingStored, importFiles, ingested, recalled } from './person.ts';
import { repositoryFile } from './threads.ts';

const fixture = (name: string) => ({
  name,
  mimeType: 'application/octet-stream',
  buffer: readFileSync(fileURLToPath(new URL(`../fixtures/import/${name}`, import.meta.url))),
});

test('an import accounts for everything, a broken file costs nothing, and a backup comes back whole', async ({
  openSite,
}) => {
  const page = await openSite();
  const names = [
    'chatgpt-conversations.json',
    'claude-conversations.json',
    'sharegpt.jsonl',
    'transcript.md',
  ];
  const brokenFile = {
    name: 'broken.json',
    mimeType: 'application/json',
    buffer: Buffer.from('{"mapping": {"a"'),
  };
  await importFiles(page, [...names.map(fixture), brokenFile], 'Old chats');
  const dialog = page.locator('skein-import-dialog dialog');
  await expect(dialog.getByRole('heading', { name: 'What was imported' })).toBeVisible();
  for (const kind of ['Files', 'Conversations', 'Messages']) {
    const cells = await dialog
      .getByRole('row', { name: new RegExp(`^${kind}`) })
      .getByRole('cell')
      .allTextContents();
    const [found, imported, skipped, failed] = cells.map(Number);
    expect(found, kind).toBe(imported! + skipped! + failed!);
    expect(imported, kind).toBeGreaterThan(0);
    if (kind === 'Files') expect(failed).toBe(1);
  }
  await expect(dialog).toContainText('broken.json');
  await dialog.getByRole('button', { name: /^Open the/ }).click();
  await ingested(page);

  const [thread] = await engine(page, ({ engine }) => engine.listThreads());
  const question = 'What did we talk about?';
  await expect(recalled(await ask(page, question), 1)).toBeVisible();
  await engine(
    page,
    async ({ engine }, id) => engine.pinEpisode(id, (await engine.listEpisodes(id))[0]!.id, true),
    thread!.id,
  );
  const contents = (id: string) =>
    engine(
      page,
      async ({ engine }, id) => ({
        turns: await engine.readTurns(id, 0, 10_000),
        episodes: (await engine.listEpisodes(id)).map(({ start, end, pinned, opening }) => ({
          start,
          end,
          pinned,
          opening,
        })),
        asks: (await engine.listAsks(id)).map(({ text, position, episodes }) => ({
          text,
          position,
          episodes,
        })),
      }),
      id,
    );
  const before = await contents(thread!.id);
  expect(before.turns.length).toBe(thread!.turns);
  expect(before.episodes.filter(({ pinned }) => pinned)).toHaveLength(1);

  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Thread: more' }).click();
  await page.getByRole('button', { name: 'Export thread' }).click();
  const backup = readFileSync(await (await download).path());

  await page.getByRole('link', { name: 'Settings' }).click();
  await page.getByRole('button', { name: 'Erase everything' }).click();
  await page.getByRole('textbox', { name: /To confirm/ }).fill('erase everything');
  await page.getByRole('dialog').getByRole('button', { name: 'Erase everything' }).click();
  await expect(page.getByText('Everything was erased.')).toBeVisible();
  expect(await everythingStored(page)).not.toContain(before.turns[0]!.text);

  await importFiles(page, [{ name: 'backup.skein', mimeType: 'application/octet-stream', buffer: backup }]);
  await dialog.getByRole('button', { name: /^Open the/ }).click();
  await ingested(page);
  const [restored] = await engine(page, ({ engine }) => engine.listThreads());
  expect(await contents(restored!.id)).toEqual(before);
  await expect(page.getByRole('heading', { name: question })).toBeVisible();
});

test('a file of no known format says so and stores nothing', async ({ openSite }) => {
  const page = await openSite();
  const notes = { name: 'numbers.csv', mimeType: 'text/csv', buffer: Buffer.from('a,b\n1,2\n') };
  await importFiles(page, [
    notes,
    { ...notes, name: 'package.json', buffer: Buffer.from(repositoryFile('package.json')) },
  ]);
  const dialog = page.locator('skein-import-dialog dialog');
  await expect(dialog.getByText('No message could be imported')).toBeVisible();
  await expect(dialog).toContainText('numbers.csv');
  expect(await engine(page, ({ engine }) => engine.listThreads())).toEqual([]);
});
