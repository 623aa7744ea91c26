import { describe, expect, it } from 'vitest';
import { arrange } from '../../../src/bench/arrange.ts';
import { buildPackage } from '../../../src/bench/builder.ts';
import { WordOwners } from '../../../src/bench/mask.ts';
import { exchangeThread, packageFiles } from '../../../src/bench/package-files.ts';
import { fillWithNoise, packCases, parseLength, tokensOf } from '../../../src/bench/packing.ts';
import type { BenchCase, CaseDialogue, Pool } from '../../../src/bench/pool.ts';
import { selectIds } from '../../../src/bench/select.ts';
import { seededRandom } from '../../../src/core/random.ts';

/** A dialogue of alternating turns. */
function dialogue(id: string, texts: readonly string[], day?: number): CaseDialogue {
  const turns = texts.map((text, i) => ({
    role: i % 2 === 0 ? ('user' as const) : ('model' as const),
    text,
  }));
  return { id, turns, ...(day !== undefined && { day }) };
}

/** A record of `words` words, the first of them its evidence. */
function record(id: string, words: number, topic = 'x'): BenchCase {
  const text = `${id} ${'w '.repeat(words - 1)}`.trim();
  return {
    id,
    dialogues: [dialogue(id, [text])],
    questions: [
      { id, query: `about ${id}?`, gold: 'A', topic, stress: [], evidence: [{ dialogue: id, text: id }] },
    ],
  };
}

const noise = ['n1', 'n2', 'n3', 'n4'].map((id) => dialogue(id, [`${id} ${'z '.repeat(9)}`, 'ok']));
const pool: Pool = { name: 'p', cases: ['a', 'b', 'c'].map((id) => record(id, 10)), noise, problems: [] };
const options = { arrangement: 'blocks', seed: 1, masked: false } as const;

describe('packCases', () => {
  it('keeps all in one thread where the truth fits the target', () => {
    // 3 records of 10 words are 39 tokens.
    expect(packCases(pool.cases, 39)).toMatchObject({ regime: 'full-corpus', batches: [{ name: 'all' }] });
    expect(packCases(pool.cases, 38.9).regime).toBe('length-batched');
  });

  it('puts the largest first, each into the fullest batch that has room under the cap', () => {
    // Target 100: 82 tokens a batch, 63 words. By size: 40, 30, 30, 20, 20 words.
    // 40 opens 1 (23 left); 30 opens 2 (33 left); c joins 2 (3 left); 20 joins 1 (3 left); e opens 3.
    const sizes = { a: 20, b: 30, c: 30, d: 40, e: 20 };
    const cases = Object.entries(sizes).map(([id, words]) => record(id, words));
    const { batches } = packCases(cases, 100);
    expect(batches.map(({ name, cases }) => [name, cases.map(({ id }) => id)])).toEqual([
      ['batch-1', ['a', 'd']],
      ['batch-2', ['b', 'c']],
      ['batch-3', ['e']],
    ]);
  });

  it('chooses the batch that is left with the least room', () => {
    // 63 words a batch: 50 opens 1 (13 left), 45 opens 2 (18 left), 12 fits both and joins 1.
    const cases = [record('a', 45), record('b', 50), record('c', 12)];
    expect(packCases(cases, 100).batches.map(({ cases }) => cases.map(({ id }) => id))).toEqual([
      ['b', 'c'],
      ['a'],
    ]);
  });

  it('gives a record larger than the cap a batch of its own, and keeps batches that a package names', () => {
    expect(
      packCases([record('a', 200), record('b', 10)], 100).batches.map(({ cases }) => cases.length),
    ).toEqual([1, 1]);
    const given = packCases(
      [
        { ...record('a', 5), batch: '2' },
        { ...record('b', 5), batch: '1' },
      ],
      100,
    );
    expect(given).toMatchObject({ regime: 'given', batches: [{ name: '2' }, { name: '1' }] });
  });
});

describe('fillWithNoise', () => {
  it('takes what fits and passes over what does not', () => {
    const [small, large] = [dialogue('s', ['a b']), dialogue('l', ['a b c d e f g h'])];
    expect(fillWithNoise([large, small, small], 0, 6).map(({ id }) => id)).toEqual(['s', 's']);
    expect(tokensOf(small.turns)).toBeCloseTo(2.6, 12);
  });

  it('reads lengths', () => {
    expect(['128k', '1M', '500', '1.5k'].map(parseLength)).toEqual([128_000, 1_000_000, 500, 1500]);
    expect(() => parseLength('long')).toThrow('no length');
  });
});

describe('arrange', () => {
  const texts = (runs: ReturnType<typeof arrange>) =>
    runs.map(({ turns }) => turns.map(({ text }) => text).join('+'));
  const cases = [
    { id: 'x', dialogues: [dialogue('x', ['x1', 'x2', 'x3', 'x4', 'x5'])], questions: [] },
    { id: 'y', dialogues: [dialogue('y', ['y1', 'y2', 'y3', 'y4'])], questions: [] },
  ];

  it('keeps dialogues whole in blocks, and alternates the exchanges of two neighbours', () => {
    const blocks = texts(arrange(cases, [], 'blocks', seededRandom(1)));
    expect([...blocks].sort()).toEqual(['x1+x2+x3+x4+x5', 'y1+y2+y3+y4']);
    const mixed = texts(arrange(cases, [], 'interleaved', seededRandom(1)));
    const xFirst = blocks[0]!.startsWith('x');
    expect(mixed).toEqual(
      xFirst ? ['x1+x2', 'y1+y2', 'x3+x4', 'y3+y4', 'x5'] : ['y1+y2', 'x1+x2', 'y3+y4', 'x3+x4', 'x5'],
    );
  });

  it('shuffles exchanges and keeps the order within a dialogue', () => {
    const mixed = texts(arrange(cases, [], 'shuffled', seededRandom(3)));
    expect([...mixed].sort()).toEqual(['x1+x2', 'x3+x4', 'x5', 'y1+y2', 'y3+y4']);
    expect(mixed.filter((run) => run.startsWith('x'))).toEqual(['x1+x2', 'x3+x4', 'x5']);
  });

  it('orders dated dialogues by day with whole distractors between them', () => {
    const dated = [
      { id: 'w', dialogues: [3, 1, 2].map((day) => dialogue(`d${day}`, [`d${day}`], day)), questions: [] },
    ];
    const runs = texts(arrange(dated, noise, 'blocks', seededRandom(5)));
    expect(runs.filter((run) => run.startsWith('d'))).toEqual(['d1', 'd2', 'd3']);
    expect(runs).toHaveLength(7);
  });
});

describe('WordOwners', () => {
  it('takes away the words that only the own dialogue holds', () => {
    const owners = new WordOwners([
      dialogue('a', ["Bertil's jars stand by the pond."]),
      dialogue('b', ['The Pond froze; jars broke.']),
    ]);
    expect(owners.mask("Where are Bertil's jars by the pond, Bertil?", new Set(['a']))).toBe(
      'Where are jars the pond,?',
    );
    expect(owners.mask('Bertil?', new Set(['b']))).toBe('Bertil?');
    // Nothing would be left to ask.
    expect(owners.mask('Bertil?', new Set(['a']))).toBe('Bertil?');
  });
});

describe('selectIds', () => {
  const questions = ['a', 'b', 'c'].flatMap((topic) =>
    [1, 2, 3, 4].map((n) => ({ id: `${topic}${n}`, topic })),
  );

  it('takes as evenly from each topic as can be, whatever the order', () => {
    const taken = selectIds(questions, { count: 6, seed: 4 });
    expect(['a', 'b', 'c'].map((topic) => [...taken].filter((id) => id.startsWith(topic)).length)).toEqual([
      2, 2, 2,
    ]);
    expect(selectIds([...questions].reverse(), { count: 6, seed: 4 })).toEqual(taken);
    expect(selectIds(questions, { count: 6, seed: 5 })).not.toEqual(taken);
  });

  it('takes topics, and all when there are no more', () => {
    expect([...selectIds(questions, { topics: ['b'], seed: 1 })]).toEqual(['b1', 'b2', 'b3', 'b4']);
    expect(selectIds(questions, { count: 99, seed: 1 }).size).toBe(12);
  });
});

describe('buildPackage', () => {
  it('gives the same bytes for the same seeds, and others for others', async () => {
    const files = async (seed: number) => [
      ...packageFiles(await buildPackage(pool, { ...options, seed, target: 80 })),
    ];
    expect(await files(1)).toEqual(await files(1));
    expect(await files(1)).not.toEqual(await files(2));
    const renamed = await buildPackage({ ...pool, name: 'q' }, options);
    expect(renamed.hash).toBe((await buildPackage(pool, options)).hash);
    expect(renamed.hash).toMatch(/^[\da-f]{64}$/);
  });

  it('places evidence, boundaries and counts', async () => {
    // 39 tokens of truth, 14.3 each of noise: three fit into 85.
    const { batches, shortBy } = await buildPackage(pool, { ...options, target: 85 });
    const [{ turns, boundaries, questions, stats }] = batches as [(typeof batches)[0]];
    expect(stats).toMatchObject({ truthDialogues: 3, evidenceDialogues: 3, noiseDialogues: 3, questions: 3 });
    expect(stats.tokens).toBeCloseTo(39 + 3 * 14.3, 9);
    expect(shortBy).toBeCloseTo(85 - stats.tokens, 9);
    expect(boundaries).toHaveLength(6);
    for (const { id, places } of questions)
      expect(turns[places[0]![0]!]!.text.startsWith(`${id} `)).toBe(true);
    for (const start of boundaries) expect(turns[start]!.role).toBe('user');
  });

  it('selects before it builds', async () => {
    const { batches, manifest } = await buildPackage(pool, { ...options, selection: { count: 2, seed: 1 } });
    expect(batches[0]!.stats).toMatchObject({ truthDialogues: 2, questions: 2 });
    expect(manifest.selection).toEqual({ count: 2, seed: 1 });
  });

  it('shows no gold in the exchange format', async () => {
    const pkg = await buildPackage(pool, options);
    const thread = exchangeThread(pkg, 0);
    expect(thread.questions[0]).toEqual({ id: 'a', query: 'about a?' });
    expect(packageFiles(pkg).get('all.thread.json')).not.toContain('evidence');
  });
});
