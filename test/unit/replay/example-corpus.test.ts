import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { estimateTokens } from '../../../src/core/tokens.ts';
import type { Checkpoint, History, Probe } from '../../../src/replay/corpus.ts';
import { readCorpus } from '../../../src/replay/corpus-reader.ts';
import { referenceAt } from '../../../src/replay/reference.ts';
import { patternExtractor } from '../../../src/systems/ice/extraction.ts';

const FILE = new URL('../../../public/packages/lsrep-example/corpus.jsonl', import.meta.url);

test('the bundled corpus is what its data card says', async () => {
  const { histories } = await readCorpus(await readFile(FILE, 'utf8'), 'corpus.jsonl');
  const figures = histories.map((history) => {
    const tokens = history.turns.map(({ text }) => estimateTokens(text));
    return [
      history.id,
      history.turns.length,
      Math.round(tokens.reduce((a, b) => a + b)),
      Math.round(Math.max(...tokens)),
      tokens.filter((count) => count > 2000).length,
      history.matters.length,
      history.probes.length,
      history.probes.filter((probe) => changes(history, probe)).length,
    ];
  });
  expect(figures).toEqual([
    ['tidewater', 400, 11_465, 209, 0, 14, 40, 27],
    ['household', 403, 10_323, 169, 0, 13, 37, 25],
    ['saltroads', 403, 187_765, 9814, 34, 14, 39, 26],
  ]);
  // The worked example is among them.
  const database = histories[0]!.matters.find(({ id }) => id === 'database')!;
  expect(database.versions.map(({ accept }) => accept[0])).toEqual(['SQLite', 'PostgreSQL']);
});

test('sentence patterns find most of the values that its evidence states', async () => {
  const { histories } = await readCorpus(await readFile(FILE, 'utf8'), 'corpus.jsonl');
  let found = 0;
  let all = 0;
  for (const { turns, matters } of histories) {
    for (const { accept, evidence } of matters.flatMap(({ versions }) => versions)) {
      const stated = await patternExtractor.extract(turns[evidence[0]!.turn]!.text);
      if (stated.some(({ target }) => accept.some((value) => target.includes(value.replace(/^The /, '')))))
        found++;
      all++;
    }
  }
  expect(all).toBe(86);
  expect(found / all).toBeGreaterThan(0.6);
});

/** True when the probe's reference at the last checkpoint differs from that at its origin. */
function changes(history: History, probe: Probe): boolean {
  const origin = history.checkpoints.find(({ name }) => name === probe.origin)!;
  const names = (checkpoint: Checkpoint) =>
    referenceAt(history, probe, checkpoint).wanted.map(({ accept }) => accept[0]);
  return names(origin).join() !== names(history.checkpoints.at(-1)!).join();
}
