import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Progress } from '../../../src/core/progress.ts';
import { exportBackup, importBackup, isBackup } from '../../../src/store/backup.ts';
import { packLines } from '../../../src/store/backup-stream.ts';
import type { SkeinDatabase } from '../../../src/store/idb/database.ts';
import type { ThreadSnapshot } from '../../../src/store/records.ts';
import { STAMP, someAsk, someEpisode, someStep, someTurns, vectorOf } from '../../store-contract.ts';
import { linesIn } from '../../unit/store/lines-in.ts';
import { TestDatabase } from './fixture.ts';

let database: TestDatabase;
let db: SkeinDatabase;
beforeEach(async () => {
  database = new TestDatabase();
  db = await database.open();
});
afterEach(() => database.end());

/** A thread of 600 turns, 550 of them ingested, with everything that a thread can have. */
async function richThread(name: string): Promise<ThreadSnapshot> {
  const { id } = await db.createThread(name, { configuration: 'tsim-fitted', questions: ['Which one?'] });
  const store = db.getThreadStore(id);
  await store.append([
    {
      role: 'user',
      text: 'two\nlines, "quoted" 👋🏽 привет',
      time: 1_700_000_000_123,
      source: 'chat.json: A',
    },
    ...someTurns(599),
  ]);
  await store.commit(
    someStep(0, 550, {
      episodes: [
        { ...someEpisode(0, 0, 200), pinned: true, summary: vectorOf(3) },
        { ...someEpisode(1, 200, 500), forgottenAt: 1_700_000_000_000 },
        { ...someEpisode(2, 500, 550), closed: false },
      ],
      clusters: [{ id: 0, members: [0, 1], vector: new Float32Array([0.1, -0, 1e-40]) }],
      segmenter: { open: 2, sum: [0.1, 0.2] },
    }),
  );
  await store.erase(10, 12, {});
  await store.addAsk(someAsk('first?', 0, 5));
  await store.removeAsk(0);
  await store.addAsk(someAsk('second?', 0, 5));
  await store.addAsk(someAsk('third?', 20, 25));
  await store.writeCache('lexical', 'is not exported');
  return db.readThread(id);
}

/** The export of `ids` with its lines changed. */
async function changedExport(change: (lines: string[]) => string[], ...ids: string[]): Promise<File> {
  const lines = change(await linesIn(await exportBackup(db, ids)));
  const packed = await packLines(
    (async function* () {
      yield* lines;
    })(),
  );
  return new File([packed], 'my.skein.gz');
}

const replaceFirst = (lines: string[], start: string, by: string) => {
  const at = lines.findIndex((line) => line.startsWith(start));
  return lines.with(at, by);
};
const dropFirst = (lines: string[], start: string) => {
  const at = lines.findIndex((line) => line.startsWith(start));
  return lines.toSpliced(at, 1);
};

describe('a backup that is whole', () => {
  test('brings every thread back, vectors bit for bit', async () => {
    const before = [await richThread('One'), await richThread('Two')];
    const file = await exportBackup(db);
    expect(file.type).toBe('application/gzip');
    expect(await isBackup(new Uint8Array(await file.slice(0, 1024).arrayBuffer()))).toBe(true);
    await db.eraseEverything();

    const progress: Progress[] = [];
    const { threads, report } = await importBackup(db, file, { onProgress: (p) => progress.push(p) });
    expect(threads).toHaveLength(2);
    for (const snapshot of before) expect(await db.readThread(snapshot.thread.id)).toEqual(snapshot);
    expect(report).toEqual({
      files: { found: 1, imported: 1, skipped: 0, failed: 0 },
      formats: ['skein'],
      conversations: { found: 2, imported: 2, skipped: 0, failed: 0 },
      messages: { found: 1200, imported: 1200, skipped: 0, failed: 0 },
      problems: [],
      problemsLeftOut: 0,
    });
    expect(progress.at(-1)).toMatchObject({ done: file.size, total: file.size });
    const store = db.getThreadStore(before[0]!.thread.id);
    expect((await store.load()).vectors.slice(549 * 3)).toEqual(vectorOf(549));
    expect(await store.findVectors(['turn 3'], STAMP)).toEqual([vectorOf(4)]);
    expect(await store.readCache('lexical')).toBeUndefined();
  });

  test('holds the chosen threads, and keeps those that are there', async () => {
    const one = await richThread('One');
    await richThread('Two');
    const { threads } = await importBackup(db, await exportBackup(db, [one.thread.id]));
    expect(threads).toHaveLength(1);
    const copy = await db.readThread(threads[0]!.id);
    expect(copy.thread.id).not.toBe(one.thread.id);
    expect(copy).toEqual({ ...one, thread: { ...one.thread, id: copy.thread.id } });
    expect(await db.readThread(one.thread.id)).toEqual(one);
    expect(await db.listThreads()).toHaveLength(3);
  });

  test('of no thread is no error', async () => {
    const { threads, report } = await importBackup(db, await exportBackup(db));
    expect([threads, report.problems]).toEqual([[], []]);
    await expect(exportBackup(db, ['nobody'])).rejects.toMatchObject({ code: 'not-found' });
  });

  test('may be unpacked by hand', async () => {
    const one = await richThread('One');
    const lines = await linesIn(await exportBackup(db));
    await db.eraseEverything();
    const { report } = await importBackup(db, new Blob([lines.join('\n')]));
    expect(report.problems).toEqual([]);
    expect(await db.readThread(one.thread.id)).toEqual(one);
  });

  test('keeps the vectors of a thread whose memory is being made anew', async () => {
    const { thread } = await richThread('One');
    await db.getThreadStore(thread.id).reset('skein', true);
    const before = await db.readThread(thread.id);
    expect(before.blocks).toHaveLength(3);
    const file = await exportBackup(db);
    await db.eraseEverything();
    await importBackup(db, file);
    expect(await db.readThread(thread.id)).toEqual(before);
  });
});

describe('a backup that is damaged', () => {
  test('a turn that can not be read leaves its place and costs nothing else', async () => {
    const one = await richThread('One');
    const file = await changedExport(
      (lines) => replaceFirst(lines, '{"kind":"turn","turn":{"index":300', '{"kind":"turn","turn":{"index":'),
      one.thread.id,
    );
    await db.eraseEverything();
    const { report } = await importBackup(db, file);
    expect(report.messages).toEqual({ found: 600, imported: 599, skipped: 0, failed: 1 });
    expect(report.conversations).toMatchObject({ found: 1, imported: 1 });
    expect(report.problems).toEqual([
      {
        kind: 'failed',
        // The header and the thread come before turn 0.
        place: 'my.skein.gz, line 303',
        reason: expect.stringContaining("can't be read"),
        messages: 1,
      },
    ]);
    const after = await db.readThread(one.thread.id);
    expect(after.turns[300]).toEqual({ index: 300, role: 'user', text: '', erased: true });
    expect(after.turns.toSpliced(300, 1)).toEqual(one.turns.toSpliced(300, 1));
    expect(after.thread).toEqual({ ...one.thread, tokens: after.thread.tokens });
    expect(after.thread.tokens).toBeCloseTo(one.thread.tokens - 2.6, 9);
    expect({ ...after, thread: 0, turns: 0 }).toEqual({ ...one, thread: 0, turns: 0 });
  });

  test.each(['{"kind":"episode"', '{"kind":"vectors"', '{"kind":"cluster"'])(
    'a lost line %s has the memory made anew, from the vectors that are there',
    async (start) => {
      const one = await richThread('One');
      const file = await changedExport(
        (lines) => replaceFirst(lines, start, `${start},"x":1}`),
        one.thread.id,
      );
      await db.eraseEverything();
      const { report } = await importBackup(db, file);
      expect(report.messages.failed).toBe(0);
      expect(report.problems.map((problem) => problem.place)).toEqual([
        expect.stringMatching(/^my\.skein\.gz, line \d+$/),
        'my.skein.gz, thread "One"',
      ]);
      const after = await db.readThread(one.thread.id);
      expect(after.turns).toEqual(one.turns);
      expect(after.asks).toEqual(one.asks);
      expect(after.thread).toMatchObject({ ingested: 0, turns: 600, stamp: STAMP });
      expect(after.thread.segmenter).toBeUndefined();
      expect(after.episodes).toEqual([]);
      const found = await db.getThreadStore(one.thread.id).findVectors(['turn 500'], STAMP);
      expect(found).toEqual([vectorOf(501)]);
    },
  );

  test('lines that are missing without a trace are counted', async () => {
    const one = await richThread('One');
    const file = await changedExport(
      (lines) => dropFirst(dropFirst(lines, '{"kind":"turn","turn":{"index":599'), '{"kind":"ask"'),
      one.thread.id,
    );
    await db.eraseEverything();
    const { report } = await importBackup(db, file);
    expect(report.messages).toEqual({ found: 600, imported: 599, skipped: 0, failed: 1 });
    expect(report.problems.map(({ reason, messages }) => [reason, messages])).toEqual([
      ['1 of its turns are not in the file.', 1],
      ['1 of its questions could not be read.', 0],
    ]);
    expect((await db.readThread(one.thread.id)).asks).toHaveLength(1);
  });

  test('a file that was cut off gives every line before the cut', async () => {
    const one = await richThread('One');
    const two = await richThread('Two');
    const whole = await exportBackup(db, [one.thread.id, two.thread.id]);
    await db.eraseEverything();
    const cut = new File([whole.slice(0, Math.floor(whole.size * 0.6))], 'cut.gz');
    const { threads, report } = await importBackup(db, cut);
    expect(await db.readThread(one.thread.id)).toEqual(one);
    expect(threads).toHaveLength(2);
    const { turns } = await db.readThread(two.thread.id);
    expect(turns.length).toBeGreaterThan(0);
    expect(turns).toEqual(two.turns.slice(0, turns.length));
    expect(report.messages).toEqual({
      found: 1200,
      imported: 600 + turns.length,
      skipped: 0,
      failed: 600 - turns.length,
    });
    expect(report.problems[0]).toMatchObject({
      place: expect.stringMatching(/^cut\.gz, line \d+$/),
      reason: expect.stringContaining('cut off'),
    });
  });

  test('a thread whose own line is lost is recovered under a new name', async () => {
    const one = await richThread('One');
    const file = await changedExport(
      (lines) => replaceFirst(lines, '{"kind":"thread"', '{"kind":"thread","thread":{}}'),
      one.thread.id,
    );
    await db.eraseEverything();
    const { threads, report } = await importBackup(db, file);
    expect(report.problems[0]!.place).toBe('my.skein.gz, line 2');
    const after = await db.readThread(threads[0]!.id);
    expect(after.thread).toMatchObject({ name: 'Recovered thread', turns: 600, ingested: 0, stamp: STAMP });
    expect(after.thread.tokens).toBeCloseTo(one.thread.tokens, 9);
    expect([after.turns, after.asks, after.blocks]).toEqual([one.turns, one.asks, one.blocks]);
  });

  test.each([
    ['{"mapping":{}}', 'not a backup'],
    ['<!doctype html>', 'not a backup'],
    ['', 'not a backup'],
    ['{"format":"skein-backup","version":2}', 'version 2'],
    ['{"format":"skein-backup","vers', 'not a backup'],
  ])('%j is refused, and nothing is stored', async (text, message) => {
    await expect(importBackup(db, new File([text], 'x.json'))).rejects.toMatchObject({
      code: 'unknown-format',
      message: expect.stringContaining(message),
    });
    expect(await db.listThreads()).toEqual([]);
  });
});

describe('a backup that is stopped', () => {
  test('aborting an import removes what it added', async () => {
    const one = await richThread('One');
    await richThread('Two');
    const file = await exportBackup(db);
    const before = await database.dump();
    const controller = new AbortController();
    const add = db.addThread.bind(db);
    db.addThread = async (snapshot) => {
      controller.abort();
      return add(snapshot);
    };
    await expect(importBackup(db, file, { signal: controller.signal })).rejects.toMatchObject({
      code: 'aborted',
    });
    expect(await database.dump()).toBe(before);
    expect(await db.readThread(one.thread.id)).toEqual(one);
  });

  test('aborting an export rejects', async () => {
    await richThread('One');
    await expect(exportBackup(db, undefined, { signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: 'aborted',
    });
  });

  test('a tab that may only read exports, and imports nothing', async () => {
    await richThread('One');
    const reader = await database.open();
    reader.readOnly = true;
    const file = await exportBackup(reader);
    await expect(importBackup(reader, file)).rejects.toMatchObject({ code: 'read-only' });
    expect(await db.listThreads()).toHaveLength(1);
  });
});
