import { readFile } from 'node:fs/promises';
import { createCachedEmbedder } from '../../src/embed/node/cached-embedder.ts';
import { DEFAULT_CONDITIONS, findCondition } from '../../src/replay/conditions.ts';
import { readCorpus } from '../../src/replay/corpus-reader.ts';
import { DEFAULT_WINDOW } from '../../src/replay/lab/service.ts';
import { ledger } from '../../src/replay/report.ts';
import { replay } from '../../src/replay/runner.ts';
import { WORKED_EXAMPLE } from '../unit/replay/support.ts';
import { expect, test } from './fixtures.ts';

const CORPUS = WORKED_EXAMPLE.map((line) => JSON.stringify(line)).join('\n');

test('A corpus of one’s own is replayed in the built site, to the same bytes as headless', async ({
  openSite,
}) => {
  const page = await openSite('#/lab/replay');
  await expect(page.getByText('40 probes')).toBeVisible();
  await page
    .getByLabel(/^Another corpus/)
    .setInputFiles({ name: 'mine.jsonl', mimeType: 'application/jsonl', buffer: Buffer.from(CORPUS) });
  await expect(page.getByText('3 probes')).toBeVisible();
  await page.getByRole('button', { name: 'Replay', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Score by checkpoint, app' })).toBeVisible();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export the ledger' }).click(),
  ]);
  const result = await replay(await readCorpus(CORPUS, 'mine.jsonl'), {
    conditions: DEFAULT_CONDITIONS.map(findCondition),
    embedder: await createCachedEmbedder({ cache: true, threads: 1 }),
    queryEffects: 'apply',
    window: DEFAULT_WINDOW,
    engine: 'skein 0.1.0',
  });
  expect(await readFile(await download.path(), 'utf8')).toBe(ledger(result));
});
