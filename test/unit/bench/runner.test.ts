import { appendFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Answerer } from '../../../src/bench/answerer.ts';
import { MemoryJournal } from '../../../src/bench/journal.ts';
import { FileJournal } from '../../../src/bench/node/file-journal.ts';
import { exchangeThread } from '../../../src/bench/package-files.ts';
import { firstDifference, sharedSystems, withSystems } from '../../../src/bench/result-difference.ts';
import { mergeResults, readResult, withoutTimings, writeResult } from '../../../src/bench/result-files.ts';
import { type BenchProgress, type RunOptions, runBench } from '../../../src/bench/runner.ts';
import { csv, markdown, overviewTable, pairedTable, splitTable } from '../../../src/bench/tables.ts';
import { runThread } from '../../../src/bench/thread-run.ts';
import { buildEight, embedder, wordMatch } from './fakes.ts';

function options(over: Partial<RunOptions> = {}): RunOptions {
  return {
    systems: [wordMatch('one', 1), wordMatch('five')],
    embedder,
    engine: 'skein test',
    machine: 'here',
    ...over,
  };
}

const answerer: Answerer = {
  name: 'always A',
  answer: async ({ context }) => ({
    text: `A, since ${context.length} parts say so`,
    letter: context.length > 0 ? 'A' : null,
    rationale: 'aaaa',
  }),
};

describe('runBench', () => {
  it('asks every system every question in both modes and sums up', async () => {
    const result = await runBench(await buildEight(), options());
    // Even questions name both turns: two units hold the evidence, which the context of one does not.
    expect(
      result.systems.map(({ name, summary }) => [
        name,
        summary.modes.map(({ overall }) => overall.recall[4]!.hits),
      ]),
    ).toEqual([
      ['one', [4, 4]],
      ['five', [4, 4]],
    ]);
    const [one, five] = result.systems.map(({ summary }) => summary.modes[0]!.overall);
    expect([one!.clHit.hits, five!.clHit.hits]).toEqual([0, 4]);
    expect(five!.misses).toEqual({ neverRetrieved: 4, rankedOut: 0 });
    expect(five!.coContainment).toMatchObject({ hits: 0, of: 8 });
    expect(result.questions).toHaveLength(8);
    const line = result.systems[1]!.questions[0]!;
    expect(line.units[0]).toEqual({
      ranges: [[expect.any(Number), expect.any(Number)]],
      score: expect.any(Number),
      parts: { words: 1 },
    });
  });

  it('gives the same bytes twice, apart from timings', async () => {
    const pkg = await buildEight(45);
    const [a, b] = [await runBench(pkg, options()), await runBench(pkg, options({ machine: 'elsewhere' }))];
    expect(withoutTimings(a)).toBe(withoutTimings(b));
    expect(readResult(writeResult(a), 'a.json')).toEqual(a);
  });

  it('resets memories between batches', async () => {
    const pkg = await buildEight(45);
    expect(pkg.batches.length).toBeGreaterThan(1);
    const log: string[] = [];
    await runBench(pkg, options({ systems: [wordMatch('one', 1, log)], modes: ['query'] }));
    expect(log.filter((entry) => entry === 'create')).toHaveLength(pkg.batches.length);
    expect(log.filter((entry) => entry.startsWith('append'))).toHaveLength(pkg.batches.length);
  });

  it('asks a subset by count, evenly over topics', async () => {
    const result = await runBench(await buildEight(), options({ ask: { count: 4, seed: 2 } }));
    expect(result.questions.map(({ topic }) => topic).sort()).toEqual(['high', 'high', 'low', 'low']);
    expect(result.systems[0]!.questions).toHaveLength(8);
  });

  it('writes questions back into a memory of each mode', async () => {
    const log: string[] = [];
    await runBench(await buildEight(), options({ systems: [wordMatch('one', 1, log)], writeBack: true }));
    expect(log.filter((entry) => entry === 'create')).toHaveLength(2);
    expect(log.filter((entry) => entry === 'append 1')).toHaveLength(16);
  });

  it('scores answers and writes them back', async () => {
    const log: string[] = [];
    const systems = [wordMatch('five', 5, log)];
    const result = await runBench(
      await buildEight(),
      options({ systems, answerer, writeBack: true, modes: ['query'] }),
    );
    expect(log.filter((entry) => entry === 'append 2')).toHaveLength(8);
    expect(result.systems[0]!.summary.modes[0]!.overall.answers).toMatchObject({
      accuracy: { hits: 8, of: 8 },
      unparseable: 0,
      hitByAnswer: { hitRight: 4, hitWrong: 0, missRight: 4, missWrong: 0 },
      rationaleSimilarity: 1,
    });
    expect(result.settings.answerer).toBe('always A');
  });

  it('says which system failed at which question', async () => {
    const broken = {
      ...wordMatch('broken'),
      create: async () => ({
        append: async () => {},
        retrieve: async () => {
          throw new Error('no luck');
        },
      }),
    };
    await expect(runBench(await buildEight(), options({ systems: [broken] }))).rejects.toThrow(
      /broken, question r\d: no luck/,
    );
  });

  it('tells how far it is', async () => {
    const seen: BenchProgress[] = [];
    await runBench(await buildEight(), options({ onProgress: (progress) => seen.push(progress) }));
    const last = seen.at(-1)!;
    expect(last).toMatchObject({
      system: 'five',
      phase: 'ask',
      systemsDone: 1,
      systems: 2,
      progress: { done: 16, total: 16 },
    });
  });
});

describe('a run that is stopped', () => {
  for (const writeBack of [false, true]) {
    it(`goes on behind what the journal holds ${writeBack ? 'with' : 'without'} write-back`, async () => {
      const pkg = await buildEight(45);
      const journal = new MemoryJournal();
      const controller = new AbortController();
      const stopAt = (progress: BenchProgress) => progress.progress.done === 5 && controller.abort();
      const first = runBench(
        pkg,
        options({ writeBack, journal, signal: controller.signal, onProgress: stopAt }),
      );
      await expect(first).rejects.toMatchObject({ code: 'aborted' });
      const done = journal.entries.filter(({ kind }) => kind === 'question').length;
      expect(done).toBe(5);

      const log: string[] = [];
      const systems = [wordMatch('one', 1, log), wordMatch('five', 5, log)];
      const resumed = await runBench(pkg, options({ writeBack, journal, systems }));
      expect(log.filter((entry) => entry.startsWith('ask'))).toHaveLength(2 * 16 - 5);
      expect(withoutTimings(resumed)).toBe(withoutTimings(await runBench(pkg, options({ writeBack }))));
    });
  }

  it('refuses the journal of another run', async () => {
    const journal = new MemoryJournal();
    await runBench(await buildEight(), options({ journal }));
    const other = runBench(await buildEight(45), options({ journal }));
    await expect(other).rejects.toMatchObject({ code: 'stamp-mismatch' });
  });

  it('keeps its journal in a file, less a line that was torn', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'journal-'));
    const file = join(folder, 'run.jsonl');
    const pkg = await buildEight();
    const whole = await runBench(pkg, options({ journal: new FileJournal(file) }));
    await appendFile(file, '{"kind":"question","sys');
    const log: string[] = [];
    const again = await runBench(
      pkg,
      options({
        systems: [wordMatch('one', 1, log), wordMatch('five', 5, log)],
        journal: new FileJournal(file),
      }),
    );
    expect(log).toEqual([]);
    expect(withoutTimings(again)).toBe(withoutTimings(whole));
    expect(await new FileJournal(file).read()).toHaveLength(1 + 2 + 32);
    await rm(folder, { recursive: true });
  });
});

describe('firstDifference', () => {
  it('finds nothing in a repeat, and names the place where a figure is another', async () => {
    const result = await runBench(await buildEight(), options());
    expect(firstDifference(result, await runBench(await buildEight(), options()))).toBeUndefined();
    const other: typeof result = structuredClone(result);
    Object.assign(other.systems[1]!.questions[3]!.units[0]!, { score: 7 });
    const { score } = result.systems[1]!.questions[3]!.units[0]!;
    expect(firstDifference(result, other)).toBe(`systems[1].questions[3].units[0].score: ${score} and 7`);
  });

  it('counts what only one has, and the order of fields', async () => {
    const result = await runBench(await buildEight(), options());
    const shorter = { ...result, systems: result.systems.slice(0, 1) };
    expect(firstDifference(result, shorter)).toMatch(/^systems\[1\]: \{.* and nothing$/);
    expect(sharedSystems(result, shorter)).toEqual(['one']);
    expect(firstDifference(withSystems(result, ['one']), shorter)).toBeUndefined();
    const { questions, ...rest } = result;
    expect(firstDifference(result, { ...rest, questions })).toBe('the order of its fields');
  });
});

describe('shards', () => {
  for (const writeBack of [false, true]) {
    it(`join to the run in one piece ${writeBack ? 'with' : 'without'} write-back`, async () => {
      const pkg = await buildEight(45);
      const whole = await runBench(pkg, options({ writeBack }));
      const shards = await Promise.all(
        [1, 2, 3].map((index) => runBench(pkg, options({ writeBack, shard: { index, of: 3 } }))),
      );
      expect(shards.every((shard) => shard.systems.flatMap(({ questions }) => questions).length < 32)).toBe(
        true,
      );
      expect(withoutTimings(mergeResults([...shards].reverse()))).toBe(withoutTimings(whole));
    });
  }

  it('are refused when one is missing, double or of another run', async () => {
    const pkg = await buildEight();
    const shard = (index: number) => runBench(pkg, options({ shard: { index, of: 2 } }));
    const [first, second] = [await shard(1), await shard(2)];
    expect(() => mergeResults([first])).toThrow('Missing: 2 of 2');
    expect(() => mergeResults([first, second, second])).toThrow('given twice');
    expect(() => mergeResults([first, { ...second, package: { ...second.package, hash: 'x' } }])).toThrow(
      'different runs',
    );
  });
});

describe('tables', () => {
  it('write Markdown and CSV', async () => {
    const result = await runBench(await buildEight(), options({ modes: ['query'] }));
    // Even questions find 7 words, odd ones 3: 6.5 tokens on average.
    expect(markdown(overviewTable(result)).split('\n')[3]).toBe(
      '| five | query | 0.500 | 0.215 to 0.785 | 0.000 | 0.500 | 7 | 0.000 |  |',
    );
    expect(csv({ head: ['a', 'b'], rows: [['1,5', 'say "x"']] })).toBe('a,b\n"1,5","say ""x"""\n');
    expect(splitTable(result, 'topic', 'query')).toEqual({
      head: ['system', 'high (4)', 'low (4)'],
      rows: [
        ['one', '0.500', '0.500'],
        ['five', '0.500', '0.500'],
      ],
    });
    expect(splitTable(result, 'kind', 'query')).toBeUndefined();
    expect(pairedTable(result, 'one', 'query')!.rows).toEqual([
      ['five', '+0.000', '+0.000 to +0.000', '0', '0', '1.0'],
    ]);
  });
});

describe('runThread', () => {
  it('writes the lines of the exchange format', async () => {
    const thread = exchangeThread(await buildEight(), 0);
    const lines = await runThread(thread, wordMatch('one', 1), { embedder, keptUnits: 1 });
    const [head, first, second] = lines.map((line) => JSON.parse(line));
    expect(head).toMatchObject({ thread: thread.sha, system: 'one' });
    expect(head.units).toHaveLength(16);
    expect(first).toEqual({
      id: 'r0',
      mode: 'query',
      units: [expect.objectContaining({ score: expect.any(Number) })],
    });
    expect(second).toMatchObject({ id: 'r0', mode: 'query+options' });
    expect(lines).toHaveLength(1 + 16);
  });
});
