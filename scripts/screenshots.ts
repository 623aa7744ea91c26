import { mkdir } from 'node:fs/promises';
import { chromium, type Page } from 'playwright';
import { createServer } from 'vite';
import { chromiumLaunch } from '../test/chromium.ts';

/**
 * Takes pictures of every view with the preview engine, on a desktop and a phone, light and dark:
 * `npx tsx scripts/screenshots.ts FOLDER [NAME...]`. They are for looking at and are never committed.
 */
const [folder = 'test-results/shots', ...only] = process.argv.slice(2);

interface Shot {
  readonly name: string;
  readonly url: string;
  act?(page: Page): Promise<void>;
}

const THREAD = '#/t/preview-1';

const shots: readonly Shot[] = [
  { name: 'welcome', url: '?preview=empty#/' },
  { name: 'thread', url: `?preview=1500${THREAD}` },
  { name: 'jump', url: `?preview=50000${THREAD}/turn/20000` },
  { name: 'ask', url: `?preview=1500${THREAD}`, act: askExample },
  { name: 'as-of', url: `?preview=1500${THREAD}`, act: chooseDay },
  { name: 'as-of-turn', url: `?preview=1500${THREAD}`, act: askAsOfTurn },
  { name: 'as-of-answer', url: `?preview=answers${THREAD}`, act: answerAsOfTurn },
  {
    name: 'add',
    url: `?preview=1500${THREAD}`,
    act: (page) => page.getByRole('radio', { name: 'Add to thread' }).click(),
  },
  { name: 'ingesting', url: `?preview=ingesting${THREAD}` },
  { name: 'reader', url: `?preview=reader${THREAD}` },
  {
    name: 'memory',
    url: `?preview=1500${THREAD}/memory`,
    act: (page) =>
      page
        .getByRole('button', { name: /^Turns [\d,]+–[\d,]+$/ })
        .nth(1)
        .click(),
  },
  {
    name: 'search',
    url: `?preview=1500${THREAD}/memory`,
    act: (page) => page.getByRole('searchbox').fill('sorrel late'),
  },
  {
    name: 'forget',
    url: `?preview=1500${THREAD}/memory`,
    act: (page) =>
      page
        .getByRole('button', { name: /^Forget/ })
        .first()
        .click(),
  },
  { name: 'erase', url: `?preview=1500${THREAD}/memory`, act: openErase },
  { name: 'import', url: `?preview=1500${THREAD}`, act: openImport },
  { name: 'imported', url: `?preview=1500${THREAD}`, act: finishImport },
  { name: 'models', url: '?preview=1500#/models' },
  { name: 'models-download', url: '?preview=1500#/models', act: downloadModels },
  { name: 'models-own', url: '?preview=1500#/models', act: openOwnModels },
  { name: 'models-end', url: '?preview=1500#/models', act: (page) => scrollTo(page, 'This device') },
  { name: 'settings', url: '?preview=1500#/settings' },
  {
    name: 'lab-start',
    url: '?preview=1500#/lab',
    act: (page) => page.getByRole('heading', { name: 'Lab' }).waitFor(),
  },
  { name: 'lab-systems', url: '?preview=1500#/lab', act: (page) => scrollTo(page, 'Systems') },
  { name: 'lab-bad', url: '?preview=1500#/lab', act: openBrokenPackage },
  { name: 'lab-run', url: '?preview=1500#/lab', act: startRun },
  { name: 'lab-table', url: '?preview=1500#/lab', act: finishRun },
  { name: 'lab-plots', url: '?preview=1500#/lab', act: (page) => openTab(page, 'Plots') },
  { name: 'lab-paired', url: '?preview=1500#/lab', act: openPairs },
  { name: 'lab-questions', url: '?preview=1500#/lab', act: (page) => openTab(page, 'Questions') },
  { name: 'lab-question', url: '?preview=1500#/lab', act: openQuestion },
  { name: 'lab-unit', url: '?preview=1500#/lab', act: openUnits },
  { name: 'lab-compare', url: '?preview=1500#/lab', act: compareRuns },
  {
    name: 'settings-end',
    url: '?preview=1500#/settings',
    act: (page) => page.getByRole('button', { name: 'Erase everything' }).scrollIntoViewIfNeeded(),
  },
];

const scrollTo = (page: Page, text: string) =>
  page
    .getByText(text, { exact: true })
    .last()
    .evaluate((element) => element.scrollIntoView());

async function openBrokenPackage(page: Page): Promise<void> {
  await page.getByRole('radio', { name: 'Own files' }).check();
  const record = {
    id: 'a',
    dialogue: [['user', 'The gate code is 4417.']],
    query: 'Which code?',
    answer: 'B',
  };
  const lines = [
    JSON.stringify({ ...record, expected_doc: ['The gate code is 4417.'] }),
    '{"id": "b", "dialogue": [',
    JSON.stringify({ ...record, id: 'c', expected_doc: ['The gate code is 9999.'] }),
    JSON.stringify({ ...record, id: 'd', answer: 'F', expected_doc: ['The gate code is 4417.'] }),
  ];
  await page.locator('#files').setInputFiles({
    name: 'own.jsonl',
    mimeType: 'application/jsonl',
    buffer: Buffer.from(lines.join('\n')),
  });
  await page.getByText('The rest runs').waitFor();
  await page.getByText('Where', { exact: true }).click();
}

async function startRun(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Start the run' }).click();
  await page.waitForURL(/#\/lab\/run/);
  await page.waitForTimeout(300);
}

async function finishRun(page: Page): Promise<void> {
  await page.locator('skein-lab-setup').waitFor();
  await page.waitForTimeout(300);
  const known = page.locator('skein-lab-runs li a');
  if ((await known.count()) > 0) await known.last().click();
  else await startRun(page);
  await page.locator('skein-lab-run .actions').waitFor();
  const resume = page.getByRole('button', { name: 'Resume' });
  if (await resume.isVisible()) await resume.click();
  await page.getByRole('link', { name: 'Plots' }).waitFor({ timeout: 60_000 });
}

async function openTab(page: Page, name: string): Promise<void> {
  await finishRun(page);
  await page.getByRole('link', { name }).click();
}

async function openPairs(page: Page): Promise<void> {
  await openTab(page, 'Plots');
  await scrollTo(page, 'Paired difference');
}

async function openQuestion(page: Page): Promise<void> {
  await openTab(page, 'Questions');
  await page.locator('skein-lab-questions tbody a').nth(4).click();
}

async function openUnits(page: Page): Promise<void> {
  await openQuestion(page);
  await page.locator('.sides').evaluate((element) => element.scrollIntoView());
}

async function compareRuns(page: Page): Promise<void> {
  await finishRun(page);
  await page.getByRole('link', { name: 'Lab', exact: true }).last().click();
  await page.getByLabel('Length').selectOption({ label: '16k tokens' });
  await page.waitForTimeout(900);
  await startRun(page);
  await page.getByRole('link', { name: 'Plots' }).waitFor({ timeout: 60_000 });
  await page.getByRole('link', { name: 'Lab', exact: true }).last().click();
  for (const box of await page.locator('skein-lab-runs input[type=checkbox]').all()) await box.check();
  await page.getByRole('button', { name: /^Compare/ }).click();
}

async function downloadModels(page: Page): Promise<void> {
  await page
    .getByRole('button', { name: /^Download Qwen2.5 0.5B/ })
    .first()
    .click();
  await page
    .getByRole('button', { name: /^Download SmolLM2 360M/ })
    .first()
    .click();
  await page.waitForTimeout(1500);
  await page.getByRole('button', { name: /^Pause the download of SmolLM2/ }).click();
  await page.getByRole('heading', { name: 'On this device' }).scrollIntoViewIfNeeded();
}

async function openOwnModels(page: Page): Promise<void> {
  await page.getByText('A server that speaks').click();
  await page.getByLabel('Address', { exact: true }).fill('http://localhost:8080');
  await scrollTo(page, 'Bring your own');
}

async function askExample(page: Page): Promise<void> {
  await page.getByRole('button', { name: /eleven minutes late/ }).click();
  await page.getByText('Recall only').first().waitFor();
}

async function chooseDay(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Ask as of a date' }).click();
  await page
    .getByLabel('End of the day')
    .fill(await page.getByLabel('End of the day').getAttribute('min').then(String));
  await page.getByText(/ of 1,500 turns/).waitFor();
}

async function askAsOfTurn(page: Page): Promise<void> {
  await setTurn(page);
  await askExample(page);
}

async function answerAsOfTurn(page: Page): Promise<void> {
  await setTurn(page);
  await page.getByRole('button', { name: /eleven minutes late/ }).click();
  await page.getByRole('button', { name: 'Copy', exact: true }).waitFor({ timeout: 60_000 });
  await page.getByText(/those said up to/).scrollIntoViewIfNeeded();
}

async function setTurn(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Ask as of a date' }).click();
  await page.getByLabel('Or up to turn').fill('1490');
  await page.getByRole('button', { name: 'Set', exact: true }).click();
}

async function openErase(page: Page): Promise<void> {
  await page
    .getByRole('button', { name: /: more$/ })
    .nth(1)
    .click();
  await page.getByRole('button', { name: 'Erase episode' }).click();
}

async function openImport(page: Page): Promise<void> {
  const menu = page.getByRole('button', { name: 'Threads', exact: true });
  if (await menu.isVisible()) await menu.click();
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  await page.locator('#files').setInputFiles({
    name: 'conversations.json',
    mimeType: 'application/json',
    buffer: Buffer.alloc(36_000_00),
  });
}

async function finishImport(page: Page): Promise<void> {
  await openImport(page);
  await page.locator('dialog[open]').getByRole('button', { name: 'Import', exact: true }).click();
  await page.getByText('What was imported').waitFor();
}

const server = await createServer({ server: { port: 0 }, logLevel: 'error' });
await server.listen();
const origin = server.resolvedUrls!.local[0]!;
const browser = await chromium.launch(chromiumLaunch());
await mkdir(folder, { recursive: true });
for (const colorScheme of ['light', 'dark'] as const) {
  for (const [device, viewport] of [
    ['desktop', { width: 1280, height: 820 }],
    ['phone', { width: 390, height: 844 }],
  ] as const) {
    const context = await browser.newContext({ viewport, colorScheme, hasTouch: device === 'phone' });
    for (const shot of shots) {
      const file = `${shot.name}-${device}-${colorScheme}`;
      if (only.length > 0 && !only.some((part) => file.includes(part))) continue;
      const page = await context.newPage();
      page.setDefaultTimeout(8000);
      page.on('pageerror', (error) => console.error(file, error.message));
      page.on('console', (message) => message.type() === 'error' && console.error(file, message.text()));
      try {
        await page.goto(origin + shot.url);
        await page.locator('skein-app').waitFor({ timeout: 8000 });
        await page.waitForTimeout(500);
        await shot.act?.(page);
        await page.waitForTimeout(450);
      } catch (error) {
        console.error(file, error instanceof Error ? error.message.slice(0, 400) : error);
      }
      await page.screenshot({ path: `${folder}/${file}.png` });
      await page.close();
    }
    await context.close();
  }
}
await browser.close();
await server.close();
