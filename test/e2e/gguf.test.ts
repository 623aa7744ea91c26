import { basename } from 'node:path';
import { expect, test } from './fixtures.ts';
import { choose, engine, field, ingested, startThread, threadOf } from './person.ts';

// Needs a file that nobody ships (docs/local-models.md): SKEIN_GGUF=path npx playwright test test/e2e/gguf.test.ts
const FILE = process.env.SKEIN_GGUF;

const SAID = [
  'The spare key of the garden house is under the blue flowerpot.',
  'Noted: the spare key is under the blue flowerpot.',
];

test('a GGUF file answers in the built site under its policy, also offline, and nothing of it is fetched before', async ({
  openSite,
  site,
  context,
}) => {
  test.skip(!FILE, 'SKEIN_GGUF names no file');
  test.setTimeout(600_000);
  const page = await openSite();
  await startThread(page, 'Garden house');
  const turns = SAID.map((text, i) => ({ role: i === 0 ? ('user' as const) : ('model' as const), text }));
  await engine(page, ({ engine }, { id, turns }) => engine.append(id, turns), { id: threadOf(page), turns });
  await ingested(page);

  await choose(page, 'Ask');
  await page.getByRole('link', { name: 'Answers by: Recall only. Choose a model' }).click();
  const chooser = page.waitForEvent('filechooser');
  await page.getByText('Choose files').click();
  await (await chooser).setFiles(FILE!);
  await page.getByRole('button', { name: /^Use .*\(.*\)/ }).click({ timeout: 60_000 });
  const runtime = () => site.requested.filter((path) => path.startsWith('runtime/llama-'));
  expect(runtime()).toEqual([]);
  await page.getByRole('link', { name: 'Settings' }).click();
  await page.getByRole('radio', { name: 'Short' }).check();
  await page.getByRole('link', { name: 'Garden house' }).click();

  const about = page.getByRole('region', { name: 'About this answer' });
  const ask = async (question: string, nth: number) => {
    await field(page).fill(question);
    await field(page).press('Enter');
    await expect(about).toHaveCount(nth, { timeout: 240_000 });
    await about.last().locator('summary').click();
    await expect(about.last()).toContainText('llama.cpp');
    console.log(basename(FILE!), ((await about.last().textContent()) ?? '').replace(/\s+/g, ' '));
  };
  await choose(page, 'Ask');
  await ask('Where is the spare key of the garden house?', 1);
  expect(runtime()).toEqual(
    expect.arrayContaining([expect.stringMatching(/main\.js$/), expect.stringMatching(/\.wasm$/)]),
  );

  await context.setOffline(true);
  await page.reload();
  await choose(page, 'Ask');
  await ask('What is under the flowerpot?', 2);
});
