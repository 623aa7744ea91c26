import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { filesSource } from '../../../src/bench/file-source.ts';
import { readPool } from '../../../src/bench/package-reader.ts';
import { validatePool } from '../../../src/bench/validate.ts';
import { validationMarkdown } from '../../../src/bench/validation-tables.ts';
import { pool } from './fakes.ts';
import { textFile } from './files.ts';

const failing = (report: ReturnType<typeof validatePool>) =>
  report.checks.filter(({ failures }) => failures.length > 0).map(({ name, failures }) => [name, failures]);

describe('validatePool', () => {
  it('counts a pool and passes it', () => {
    const report = validatePool(pool);
    expect(report.counts).toMatchObject({
      topic: { low: 4, high: 4 },
      'gold letter': { A: 8 },
      'evidence snippets': { 2: 8 },
    });
    // "mark0 is where?" and "It is at place0.": 7 words a dialogue.
    expect(report.dialogues).toMatchObject({
      dialogues: 8,
      turns: { median: 2 },
      allTokens: expect.closeTo(8 * 9.1, 9),
    });
    expect(failing(report)).toEqual([]);
    expect(validationMarkdown(report)).toContain('| questions | 8 |');
  });

  it('names what fails', () => {
    const [first, second] = pool.cases as [(typeof pool.cases)[0], (typeof pool.cases)[0]];
    const [question] = first.questions as [(typeof first.questions)[0]];
    const options = { A: 'same', B: 'same ', C: 'x', D: 'y' };
    const [shown] = first.dialogues as [(typeof first.dialogues)[0]];
    const bad = {
      ...pool,
      cases: [
        {
          ...first,
          questions: [
            { ...question, options },
            { ...question, id: 'again' },
          ],
        },
        second,
      ],
      noise: [{ ...shown, id: 'copy' }],
      problems: [
        { kind: 'unreadable', place: 'line 3', message: 'broken' },
        { kind: 'note', place: 'x', message: 'fine' },
      ] as const,
    };
    const report = validatePool(bad);
    expect(failing(report).map(([name]) => name)).toEqual([
      'everything could be read',
      'evidence stands in no other dialogue',
      'no two dialogues are equal',
      'no two questions are equal',
      'the options of a question differ',
    ]);
    expect(validationMarkdown(report)).toContain('- r0 = copy');
  });

  it.each([
    ['scaleqa-dev', 300],
    ['worlds-dev', 140],
  ])('passes the bundled pool %s', async (name, questions) => {
    const bytes = await readFile(new URL(`../../../public/packages/${name}.jsonl`, import.meta.url));
    const bundled = await readPool(
      filesSource(name, [{ path: `${name}.jsonl`, file: textFile(`${name}.jsonl`, bytes) }]),
    );
    const report = validatePool(bundled);
    expect(report.questions).toBe(questions);
    expect(failing(report)).toEqual([]);
  });
});
