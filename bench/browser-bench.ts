/**
 * The product as built, in real Chromium with the real model and IndexedDB: a long thread is ingested with a pause,
 * reopened and asked. Turns come from the pools in public/packages and from `--noise FILE` (JSON lines with
 * `dialogue`, packed or not).
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { type BrowserContext, chromium, type Page } from 'playwright';
import { type PreviewServer, preview } from 'vite';
import type { EngineApi, EngineEvent } from '../src/engine/contract.ts';
import { chromiumLaunch } from '../test/chromium.ts';

const THREAD_TURNS = 10_000;
const SMALL_THREAD_TURNS = 6_000;
const ASKS = 100;
const PAUSE_AT = 0.2;

export interface BrowserBenchOptions {
  /** More turns than the pools have. */
  readonly noise?: string;
}

/** Milliseconds in the engine worker from a question's vector to what is recalled, over the bench's questions. */
export interface RankTimes {
  readonly turns: number;
  readonly least: number;
  readonly median: number;
  readonly p95: number;
}

/** The same thread and questions in two configurations. */
export interface RecallBench {
  readonly skein: RankTimes;
  readonly tsim: RankTimes;
}

export interface BrowserBench {
  readonly turns: number;
  readonly ingestSeconds: number;
  readonly turnsASecond: number;
  readonly pausedAtTurn: number;
  readonly episodes: number;
  /** Longest time that the page's own thread was busy without a break during ingest, and how many passed 50 ms. */
  readonly longestTaskMs: number;
  readonly longTasks: number;
  /** The first question after reopening: opening the memory, embedding, ranking and storing the question. */
  readonly firstAsk: { readonly total: number; readonly embedding: number; readonly beyond: number };
  readonly rank: Record<string, RankTimes>;
  readonly firstLoadScriptGzipBytes: number;
  readonly storedBytes: number;
  readonly crossOriginIsolated: boolean;
}

type Role = 'user' | 'model';
interface WithDialogue {
  readonly dialogue: readonly (readonly [Role, string])[];
}
declare global {
  var skein: EngineApi;
}

/** Runs against `dist`, which must be built. */
export function benchBrowser({ noise }: BrowserBenchOptions): Promise<BrowserBench> {
  return inBrowser(async (context, server) =>
    run(context, server, await readTurns(noise), await readQuestions()),
  );
}

/** The smaller thread alone, and nothing but what its recalls take, in each configuration. */
export function benchRecall({ noise }: BrowserBenchOptions): Promise<RecallBench> {
  return inBrowser(async (context, server) => {
    const page = await openPage(context, server.resolvedUrls!.local[0]!);
    const turns = (await readTurns(noise)).slice(0, SMALL_THREAD_TURNS);
    const questions = await readQuestions();
    const thread = await importThread(page, turns);
    await page.evaluate(waitForIngest, thread);
    const own = await rankTimes(page, thread, questions);
    await page.evaluate((id) => skein.configureThread(id, 'tsim'), thread);
    await page.evaluate(waitForIngest, thread);
    return { skein: own, tsim: await rankTimes(page, thread, questions) };
  });
}

async function inBrowser<T>(
  bench: (context: BrowserContext, server: PreviewServer) => Promise<T>,
): Promise<T> {
  const server = await preview({ preview: { port: 4199, host: '127.0.0.1' }, logLevel: 'error' });
  const profile = await mkdtemp(join(tmpdir(), 'skein-bench-'));
  const context = await chromium.launchPersistentContext(profile, { headless: true, ...chromiumLaunch() });
  // tsx wraps named functions in a helper that the page does not have.
  await context.addInitScript('globalThis.__name = (f) => f;');
  try {
    return await bench(context, server);
  } finally {
    await context.close();
    await server.close();
    await rm(profile, { recursive: true, force: true });
  }
}

async function run(
  context: BrowserContext,
  server: PreviewServer,
  turns: readonly (readonly [Role, string])[],
  questions: readonly string[],
): Promise<BrowserBench> {
  const url = server.resolvedUrls!.local[0]!;
  const scripts = await firstLoadScripts(context, url);
  const page = await openPage(context, url);
  const long = await importThread(page, turns.slice(0, THREAD_TURNS));
  const ingest = await watchIngest(page, long);
  const small = await importThread(page, turns.slice(0, SMALL_THREAD_TURNS));
  await page.evaluate(waitForIngest, small);
  const ranks = {
    long: await rankTimes(page, long, questions),
    small: await rankTimes(page, small, questions),
  };
  const episodes = await page.evaluate(async (id) => (await skein.listEpisodes(id)).length, long);
  const storedBytes = await page.evaluate(async () => (await skein.storage()).usedBytes);
  const isolated = await page.evaluate(() => crossOriginIsolated);
  const tiny = await importThread(page, turns.slice(0, 2));
  await page.evaluate(waitForIngest, tiny);
  await page.close();
  // A thread of two turns tells what embedding the same question takes by itself: words are looked up beside it.
  const { embedding } = await firstAsk(context, url, tiny, questions[0]!);
  const { total } = await firstAsk(context, url, long, questions[0]!);
  return {
    turns: Math.min(turns.length, THREAD_TURNS),
    ...ingest,
    episodes,
    firstAsk: { total, embedding, beyond: total - embedding },
    rank: ranks,
    firstLoadScriptGzipBytes: scripts,
    storedBytes,
    crossOriginIsolated: isolated,
  };
}

async function readTurns(noise: string | undefined): Promise<(readonly [Role, string])[]> {
  const turns: (readonly [Role, string])[] = [];
  for (const name of ['scaleqa-dev', 'noise-chats']) {
    const text = await readFile(new URL(`../public/packages/${name}.jsonl`, import.meta.url), 'utf8');
    turns.push(...dialoguesOf(text));
  }
  if (noise) {
    const bytes = await readFile(noise);
    turns.push(...dialoguesOf((noise.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8')));
  }
  return turns;
}

function dialoguesOf(jsonl: string): (readonly [Role, string])[] {
  return jsonl
    .trim()
    .split('\n')
    .flatMap((line) => (JSON.parse(line) as WithDialogue).dialogue);
}

async function readQuestions(): Promise<string[]> {
  const text = await readFile(new URL('../public/packages/scaleqa-dev.jsonl', import.meta.url), 'utf8');
  return text
    .trim()
    .split('\n')
    .slice(0, ASKS)
    .map((line) => (JSON.parse(line) as { query: string }).query);
}

/** Scripts of a first visit before anything is clicked, packed; the embed worker and the runtime are engines. */
async function firstLoadScripts(context: BrowserContext, url: string): Promise<number> {
  const page = await context.newPage();
  const bodies: Promise<number>[] = [];
  context.on('response', (response) => {
    const { pathname } = new URL(response.url());
    // What the service worker fetches ahead is no part of it.
    if (response.request().serviceWorker()) return;
    if (!/\.m?js$/.test(pathname) || /embed\.worker|\/runtime\/|\/sw\.js/.test(pathname)) return;
    bodies.push(response.body().then((body) => gzipSync(body).byteLength));
  });
  await page.goto(url);
  await page.waitForFunction(() => 'skein' in globalThis);
  await page.evaluate(() => skein.listThreads());
  context.removeAllListeners('response');
  const sizes = await Promise.all(bodies);
  await page.close();
  return sizes.reduce((sum, size) => sum + size, 0);
}

async function openPage(context: BrowserContext, url: string): Promise<Page> {
  const page = await context.newPage();
  await page.goto(url);
  await page.waitForFunction(() => 'skein' in globalThis);
  await page.evaluate(() => skein.listThreads());
  return page;
}

async function importThread(page: Page, turns: readonly (readonly [Role, string])[]): Promise<string> {
  const conversations = turns.map(([role, value]) => ({ from: role === 'user' ? 'human' : 'gpt', value }));
  const line = JSON.stringify({ id: 'bench', conversations });
  return page.evaluate(async (text) => {
    const file = new File([text], 'bench.jsonl');
    const { threadIds } = await skein.importFiles([file], { kind: 'one-thread', name: 'Bench' });
    return threadIds[0]!;
  }, line);
}

/** Ingests a thread with a pause on the way, and watches how long the page's thread is held up meanwhile. */
async function watchIngest(page: Page, threadId: string) {
  return page.evaluate(
    async ({ threadId, pauseAt }) => {
      const tasks: number[] = [];
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) tasks.push(entry.duration);
      }).observe({ entryTypes: ['longtask'] });
      const begun = performance.now();
      let pausedAtTurn = 0;
      let turns = 0;
      await new Promise<void>((resolve, reject) => {
        const listen = async (event: EngineEvent) => {
          if (!('threadId' in event) || event.threadId !== threadId) return;
          if (event.kind === 'ingest-failed') reject(new Error(event.message));
          if (event.kind === 'ingest-done') resolve();
          if (event.kind !== 'ingest') return;
          turns = event.progress.total;
          if (pausedAtTurn || event.paused || event.progress.done < pauseAt * turns) return;
          pausedAtTurn = event.progress.done;
          await skein.pauseIngest(threadId);
          await skein.resumeIngest(threadId);
        };
        void skein.subscribe((event) => void listen(event));
      });
      const ingestSeconds = (performance.now() - begun) / 1000;
      return {
        ingestSeconds,
        turnsASecond: turns / ingestSeconds,
        pausedAtTurn: Math.floor(pausedAtTurn),
        longestTaskMs: Math.max(0, ...tasks),
        longTasks: tasks.length,
      };
    },
    { threadId, pauseAt: PAUSE_AT },
  );
}

/** Rejects where nothing has been read for half a minute: a reading that failed does not begin again by itself. */
async function waitForIngest(threadId: string): Promise<void> {
  let idle = 0;
  for (;;) {
    const thread = (await skein.listThreads()).find(({ id }) => id === threadId)!;
    if (thread.ingested === thread.turns) return;
    idle = thread.ingesting ? 0 : idle + 1;
    if (idle > 150) throw new Error(`Reading stands still at turn ${thread.ingested} of ${thread.turns}.`);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

async function rankTimes(page: Page, threadId: string, questions: readonly string[]): Promise<RankTimes> {
  const times = await page.evaluate(
    async ({ threadId, questions }) => {
      const times: number[] = [];
      for (const question of questions) {
        const ask = await skein.ask(threadId, question);
        times.push(ask.rankMilliseconds!);
        await skein.removeAsk(threadId, ask.id);
      }
      return times;
    },
    { threadId, questions },
  );
  const turns = await page.evaluate(
    async (id) => (await skein.listThreads()).find((thread) => thread.id === id)!.turns,
    threadId,
  );
  times.sort((a, b) => a - b);
  return {
    turns,
    least: times[0]!,
    median: times[times.length >> 1]!,
    p95: times[Math.floor(times.length * 0.95)]!,
  };
}

/** The first question of a fresh page, asked once the model is there: what it takes, and until it is embedded. */
async function firstAsk(context: BrowserContext, url: string, threadId: string, question: string) {
  const page = await openPage(context, url);
  const times = await page.evaluate(
    async ({ threadId, question }) => {
      while ((await skein.embedderState()).kind !== 'ready') await new Promise((r) => setTimeout(r, 100));
      const begun = performance.now();
      const ask = await skein.ask(threadId, question);
      const total = performance.now() - begun;
      return { total, embedding: ask.milliseconds - ask.rankMilliseconds! };
    },
    { threadId, question },
  );
  await page.close();
  return times;
}
