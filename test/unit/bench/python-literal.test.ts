import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readPythonLiterals } from '../../../src/bench/python-literal.ts';

const BACKSLASH = '\\';

/** The value that `X = source` gives, and nothing wrong with it. */
function assigned(source: string): unknown {
  const { assignments, problems } = readPythonLiterals(`X = ${source}\n`);
  expect(problems).toEqual([]);
  return assignments.get('X')!.value;
}

/** The only problem of `X = source`. */
function onlyProblem(source: string) {
  const { problems } = readPythonLiterals(`X = ${source}\n`);
  expect(problems).toHaveLength(1);
  return problems[0]!;
}

describe('readPythonLiterals', () => {
  it.each([
    [`'it''s'`, 'its'],
    [`"a" 'b' """c"""`, 'abc'],
    [`('a'\n  'b'  # why\n  "c")`, 'abc'],
    [`'''two "lines"\nand 'quotes' ''' `, `two "lines"\nand 'quotes' `],
    [`'a${BACKSLASH}\nb'`, 'ab'],
    [String.raw`'\n\t\\\'\"\x41\u00e9\U0001F600\101\0'`, `\n\t\\'"A\u00e9\u{1f600}A\0`],
    [String.raw`'\d'`, '\\d'],
    [String.raw`r'\n\''`, String.raw`\n\'`],
    [String.raw`Rb"\x41"`, String.raw`\x41`],
    [String.raw`b'\x41\u0041'`, String.raw`A\u0041`],
    [`u'é'`, 'é'],
    [`'a' ${BACKSLASH}\n  'b'`, 'ab'],
  ])('reads the string %s', (source, text) => {
    expect(assigned(source)).toBe(text);
  });

  it.each([
    ['1_000', 1000],
    ['-17', -17],
    ['+ 4', 4],
    ['0xFF', 255],
    ['0o17', 15],
    ['0b1_01', 5],
    ['.5', 0.5],
    ['1.', 1],
    ['1_0.5e-1', 1.05],
    ['2E3', 2000],
    ['00', 0],
    ['9007199254740993', 9007199254740993n],
    ['True', true],
    ['None', null],
  ])('reads %s', (source, value) => {
    expect(assigned(source)).toBe(value);
  });

  it('reads lists, tuples, dicts and sets with comments and trailing commas', () => {
    expect(assigned(`[\n  ('a', 'user'), # one\n  ('b',),\n  (), ('c'),\n]`)).toEqual([
      ['a', 'user'],
      ['b'],
      [],
      'c',
    ]);
    expect(assigned(`{'id': 7, 'docs': ['x',], 'deep': {'k': (1, 2)},}`)).toEqual(
      new Map<unknown, unknown>([
        ['id', 7],
        ['docs', ['x']],
        ['deep', new Map([['k', [1, 2]]])],
      ]),
    );
    expect(assigned(`{1, 2}`)).toEqual([1, 2]);
    expect(assigned('{}')).toEqual(new Map());
    expect(assigned(`('only one')`)).toBe('only one');
    expect(assigned(`('only one',)`)).toEqual(['only one']);
  });

  it('passes over docstrings, imports and annotations', () => {
    const source = `"""Made by a script."""\nfrom typing import List\n\nA: List[str] = ['x']\nB = 1; C = 2\n`;
    const { assignments, problems } = readPythonLiterals(source);
    expect(problems).toEqual([]);
    expect([...assignments].map(([name, { value }]) => [name, value])).toEqual([
      ['A', ['x']],
      ['B', 1],
      ['C', 2],
    ]);
  });

  it.each([
    [`f'{x}'`, 1, 5, /f-string/],
    [String.raw`'\N{DASH}'`, 1, 6, /names a character/],
    [String.raw`'\x4'`, 1, 6, /2 hexadecimal digits/],
    [String.raw`'\UFFFFFFFF'`, 1, 6, /beyond/],
    [`'open\n`, 1, 5, /not closed on its line/],
    [`'''open\n`, 1, 5, /never closed/],
    [`open('/etc/passwd')`, 1, 5, /"open" is not a literal/],
    [`1 + 2`, 1, 7, /goes on/],
    [`012`, 1, 5, /start with 0/],
    [`3j`, 1, 5, /not a number/],
    [`{'a': 1, 'b'}`, 1, 17, /":"/],
    [`-`, 1, 5, /starts no value/],
  ])('refuses %s and says where', (source, line, column, message) => {
    expect(onlyProblem(source)).toEqual({ line, column, message: expect.stringMatching(message) });
  });

  it('refuses brackets nested too deep without running out of stack', () => {
    const deep = '['.repeat(100_000);
    expect(readPythonLiterals(`X = {'a': ${deep}`).problems[0]!.message).toMatch(/200 deep/);
  });

  it('keeps the whole elements of a list and goes on behind an error', () => {
    const element = (i: number) => `    [('turn ${i}', 'user'),\n     ('reply', 'model')],\n`;
    const source = `X = [\n${element(1)}${element(2)}    [('broken 'one', 'user')],\n${element(3)}]\nY = 5\n`;
    const { assignments, problems } = readPythonLiterals(source);
    expect(assignments.get('X')!.value).toEqual(
      [1, 2, 3].map((i) => [
        [`turn ${i}`, 'user'],
        ['reply', 'model'],
      ]),
    );
    expect(assignments.get('X')!.lines).toEqual([2, 4, 7]);
    expect(assignments.get('Y')!.value).toBe(5);
    expect(problems).toEqual([{ line: 6, column: 16, message: 'expected "," or ")"' }]);
  });

  it('names an error at line 40,001 and keeps what stands before and after it', () => {
    const lines = Array.from({ length: 50_000 }, (_, i) => ` {'id': ${i}},`);
    lines[39_999] = ` {'id': oops},`;
    const { assignments, problems } = readPythonLiterals(`X = [\n${lines.join('\n')}\n]\n`);
    expect(problems).toEqual([{ line: 40_001, column: 9, message: '"oops" is not a literal' }]);
    expect(assignments.get('X')!.value).toHaveLength(49_999);
  });

  it('finds the next element when a bracket is missing', () => {
    const { assignments, problems } = readPythonLiterals(`X = [\n ['a'],\n ['b',\n ['c'],\n ['d'],\n]\n`);
    expect(assignments.get('X')!.value).toEqual([['a'], ['c'], ['d']]);
    expect(problems).toMatchObject([{ line: 3, column: 2, message: expect.stringMatching(/never closed/) }]);
  });

  it('says that the rest is left out where no line shows the next element', () => {
    const { assignments, problems } = readPythonLiterals(`X = ['a', 'b', oops, 'c']\nY = 1\n`);
    expect(assignments.get('X')!.value).toEqual(['a', 'b']);
    expect(assignments.get('Y')!.value).toBe(1);
    expect(problems.map((problem) => problem.message)).toEqual([
      '"oops" is not a literal',
      'what follows in this list is left out',
    ]);
  });

  it('says so when it gives up after a hundred errors', () => {
    const { problems } = readPythonLiterals(`X = [\n${' oops,\n ["fine"],\n'.repeat(200)}]\n`);
    expect(problems.at(-1)!.message).toBe('after so many errors, what follows is not read');
  });

  it('leaves out statements that are no assignments and goes on', () => {
    const { assignments, problems } = readPythonLiterals(`def f():\n    x = 1\n\nY = 2\n`);
    expect([...assignments.keys()]).toEqual(['Y']);
    expect(problems).toMatchObject([{ line: 1, column: 1 }]);
  });
});

/** Values of lists and texts, and a Python source for them in a random style. */
const styled = fc.letrec<{ value: [unknown, string]; text: [unknown, string]; list: [unknown, string] }>(
  (tie) => ({
    value: fc.oneof({ maxDepth: 4 }, tie('text'), tie('list')),
    text: fc
      .tuple(fc.string({ unit: 'binary' }), fc.constantFrom("'", '"', "'''", '"""'))
      .map(([text, quotes]) => {
        const body = text
          .replaceAll('\\', '\\\\')
          .replaceAll('\n', '\\n')
          .replaceAll('\r', '\\r')
          .replaceAll(quotes[0]!, `\\${quotes[0]}`);
        return [text, quotes + body + quotes];
      }),
    list: fc
      .tuple(
        fc.array(tie('value'), { maxLength: 4 }),
        fc.constantFrom(['[', ']'], ['(', ',)']),
        fc.constantFrom(', ', ',\n', ' ,# x\n'),
      )
      .map(([items, [open, close], comma]) => {
        const values = items.map(([value]) => value);
        const body = items.map(([, source]) => source).join(comma);
        return [values, items.length === 0 ? '[]' : open + body + close];
      }),
  }),
);

describe('readPythonLiterals, over many sources', () => {
  it('reads back what was written', () => {
    fc.assert(
      fc.property(styled.value, ([value, source]) => {
        expect(assigned(source)).toEqual(value);
      }),
    );
  });

  it('never throws, whatever is cut or put in', () => {
    fc.assert(
      fc.property(styled.list, fc.nat(), fc.string({ maxLength: 3 }), ([, source], at, put) => {
        const place = at % (source.length + 1);
        const broken = source.slice(0, place) + put + source.slice(place + 1);
        const { problems } = readPythonLiterals(`X = ${broken}\nY = 1\n`);
        for (const { line, column } of problems) expect(Math.min(line, column)).toBeGreaterThan(0);
      }),
    );
  });
});
