import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { ask, engine, importFiles, ingested, recalled, threadOf } from './person.ts';
import { exportOf, longExport, smallThread } from './threads.ts';

/** How many turns of the open thread have been read into memory. */
async function progress(page: Page): Promise<number> {
  const id = threadOf(page);
  return (await engine(page, ({ engine }) => engine.listThreads())).find((thread) => thread.id === id)!
    .ingested;
}

/** The episodes of a thread as pairs of first turn and turn after the last. */
function spans(page: Page): Promise<number[][]> {
  return engine(
    page,
    async ({ engine }, id) => (await engine.listEpisodes(id)).map(({ start, end }) => [start, end]),
    threadOf(page),
  );
}

function expectPartition(spans: readonly number[][], turns: number): void {
  expect(spans[0]![0]).toBe(0);
  expect(spans.at(-1)![1]).toBe(turns);
  expect(spans.slice(1).map(([start]) => start)).toEqual(spans.slice(0, -1).map(([, end]) => end));
}

test('a tab closed in the middle of reading loses no turn and goes on when it is opened again', async ({
  openSite,
  site,
  context,
}, info) => {
  const page = await openSite();
  const { file, turns } = longExport(400);
  await importFiles(page, [file], 'Long');
  await page.getByRole('button', { name: 'Open the thread' }).click();
  await expect(page.getByText('Reading into memory', { exact: true })).toBeVisible();
  await expect.poll(() => progress(page), { timeout: 90_000 }).toBeGreaterThan(30);
  const address = page.url();
  await page.close();

  const again = await context.newPage();
  // Kept by the page itself, so that they are those of this very run: reported below, not judged.
  await again.addInitScript(() => {
    const kept: number[] = [];
    Object.assign(window, { longTasks: kept });
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) kept.push(Math.round(duration));
    }).observe({ type: 'longtask', buffered: true });
  });
  await again.goto(address);
  await expect(again.getByRole('heading', { name: 'Long', level: 1 })).toBeVisible();
  const stored = await engine(again, ({ engine }, id) => engine.readTurns(id, 0, 10_000), threadOf(again));
  expect(stored).toHaveLength(turns);
  expectPartition(await spans(again), await progress(again));
  expect(await progress(again)).toBeLessThan(turns);

  await again.getByRole('button', { name: 'Pause' }).click();
  await expect(again.getByText('Paused', { exact: true })).toBeVisible();
  const paused = await progress(again);
  await again.getByRole('button', { name: 'Resume' }).click();
  await expect.poll(() => progress(again), { timeout: 90_000 }).toBeGreaterThan(paused);
  await ingested(again, 150_000);
  expectPartition(await spans(again), turns);
  const longTasks = await again.evaluate(() => (window as unknown as { longTasks: number[] }).longTasks);
  const description = `${longTasks.length}, longest ${Math.max(0, ...longTasks)} ms`;
  info.annotations.push({ type: 'tasks over 50 ms while reading 400 turns', description });
  console.log(`Tasks over 50 ms in the page while reading: ${description}`);
  // What was embedded before the tab was closed is not embedded again, and no file was fetched twice.
  expect(site.requested.filter((path) => path.endsWith('.onnx'))).toHaveLength(1);
});

test('the death of a worker rejects what is pending, and the next call works', async ({ openSite }) => {
  const page = await openSite();
  const records = smallThread();
  await importFiles(page, [exportOf(records)], 'Short');
  await page.getByRole('button', { name: 'Open the thread' }).click();
  await ingested(page);

  const pending = engine(
    page,
    ({ engine }, id) =>
      // Read again and again, so that a call is pending whenever the worker dies.
      (async () => {
        for (;;) await engine.readTurns(id, 0, 100);
      })().catch((error: { code: string; message: string; remedy: string }) => ({
        code: error.code,
        message: error.message,
        remedy: error.remedy,
      })),
    threadOf(page),
  );
  let rejected = false;
  void pending.then(() => {
    rejected = true;
  });
  // Listened for from the start, since it goes by itself.
  const told = page.getByText('The engine had stopped and was started again.').first().waitFor();
  // Where it died between two calls, the next one started it anew, and it has to die again.
  while (!rejected) {
    const worker = page.workers().findLast((each) => each.url().includes('engine.worker'));
    void worker?.evaluate(() => self.close()).catch(() => {});
    await Promise.race([pending, page.waitForTimeout(2_000)]);
  }
  expect(await pending).toEqual({
    code: 'worker-died',
    message: expect.stringContaining('engine worker stopped'),
    remedy: expect.stringContaining('Try again'),
  });
  await told;
  await expect(recalled(await ask(page, records[2]!.query), 1)).toContainText(/hut|sheets|blankets/);
});
