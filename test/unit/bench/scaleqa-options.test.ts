import { describe, expect, it } from 'vitest';
import { readOptions } from '../../../scripts/scaleqa-options.ts';

describe('the options of npm run scaleqa', () => {
  it('reads a run', () => {
    const options = readOptions(
      '--package p --length 128k --systems tsim,skein --noise a.jsonl b.gz --seed 3 --shard 2/4 --masked'.split(
        ' ',
      ),
    );
    expect(options).toMatchObject({
      command: 'run',
      place: 'p',
      length: 128_000,
      noise: ['a.jsonl', 'b.gz'],
      seed: 3,
      shard: { index: 2, of: 4 },
      masked: true,
      arrangement: 'blocks',
    });
    expect(options.systems.map(({ name }) => name)).toEqual(['tsim', 'skein']);
  });

  it('reads a merge', () => {
    expect(readOptions(['merge', '--out', 'all.json', '1.json', '2.json'])).toMatchObject({
      command: 'merge',
      out: 'all.json',
      files: ['1.json', '2.json'],
    });
  });

  it('reads a comparison of two runs', () => {
    expect(readOptions(['same', 'a.json', 'b.json'])).toMatchObject({
      command: 'same',
      files: ['a.json', 'b.json'],
    });
  });

  it.each([
    [['--systems', 'nothing'], /no system "nothing"/],
    [['--shard', '5/4'], /not such as 1\/4/],
    [['--length', 'long'], /no length/],
    [['--questions', '0'], /no whole number from 1/],
    [['--arrangement', 'odd'], /none of blocks/],
    [['--colour', 'red'], /--colour/],
    [['go'], /What is "go"/],
  ])('refuses %j', (args, message) => {
    expect(() => readOptions(args)).toThrow(message);
  });
});
