import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { seededRandom } from '../../../src/core/random.ts';
import { CONFIGURATION_NAMES } from '../../../src/store/records.ts';

const run = promisify(execFile);
const DIMENSION = 384;

const TOPICS = ['the harbour fee of the ferry', 'a recipe for rye bread', 'the password of the old router'];
const TURNS = Array.from({ length: 24 }, (_, i) => {
  const topic = TOPICS[Math.floor(i / 8)]!;
  return [i % 2 ? 'model' : 'user', `${topic}, part ${i}: ${`more about ${topic} `.repeat(6)}`];
});
const QUESTIONS = [
  { id: 'bread', query: 'How do I bake rye bread?', options: { A: 'hot', B: 'cold', C: 'fast', D: 'slow' } },
  { id: 'router', query: 'What is the password of the router?' },
];

interface Unit {
  readonly ranges: [number, number][];
  readonly score: number;
  readonly parts: Record<string, number>;
}

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'skein-recall-'));
  await writeFile(
    join(folder, 'thread.json'),
    JSON.stringify({ sha: 'f00', turns: TURNS, questions: QUESTIONS }),
  );
  // A direction a topic, and a little noise: a boundary is plain to every configuration.
  const random = seededRandom(3);
  const rows = new Float32Array(TURNS.length * DIMENSION);
  for (let turn = 0; turn < TURNS.length; turn++) {
    rows[turn * DIMENSION + Math.floor(turn / 8)] = 1;
    for (let i = 0; i < DIMENSION; i++) rows[turn * DIMENSION + i]! += 0.01 * (random() - 0.5);
  }
  await writeFile(join(folder, 'vectors.f32'), Buffer.from(rows.buffer));
});

afterAll(() => rm(folder, { recursive: true }));

/** Runs the command as `npm run recall` does; the questions are embedded by the shipped model. */
function recall(...args: string[]) {
  return run(process.execPath, ['--import', 'tsx', 'scripts/recall.ts', '--no-cache', ...args]);
}

describe('npm run recall', () => {
  test.each(CONFIGURATION_NAMES)(
    '%s writes the exchange format',
    async (configuration) => {
      const out = join(folder, `${configuration}.jsonl`);
      await recall(
        ...['--thread', join(folder, 'thread.json'), '--config', configuration, '--out', out],
        ...['--vectors', join(folder, 'vectors.f32')],
      );
      const lines = (await readFile(out, 'utf8')).trimEnd().split('\n');
      const [head, ...results] = lines.map((line) => JSON.parse(line));

      expect(head).toMatchObject({ thread: 'f00', system: configuration });
      const episodes = (head.units as Unit[]).map(({ ranges }) => ranges[0]!);
      for (const { ranges } of head.units as Unit[]) expect(ranges).toHaveLength(1);
      expect(episodes[0]![0]).toBe(0);
      expect(episodes.at(-1)![1]).toBe(TURNS.length);
      for (let i = 1; i < episodes.length; i++) expect(episodes[i]![0]).toBe(episodes[i - 1]![1]);
      expect(episodes.map(([start]) => start)).toEqual(expect.arrayContaining([8, 16]));

      expect(results.map(({ id, mode }) => [id, mode])).toEqual([
        ['bread', 'query'],
        ['bread', 'query+options'],
        ['router', 'query'],
      ]);
      for (const { units } of results as { units: Unit[] }[]) {
        // Skein recalls families, as many as fit the question.
        if (configuration === 'skein') expect(units.length).toBeGreaterThan(0);
        else expect(units.length).toBe(Math.min(5, episodes.length));
        for (const [start, end] of units.flatMap(({ ranges }) => ranges)) {
          expect(episodes.some(([from, to]) => from <= start && end <= to)).toBe(true);
        }
        const scores = units.map(({ score }) => score);
        expect(scores).toEqual([...scores].sort((a, b) => b - a));
        for (const { score, parts } of units) {
          expect(Object.values(parts).reduce((sum, part) => sum + part, 0)).toBeCloseTo(score, 6);
        }
      }
    },
    60_000,
  );

  test('vectors that do not fit the thread are refused with both sizes, and nothing is written', async () => {
    const out = join(folder, 'none.jsonl');
    await writeFile(join(folder, 'short.f32'), Buffer.alloc(100));
    const failed = recall(
      '--thread',
      join(folder, 'thread.json'),
      '--out',
      out,
      '--vectors',
      join(folder, 'short.f32'),
    );
    await expect(failed).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/100 bytes.*36864/s),
    });
    await expect(readFile(out)).rejects.toMatchObject({ code: 'ENOENT' });
  }, 60_000);

  test('a broken thread is refused with its place', async () => {
    await writeFile(join(folder, 'broken.json'), '{"turns": [["user", 1]]}');
    const failed = recall('--thread', join(folder, 'broken.json'), '--out', join(folder, 'none.jsonl'));
    await expect(failed).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/broken\.json, turn 0: has no text/),
    });
  }, 60_000);
});
