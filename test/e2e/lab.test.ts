import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { loadPool } from '../../scripts/bundled-pools.ts';
import { buildPackage } from '../../src/bench/builder.ts';
import type { JournalEntry } from '../../src/bench/journal.ts';
import { compareResults } from '../../src/bench/lab/compare-results.ts';
import type { BenchResult, QuestionTiming } from '../../src/bench/result.ts';
import { readResult, withoutTimings } from '../../src/bench/result-files.ts';
import { runBench } from '../../src/bench/runner.ts';
import { createCachedEmbedder } from '../../src/embed/node/cached-embedder.ts';
import { findSystem } from '../../src/systems/registry.ts';
import { expect, test } from './fixtures.ts';

const SYSTEMS = ['standard-rag', 'bm25-256', 'bm25-320', 'skein'];

/** The journal that the browser keeps of the run under way. */
function journal(page: Page): Promise<JournalEntry[]> {
  return page.evaluate(async () => {
    const done = <R>(request: IDBRequest<R>) =>
      new Promise<R>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
      });
    const database = await done(indexedDB.open('skein-lab'));
    const entries = await done(database.transaction('journal').objectStore('journal').getAll());
    database.close();
    return entries as JournalEntry[];
  });
}

/** Reloads from within the page as soon as so many questions are answered: from outside it would come too late. */
async function reloadBehind(page: Page, questions: number): Promise<void> {
  const reloaded = page.waitForEvent('load', { timeout: 600_000 });
  await page.evaluate((questions) => {
    const opening = indexedDB.open('skein-lab');
    opening.onsuccess = () => {
      const look = () => {
        const reading = opening.result.transaction('journal').objectStore('journal').getAll();
        reading.onsuccess = () => {
          const answered = (reading.result as JournalEntry[]).filter(({ kind }) => kind === 'question');
          if (answered.length > questions) location.reload();
          else setTimeout(look, 10);
        };
      };
      look();
    };
  }, questions);
  await reloaded;
}

async function exportJson(page: Page): Promise<{ path: string; result: BenchResult }> {
  await page.getByRole('button', { name: 'Export' }).click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'JSON, everything' }).click(),
  ]);
  const path = await download.path();
  return { path, result: readResult(await readFile(path, 'utf8'), download.suggestedFilename()) };
}

/** The same run in Node, as the command line does it. */
async function runInNode(): Promise<BenchResult> {
  const pkg = await buildPackage(await loadPool('scaleqa-dev', undefined), {
    target: 32_000,
    arrangement: 'blocks',
    seed: 1,
    masked: false,
    selection: { count: 50, seed: 1 },
  });
  return runBench(pkg, {
    systems: SYSTEMS.map(findSystem),
    embedder: await createCachedEmbedder({ cache: true, threads: 1 }),
    engine: 'skein 0.1.0',
    machine: 'Node',
  });
}

/** A timing tells one asking of a question from another: it is hardly ever the same twice. */
function askings(timings: readonly QuestionTiming[]): string[] {
  return timings.map(({ batch, id, mode, retrieveMs }) => `${batch}/${id}/${mode}: ${retrieveMs}`);
}

test('the lab runs 50 questions, 4 systems and 32k tokens, over a reload, to the figures that Node has', async ({
  openSite,
  context,
  site,
}, info) => {
  test.setTimeout(900_000);
  const page = await openSite();
  await expect(page.getByRole('button', { name: 'Load the demo thread' })).toBeVisible();
  const loaded = await page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name));
  expect(loaded.filter((name) => /lab/.test(name))).toEqual([]);

  await page.getByRole('link', { name: 'Lab' }).click();
  await expect(page.getByText('300, 300 with options')).toBeVisible();
  await expect(page.getByText('One thread, 1,130 turns, 31,947 tokens. 50 questions')).toBeVisible();
  // TSIM would embed summaries, which takes minutes on two cores: the replay's test runs it in the browser.
  await page.getByRole('checkbox', { name: /^TSIM, fitted/ }).uncheck();
  await page.getByRole('checkbox', { name: /^TSIM Episodes/ }).uncheck();
  await page.getByRole('checkbox', { name: /^Standard RAG/ }).check();
  await page.getByRole('checkbox', { name: /^Windows of 320, BM25/ }).check();
  const begun = Date.now();
  await page.getByRole('button', { name: 'Start the run' }).click();
  await page.waitForURL(/#\/lab\/run\//);

  // Behind the first two systems, and before the last is through.
  await reloadBehind(page, 203);
  await expect(page.getByText('The page was closed in the middle.')).toBeVisible();
  const before = await journal(page);
  for (const through of [/^Standard RAG/, /^Windows of 256, BM25/]) {
    await expect(page.getByRole('row', { name: through })).toContainText('100 of 100');
  }
  await page.getByRole('button', { name: 'Resume' }).click();
  await expect(page.getByRole('table')).toContainText('Recall@5', { timeout: 600_000 });
  info.annotations.push({ type: 'seconds', description: String((Date.now() - begun) / 1000) });

  const { path, result } = await exportJson(page);
  expect(result.systems.map(({ name, questions }) => [name, questions.length])).toEqual(
    SYSTEMS.map((name) => [name, 100]),
  );
  // What was asked before the reload was not asked again.
  const kept = before.flatMap((entry) => (entry.kind === 'question' ? [entry.timing] : []));
  const all = askings(result.timings.systems.flatMap(({ questions }) => questions));
  expect(kept.length).toBeGreaterThan(200);
  expect(kept.length).toBeLessThan(400);
  expect(all).toEqual(expect.arrayContaining(askings(kept)));
  for (const large of ['model_int8.onnx', 'ort-wasm-simd-threaded.wasm']) {
    expect(site.requested.filter((file) => file.endsWith(large)).length).toBeLessThanOrEqual(1);
  }

  const node = await runInNode();
  expect(result.package.hash).toBe(node.package.hash);
  const differences = compareResults(result, node);
  expect(differences).toHaveLength(8);
  const same = differences.reduce((sum, { sameUnits }) => sum + sameUnits, 0);
  const report = `${same} of 400 retrievals have the same units in the browser and in Node`;
  info.annotations.push({ type: 'browser and Node', description: report });
  console.log(`${report}; the run took ${((Date.now() - begun) / 1000).toFixed(0)} s.`);
  for (const { first, second } of differences) expect(Math.abs(first - second)).toBeLessThanOrEqual(0.02);
  expect(same).toBeGreaterThanOrEqual(390);

  await page.getByRole('link', { name: 'Questions' }).click();
  await page.locator('skein-lab-questions tbody a').first().click();
  await expect(page.locator('skein-lab-unit mark').first()).toBeVisible();

  await page.getByRole('link', { name: 'Lab' }).first().click();
  await page.locator('#result').setInputFiles(path);
  await page.waitForURL(/#\/lab\/run\//);
  await expect(page.getByRole('table')).toContainText('Recall@5');
  const again = await exportJson(page);
  expect(withoutTimings(again.result)).toBe(withoutTimings(result));

  await page.getByRole('link', { name: 'Lab' }).first().click();
  for (const box of await page.locator('skein-lab-runs input[type=checkbox]').all()) await box.check();
  await page.getByRole('button', { name: 'Compare 2' }).click();
  await expect(page.getByText('Every question retrieved the same units in the same order.')).toBeVisible();
  expect(context.pages()).toHaveLength(1);
});
