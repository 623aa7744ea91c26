import { render } from 'lit';
import { expect, test } from 'vitest';
import { SYSTEMS } from '../../../src/systems/registry.ts';
import { labHref, parseLabPath } from '../../../src/ui/lab/lab-route.ts';
import { intervalPlot, linePlot, ticks } from '../../../src/ui/lab/plot.ts';
import { outcomeOf } from '../../../src/ui/lab/question-look.ts';
import { sortRows } from '../../../src/ui/lab/result-rows.ts';
import { packageTokens, shortLength } from '../../../src/ui/lab/run-facts.ts';
import { hasSystemPage } from '../../../src/ui/lab/system-page.ts';
import { markdownBlocks } from '../../../src/ui/parts/markdown.ts';
import { parseRoute } from '../../../src/ui/router.ts';

test('Places in the lab survive the address', () => {
  for (const route of [
    { kind: 'home' },
    { kind: 'run', run: 'a b', tab: 'table' },
    { kind: 'run', run: 'r', tab: 'questions', question: { batch: 'batch-1', id: 'Legal/09 ü' } },
    { kind: 'compare', runs: ['a', 'b'] },
  ] as const) {
    const parsed = parseRoute(labHref(route));
    expect(parsed.kind === 'lab' && parseLabPath(parsed.path)).toEqual(route);
  }
  expect(parseLabPath(['nowhere'])).toEqual({ kind: 'home' });
});

test('A miss is ranked out or never retrieved; the depth is where the last piece of evidence is', () => {
  expect(outcomeOf({ ranks: [1, 5] })).toEqual({ kind: 'found', depth: 5 });
  expect(outcomeOf({ ranks: [1, 6] })).toEqual({ kind: 'ranked-out', depth: 6 });
  expect(outcomeOf({ ranks: [1, null, null] })).toEqual({ kind: 'never', missing: 2, of: 3 });
});

test('Rows without a value come last whichever way they are sorted, and equal ones keep their order', () => {
  const rows = [{ v: undefined }, { v: 2, n: 'a' }, { v: 1 }, { v: 2, n: 'b' }];
  const value = (row: { v: number | undefined }) => row.v;
  expect(sortRows(rows, value, true)).toEqual([
    { v: 2, n: 'a' },
    { v: 2, n: 'b' },
    { v: 1 },
    { v: undefined },
  ]);
  expect(sortRows(rows, value, false).at(-1)).toEqual({ v: undefined });
});

test('Axes have round ticks', () => {
  expect(ticks(0, 1)).toEqual([0, 0.2, 0.4, 0.6, 0.8, 1]);
  expect(ticks(-0.21, 0.21)).toEqual([-0.2, -0.1, 0, 0.1, 0.2]);
});

test('A plot draws its values where they belong', () => {
  const head = { title: 'Title', description: 'What is seen', axis: 'share', width: 500 };
  const box = document.createElement('div');
  const mark = (value: number) => ({ series: 0, value, low: value, high: value });
  render(
    intervalPlot(head, [{ label: 'x', marks: [mark(0), mark(0.5), mark(1)] }], { low: 0, high: 1 }),
    box,
  );
  const at = [...box.querySelectorAll('.mark')].map((dot) =>
    Number(/\(([\d.]+)/.exec(dot.getAttribute('transform')!)![1]),
  );
  expect(at[1]! - at[0]!).toBeCloseTo(at[2]! - at[1]!, 6);
  expect(at[2]).toBeCloseTo(486, 6);
  const points = [16_000, 32_000, 64_000].map((x) => ({ x, mark: mark(0.5) }));
  render(linePlot(head, [{ series: 0, points }], shortLength), box);
  const [a, b, c] = box
    .querySelector('polyline')!
    .getAttribute('points')!
    .split(' ')
    .map((pair) => Number(pair.split(',')[0]));
  expect(b! - a!).toBeCloseTo(c! - b!, 6);
});

test('A package is called by its target, or by its length where it was not reached', () => {
  const built = (target: number | undefined, tokens: number) =>
    packageTokens({ manifest: { target } as never, batches: [{ tokens }] as never });
  expect([built(32_000, 31_900), built(128_000, 74_700), built(undefined, 5_000)]).toEqual([
    32_000, 74_700, 5_000,
  ]);
  expect([16_000, 74_700, 1_000_000, 1_500].map(shortLength)).toEqual(['16k', '75k', '1M', '1.5k']);
});

test('Documentation is read as blocks; every system has its page', () => {
  const text =
    '# Head\n\nOne\ntwo `code`.\n\n- a\n  more\n- b\n\n| x | y |\n|---|---|\n| 1 | 2 |\n\n    kept  as is\n\n```\nfenced\n```';
  expect(markdownBlocks(text)).toEqual([
    { kind: 'heading', level: 1, text: 'Head' },
    { kind: 'paragraph', text: 'One two `code`.' },
    { kind: 'list', items: ['a more', 'b'] },
    { kind: 'table', head: ['x', 'y'], rows: [['1', '2']] },
    { kind: 'code', text: 'kept  as is' },
    { kind: 'code', text: 'fenced' },
  ]);
  expect(SYSTEMS.filter(({ name }) => !hasSystemPage(name)).map(({ name }) => name)).toEqual([]);
});
