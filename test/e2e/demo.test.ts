import { expect, test } from './fixtures.ts';
import { ask, askForRank, engine, field, openDemo, recalled, threadOf } from './person.ts';
import { type PoolRecord, pool, repositoryFile } from './threads.ts';

interface World {
  readonly questions: readonly { readonly query: string; readonly evidence: readonly { text: string }[] }[];
}

/** The texts that decide a question of the pools that the demo thread is made of. */
function evidenceOf(question: string): readonly string[] {
  const record = pool<PoolRecord>('scaleqa-dev').find(({ query }) => query === question);
  if (record) return record.expected_doc;
  const asked = pool<World>('worlds-dev').flatMap(({ questions }) => questions);
  return asked.find(({ query }) => query === question)!.evidence.map(({ text }) => text);
}

const demo: { questions: string[]; turns: { text: string }[] } = JSON.parse(
  repositoryFile('public/demo/thread.json'),
);

test.describe('the demo flow', () => {
  // A site of its own, since it goes away in the middle.
  test.use({ ownSite: {} });

  test('answers the example questions, survives a reload, and works offline', async ({
    openSite,
    context,
    site,
  }, info) => {
    const page = await openSite();
    await openDemo(page);
    const ranks: number[] = [];
    for (const question of demo.questions) {
      ranks.push(await askForRank(page, question, evidenceOf(question)));
    }
    info.annotations.push({ type: 'ranks of the deciding episode', description: ranks.join(' ') });
    console.log(`Ranks of the deciding episode: ${ranks.join(' ')}`);
    expect(ranks.filter((rank) => rank === 1 || rank === 2).length).toBeGreaterThanOrEqual(8);

    const listAsks = () => engine(page, ({ engine }, id) => engine.listAsks(id), threadOf(page));
    const kept = await listAsks();
    await page.reload();
    const last = page.locator('skein-ask').filter({ hasText: demo.questions.at(-1)! });
    await expect(recalled(last, 1)).toBeVisible();
    expect(await listAsks()).toEqual(kept);
    const [thread] = await engine(page, ({ engine }) => engine.listThreads());
    expect(thread).toMatchObject({
      turns: demo.turns.length,
      ingested: demo.turns.length,
      ingesting: false,
    });
    await page.goto(`${page.url()}/turn/1`);
    await expect(page.getByText(demo.turns[0]!.text)).toBeVisible();

    await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
    await site.close();
    await context.setOffline(true);
    await page.reload();
    await expect(field(page)).toBeEnabled();
    const offline = await ask(page, 'Is there anything about a bilge pump?');
    await expect(recalled(offline, 1)).toContainText(/pump/i);
    // Parts that are loaded when they are first shown.
    await page.getByRole('link', { name: 'Memory' }).click();
    await page.getByRole('searchbox').fill('Sable Wren');
    await expect(page.getByText(/turns? found/)).toBeVisible();
    await page.getByRole('link', { name: 'Settings' }).click();
    await expect(page.getByText('passed its self-test')).toBeVisible();
    for (const large of ['model_int8.onnx', 'ort-wasm-simd-threaded.wasm']) {
      expect(site.requested.filter((path) => path.endsWith(large))).toHaveLength(1);
    }
  });
});
