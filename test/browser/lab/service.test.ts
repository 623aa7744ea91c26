import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { BuildPlan, LabEvent, RunPlan } from '../../../src/bench/lab/contract.ts';
import { eraseLab, LabDatabase } from '../../../src/bench/lab/lab-database.ts';
import { Pools } from '../../../src/bench/lab/pools.ts';
import { webLocks } from '../../../src/bench/lab/run-locks.ts';
import { LabService } from '../../../src/bench/lab/service.ts';
import { withoutTimings, writeResult } from '../../../src/bench/result-files.ts';
import type { Embedder } from '../../../src/embed/embedder.ts';
import { siteBase } from '../../../src/runtime/site.ts';
import { hashedWordsEmbedder } from '../../../src/ui/preview/preview-lab.ts';
import { POOL_LINES, poolRequest } from './small-pool.ts';

const NAME = 'skein-lab-test';
const BUILD: BuildPlan = {
  target: undefined,
  arrangement: 'blocks',
  masked: false,
  seed: 1,
  selection: undefined,
};
const PLAN: RunPlan = {
  systems: ['standard-rag', 'skein'],
  modes: ['query', 'query+options'],
  writeBack: false,
  model: 'hashed-words',
};
/** 2 systems, 4 questions, 2 conditions. */
const RETRIEVALS = 16;

const databases: LabDatabase[] = [];

/** A lab as after a page load; all of a test share the database. */
function openLab(embedder: Embedder = hashedWordsEmbedder()): LabService {
  return new LabService({
    database: async () => {
      const database = await LabDatabase.open(NAME);
      databases.push(database);
      return database;
    },
    pools: new Pools(siteBase()),
    locks: webLocks,
    engine: 'test',
    machine: 'here',
    openAnswerEngine: async () => {
      throw new Error('No run here has answers.');
    },
    openEmbedder: async () => embedder,
  });
}

/** Resolves when the run's state is `kind`. */
async function reached(lab: LabService, id: string, kind: string): Promise<void> {
  await expect
    .poll(async () => (await lab.listRuns()).find((run) => run.id === id)?.state.kind, { timeout: 10_000 })
    .toBe(kind);
}

async function runThrough(lab: LabService): Promise<string> {
  const id = await lab.startRun(poolRequest(), BUILD, PLAN);
  await reached(lab, id, 'done');
  return id;
}

beforeEach(() => eraseLab(NAME));
afterEach(async () => {
  vi.restoreAllMocks();
  for (const database of databases.splice(0)) database.close();
});

test('A package is read, counted and built, what is wrong in it named, and the rest runs', async () => {
  const lab = openLab();
  const broken = [
    '{"id": "broken", ',
    JSON.stringify({ ...JSON.parse(POOL_LINES[0]!), id: 'lost', expected_doc: ['Never said.'] }),
  ];
  const request = poolRequest([...POOL_LINES, ...broken]);
  const pool = await lab.readPackage(request);
  expect(pool).toMatchObject({
    name: 'small',
    questions: 4,
    withOptions: 4,
    problemCounts: { unreadable: 1, 'evidence-not-found': 1 },
  });
  expect(pool.topics).toEqual([
    { name: 'Daily-Life', questions: 2 },
    { name: 'Legal', questions: 2 },
  ]);
  expect(pool.problems.map(({ place }) => place)).toEqual(['small.jsonl, line 5', 'question lost']);
  const built = await lab.buildPackage(request, { ...BUILD, selection: { topics: ['Legal'], seed: 1 } });
  expect(built.batches.map(({ questions, turns }) => [questions, turns])).toEqual([[2, 4]]);
});

test('What can not be a package is refused with its reason', async () => {
  const lab = openLab();
  await expect(lab.readPackage(poolRequest(['hello']))).rejects.toMatchObject({ code: 'unknown-format' });
  const nowhere = (url: string) => lab.readPackage({ ...poolRequest(), source: { kind: 'url', url } });
  await expect(nowhere('not an address')).rejects.toMatchObject({ code: 'bad-argument' });
  await expect(nowhere('http://127.0.0.1:9/pool.jsonl')).rejects.toMatchObject({
    code: 'offline',
    remedy: expect.stringContaining('drop it here'),
  });
  const empty: RunPlan = { ...PLAN, systems: [] };
  await expect(lab.startRun(poolRequest(), BUILD, empty)).rejects.toMatchObject({ code: 'bad-argument' });
  expect(await lab.listRuns()).toEqual([]);
});

test('A run ends in a result with every retrieval, and tells its progress', async () => {
  const lab = openLab();
  const events: LabEvent[] = [];
  await lab.subscribe((event) => events.push(event));
  const id = await runThrough(lab);
  const result = await lab.readResult(id);
  expect(result.systems.map(({ name, questions }) => [name, questions.length])).toEqual([
    ['standard-rag', 8],
    ['skein', 8],
  ]);
  const [run] = await lab.listRuns();
  expect(run).toMatchObject({
    total: 8,
    done: { 'standard-rag': 8, skein: 8 },
    package: { hash: result.package.hash },
  });
  const ends = events.flatMap((event) =>
    event.kind === 'progress' && event.progress.phase === 'ask' && event.progress.progress.done === 8
      ? [event.progress.system]
      : [],
  );
  expect(ends).toEqual(['standard-rag', 'skein']);
  const { turns } = await lab.readThread(result.package.hash, result.questions[0]!.batch);
  expect(turns).toHaveLength(8);
});

test('A run goes on after a pause and after a crash, repeats nothing, and ends as one in one piece', async () => {
  const whole = openLab();
  const expected = withoutTimings(await whole.readResult(await runThrough(whole)));

  const written = vi.spyOn(LabDatabase.prototype, 'putJournalEntry');
  const asked = () => written.mock.calls.filter(([, , entry]) => entry.kind === 'question').length;
  const first = openLab();
  const id = await first.startRun(poolRequest(), BUILD, PLAN);
  await expect.poll(asked, { interval: 1 }).toBeGreaterThan(2);
  await first.pauseRun(id);
  const before = asked();
  expect(before).toBeLessThan(RETRIEVALS);
  expect((await first.listRuns())[0]).toMatchObject({ state: { kind: 'paused' } });

  // As a worker that dies: its embedder never answers, and its locks go with it.
  const locks = vi.spyOn(webLocks, 'hold').mockResolvedValue(() => {});
  const dying = openLab({ ...hashedWordsEmbedder(), embed: () => new Promise(() => {}) });
  vi.spyOn(LabDatabase.prototype, 'vectors').mockImplementation(async (keys) => keys.map(() => undefined));
  await dying.resumeRun(id);
  expect((await dying.listRuns())[0]).toMatchObject({ state: { kind: 'running' } });
  locks.mockRestore();
  vi.mocked(LabDatabase.prototype.vectors).mockRestore();

  const last = openLab();
  expect((await last.listRuns())[0]).toMatchObject({ id, state: { kind: 'interrupted' } });
  await last.resumeRun(id);
  await reached(last, id, 'done');
  expect(asked()).toBe(RETRIEVALS);
  expect(withoutTimings(await last.readResult(id))).toBe(expected);
});

test('Vectors are made once for all systems and runs', async () => {
  const embedder = hashedWordsEmbedder();
  const embed = vi.spyOn(embedder, 'embed');
  const lab = openLab(embedder);
  await runThrough(lab);
  const texts = embed.mock.calls.flatMap(([own]) => own);
  expect(new Set(texts).size).toBe(texts.length);
  embed.mockClear();
  await runThrough(openLab(embedder));
  expect(embed).not.toHaveBeenCalled();
});

test('One run goes at a time, over all tabs; a failed one names what failed and can be tried again', async () => {
  const stuck: Embedder = { ...hashedWordsEmbedder(), embed: () => new Promise(() => {}) };
  const busy = openLab({
    ...stuck,
    embed: (_, { signal }) =>
      new Promise((_, reject) => signal?.addEventListener('abort', () => reject(new Error('stopped')))),
  });
  const id = await busy.startRun(poolRequest(), BUILD, PLAN);
  const other = openLab();
  expect((await other.listRuns())[0]).toMatchObject({ state: { kind: 'running' } });
  await expect(other.startRun(poolRequest(), BUILD, PLAN)).rejects.toMatchObject({ code: 'read-only' });
  await busy.removeRun(id);
  expect(await other.listRuns()).toEqual([]);

  const failing = openLab({ ...stuck, embed: () => Promise.reject(new Error('the model is gone')) });
  const failed = await failing.startRun(poolRequest(), BUILD, PLAN);
  await reached(failing, failed, 'failed');
  const [run] = await failing.listRuns();
  expect(run!.state).toMatchObject({ failure: { message: expect.stringContaining('the model is gone') } });
  const again = openLab();
  await again.resumeRun(failed);
  await reached(again, failed, 'done');
});

test('A result comes back from its file; a file that is none is refused', async () => {
  const lab = openLab();
  const result = await lab.readResult(await runThrough(lab));
  const id = await lab.importResult(new File([writeResult(result)], 'theirs.json'));
  expect(await lab.readResult(id)).toEqual(result);
  const imported = (await lab.listRuns()).find((run) => run.id === id);
  expect(imported).toMatchObject({
    name: 'theirs.json',
    origin: 'imported',
    total: 8,
    state: { kind: 'done' },
  });
  for (const text of ['no json', '{}', '{"format":"skein-scaleqa-result","version":1}']) {
    await expect(lab.importResult(new File([text], 'odd.json'))).rejects.toMatchObject({
      code: 'bad-file',
      message: expect.stringContaining('odd.json'),
    });
  }
});

test('Removing a run keeps the package while another run has it; erasing ends the lab’s storage', async () => {
  const lab = openLab();
  const [first, second] = [await runThrough(lab), await runThrough(lab)];
  const { package: about, questions } = await lab.readResult(first);
  await lab.removeRun(first);
  await expect(lab.readResult(first)).rejects.toMatchObject({ code: 'not-found' });
  await lab.readThread(about.hash, questions[0]!.batch);
  await lab.removeRun(second);
  await expect(lab.readThread(about.hash, questions[0]!.batch)).rejects.toMatchObject({ code: 'not-found' });
  await eraseLab(NAME);
  await expect(lab.listRuns()).rejects.toMatchObject({ code: 'storage-closed' });
});
