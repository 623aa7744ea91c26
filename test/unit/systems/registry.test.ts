import { describe, expect, test } from 'vitest';
import { findSystem, SYSTEMS } from '../../../src/systems/registry.ts';
import { LISTED_UNITS, type MemorySystem } from '../../../src/systems/system.ts';
import { alternating, filler, ToyEmbedder } from './support.ts';

test('names are unique and every configuration is plain JSON', () => {
  expect(new Set(SYSTEMS.map(({ name }) => name)).size).toBe(SYSTEMS.length);
  for (const { name, configuration } of SYSTEMS) {
    expect(JSON.parse(JSON.stringify(configuration)), name).toEqual(configuration);
  }
  expect(findSystem('control-c').title).toBe('Control C');
  expect(() => findSystem('nothing')).toThrow(/no system "nothing"/);
});

const words = ['apple', 'boat', 'cat', 'drum', 'egg', 'fox', 'goat'];

/** 80 turns of 20 to 59 words, and one that is longer than any window. */
const thread = alternating(
  ...Array.from({ length: 80 }, (_, i) => {
    const length = i === 40 ? 700 : 20 + ((i * 17) % 40);
    return `${words[Math.floor(i / 6) % 7]} and ${words[(i * 5) % 7]} name${i}. ${filler(length)}`;
  }),
);

async function create(name: string, embedder = new ToyEmbedder()): Promise<MemorySystem> {
  return findSystem(name).create({ embedder });
}

describe.each(SYSTEMS.map(({ name }) => name))('%s', (name) => {
  test('depends on the turns alone, not on how many came at a time; asking changes nothing', async () => {
    const whole = await create(name);
    await whole.append(thread);
    const expected = await whole.retrieve('drum name33');
    const pieces = await create(name);
    for (let from = 0; from < thread.length; from += 9) {
      await pieces.append(thread.slice(from, from + 9));
      if (from % 4 === 0) await pieces.retrieve('apple');
    }
    expect(pieces.index?.()).toEqual(whole.index?.());
    expect(await pieces.retrieve('drum name33')).toEqual(expected);
    expect(await pieces.retrieve('drum name33')).toEqual(expected);
  });

  test('gives ranges within the thread, best first, and a context without overlaps', async () => {
    const system = await create(name);
    await system.append(thread);
    const { units, context } = await system.retrieve('boat and name12');
    expect(units.length).toBeGreaterThan(0);
    expect(units.length).toBeLessThanOrEqual(LISTED_UNITS);
    for (const { ranges, text } of units) {
      expect(ranges.length > 0 || text !== undefined).toBe(true);
      let last = 0;
      for (const [start, end] of ranges) {
        expect(last <= start && start < end && end <= thread.length).toBe(true);
        last = end;
      }
    }
    let last = -1;
    for (const part of context) {
      if (part.kind !== 'turns') continue;
      expect(part.start).toBeGreaterThan(last);
      expect(part.end).toBeGreaterThan(part.start);
      last = part.end;
    }
    expect(context.length).toBeGreaterThan(0);
  });

  test('retrieves nothing from an empty thread and refuses an empty question', async () => {
    const system = await create(name);
    expect(await system.retrieve('drum')).toMatchObject({ units: [], context: [] });
    await system.append(alternating('apple', 'boat'));
    await expect(system.retrieve('  ')).rejects.toThrow('The question is empty.');
  });

  test('catches up with turns whose append was stopped', async () => {
    const embedder = new ToyEmbedder();
    const system = await create(name, embedder);
    await system.append(thread.slice(0, 30));
    const stop = new AbortController();
    embedder.onEmbed = () => stop.abort();
    await system.append(thread.slice(30), stop.signal).catch(() => {});
    embedder.onEmbed = () => {};
    const whole = await create(name);
    await whole.append(thread);
    expect(await system.retrieve('egg name55')).toEqual(await whole.retrieve('egg name55'));
  });
});
