import { describe, expect, test } from 'vitest';
import { EpisodicMemory } from '../../../src/memory/episodic-memory.ts';
import { MemoryThreadStore } from '../../../src/store/memory-store.ts';
import type { ConfigurationName } from '../../../src/store/records.ts';
import { DriftDirect } from '../../../src/systems/drift-direct.ts';
import { EpisodicSystem } from '../../../src/systems/episodic.ts';
import { alternating, filler, rangesOf, ToyEmbedder, turns } from './support.ts';

// Turns of 65 tokens: an episode may be cut from its third turn on.
const words = [
  'apple',
  'apple',
  'apple',
  'boat',
  'boat',
  'boat',
  'cat',
  'cat',
  'cat',
  'drum',
  'drum',
  'drum',
];
const texts = words.map((word) => `${word} ${filler(49)}`);

describe.each(['tsim', 'tsim-fitted', 'skein'] as const)('%s', (name: ConfigurationName) => {
  test('retrieves what EpisodicMemory recalls', async () => {
    const embedder = new ToyEmbedder();
    const system = await EpisodicSystem.create({ embedder }, name);
    await system.append(alternating(...texts.slice(0, 7)));
    await system.append(alternating(...texts.slice(7)));
    const memory = await EpisodicMemory.open({
      store: new MemoryThreadStore({ configuration: name }),
      embedder,
    });
    await memory.append(alternating(...texts.slice(0, 7)));
    await memory.append(alternating(...texts.slice(7)));
    await memory.catchUp();
    const recalled = await memory.recall('drum', { k: 50 });
    const found = await system.retrieve('drum');
    expect(rangesOf(found)).toEqual(
      recalled.map(({ start, end, ranges = [{ start, end }] }) =>
        ranges.map((range) => [range.start, range.end]),
      ),
    );
    expect(found.units.map(({ score }) => score)).toEqual(recalled.map(({ score }) => score));
    expect(system.index()).toHaveLength(memory.episodes.length);
    expect(found.units[0]!.ranges.at(-1)![1]).toBe(12);
  });
});

test('TSIM tells which view led to an episode', async () => {
  const system = await EpisodicSystem.create({ embedder: new ToyEmbedder() }, 'tsim');
  await system.append(alternating(...texts));
  const { views, units } = await system.retrieve('drum');
  expect(Object.keys(views!)).toEqual(['raw', 'summary', 'cluster']);
  expect(views!.summary![0]).toEqual(units[0]);
  const skein = await EpisodicSystem.create({ embedder: new ToyEmbedder() }, 'skein');
  await skein.append(alternating(...texts));
  expect((await skein.retrieve('drum')).views).toBeUndefined();
});

test('L2 finds episodes of semantic drift by their summaries', async () => {
  const system = new DriftDirect({ embedder: new ToyEmbedder() });
  await system.append(alternating(...texts.slice(0, 5)));
  await system.append(alternating(...texts.slice(5)));
  // Each change of topic comes at 195 tokens and has the cosine 0.
  expect(system.index().map(({ ranges }) => ranges[0])).toEqual([
    [0, 3],
    [3, 6],
    [6, 9],
    [9, 12],
  ]);
  const found = await system.retrieve('cat');
  expect(rangesOf(found)[0]).toEqual([[6, 9]]);
  expect(found.units[0]!.score).toBeCloseTo(1, 6);
  expect(found.context).toEqual([turns(0, 12)]);
});
