import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { expect, test } from './fixtures.ts';
import { ask, field, openDemo, recalled, startThread, typeTurns } from './person.ts';
import { SITE_FOLDER } from './site.ts';

const built = (path: string) => readFileSync(`${SITE_FOLDER}/${path}`, 'utf8');

/** Tries what the policy forbids: to run a text as a program. Later, since the test's own call may do so. */
function runText(): Promise<string> {
  return new Promise((resolve) =>
    setTimeout(() => {
      try {
        resolve(String(new Function('return "ran"')()));
      } catch (error) {
        resolve((error as Error).name);
      }
    }),
  );
}

test('a new version waits until the person reloads, and then serves every tab', async ({
  openSite,
  context,
  site,
}) => {
  const page = await openSite();
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  const second = await context.newPage();
  await second.goto(site.url);

  const html = (response: ServerResponse) => {
    response.setHeader('content-type', 'text/html');
    response.end(built('index.html').replace('<html lang="en">', '<html lang="en" data-version="2">'));
  };
  site.answers.set('', html);
  site.answers.set('index.html', html);
  site.answers.set('service-worker.js', (response) => {
    const script = built('service-worker.js').replace(
      /"revision":"\w+"(?=,"url":"index\.html")/,
      '"revision":"2"',
    );
    response.setHeader('content-type', 'text/javascript');
    response.end(script);
  });
  const version = () => document.documentElement.dataset.version ?? '1';

  await page.reload();
  await expect(page.getByText('A new version of Skein is ready.')).toBeVisible();
  expect(await page.evaluate(version)).toBe('1');
  await page.reload();
  expect(await page.evaluate(version)).toBe('1');

  const reloaded = second.waitForEvent('load');
  await page.getByRole('button', { name: 'Reload', exact: true }).click();
  await reloaded;
  await expect.poll(() => page.evaluate(version).catch(() => '')).toBe('2');
  await expect.poll(() => second.evaluate(version).catch(() => '')).toBe('2');
  await expect(page.getByText('A new version of Skein is ready.')).toHaveCount(0);
});

test('a missing file is never answered with the page, nor kept', async ({ openSite, problems }) => {
  problems.allow(/Failed to load resource.*404/);
  const page = await openSite();
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  for (const path of [
    'models/none/config.json',
    'runtime/none.wasm',
    'demo/none.json',
    'packages/none.jsonl',
  ]) {
    const status = await page.evaluate(async (path) => (await fetch(path)).status, path);
    expect(status, path).toBe(404);
  }
  const kept = await page.evaluate(async () => {
    const found: string[] = [];
    for (const name of await caches.keys()) {
      const cache = await caches.open(name);
      for (const { url } of await cache.keys()) {
        const response = await cache.match(url);
        const isPage = (await response!.clone().text()).trimStart().toLowerCase().startsWith('<!doctype');
        if (isPage) found.push(new URL(url).pathname);
      }
    }
    return found;
  });
  expect(kept).toEqual(['/skein/index.html']);
});

test.describe('a plain static host, without any header', () => {
  test.use({ ownSite: { headers: false } });

  test('works on one thread, under the policy of the page, and offline', async ({
    openSite,
    site,
    context,
    problems,
  }) => {
    problems.allow(/policy violation: script-src eval|unsafe-eval/);
    const page = await openSite();
    expect(await page.evaluate(() => crossOriginIsolated)).toBe(false);
    await openDemo(page);
    const question = 'What goes into the bowl of a dog that was sick?';
    await expect(recalled(await ask(page, question), 1)).toBeVisible();
    expect(await page.evaluate(runText)).toBe('EvalError');

    await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
    await site.close();
    await context.setOffline(true);
    await page.reload();
    await startThread(page, 'Offline');
    await typeTurns(page, ['Written without a network.']);
    await expect(field(page)).toBeEnabled();
    // A worker that comes from the service worker has the policy as a header.
    const worker = page.workers().find((each) => each.url().includes('engine.worker'))!;
    expect(await worker.evaluate(runText)).toBe('EvalError');
  });
});
