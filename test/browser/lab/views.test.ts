import { afterEach, beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import type { AnswerEngine } from '../../../src/answer/answer-engine.ts';
import { EMBEDDED_MODEL } from '../../../src/answer/transformers/models.ts';
import { eraseLab } from '../../../src/bench/lab/lab-database.ts';
import { App } from '../../../src/ui/app.ts';
import type { LabView } from '../../../src/ui/lab/lab-view.ts';
import { PreviewEngine } from '../../../src/ui/preview/preview-engine.ts';
import { previewLab } from '../../../src/ui/preview/preview-lab.ts';
import { FakeEngine } from '../../unit/answer/fake-engine.ts';
import { button, closePage, find, findAll, textOf } from '../ui/page.ts';
import '../../../src/ui/design/tokens.css';
import { POOL_LINES } from './small-pool.ts';

const DATABASE = 'skein-lab-views';
let close = async () => {};

async function openLab(hash = '#/lab', delay = 0, answers?: AnswerEngine): Promise<App> {
  closePage();
  await close();
  history.replaceState(null, '', hash);
  const preview = previewLab({ database: DATABASE, delay, answers });
  close = preview.close;
  const app = new App();
  app.engine = new PreviewEngine({ turns: 10 });
  app.connectLab = async () => preview;
  app.style.cssText = 'height: 900px; width: 1280px; position: fixed; inset: 0';
  document.body.append(app);
  await expect.poll(() => findAll('skein-lab').length).toBe(1);
  await expect.poll(() => textOf(find('skein-lab')).length).toBeGreaterThan(0);
  return app;
}

/** All that match inside every element of that name. */
function within<T extends Element = HTMLElement>(host: string, selector: string): T[] {
  return findAll(host).flatMap((element) => [...element.shadowRoot!.querySelectorAll<T>(selector)]);
}

const plain = (element: Element | undefined) => (element ? textOf(element).replace(/\s+/g, ' ').trim() : '');
const said = (host: string, selector?: string) =>
  plain(selector === undefined ? findAll(host)[0] : within(host, selector)[0]);

/** Takes the small pool as if it had been dropped, and waits until it can be run. */
async function takePool(lines: readonly string[] = POOL_LINES): Promise<void> {
  const file = new File([lines.join('\n')], 'small.jsonl');
  find<LabView>('skein-lab').takeFiles([{ path: 'small.jsonl', file }]);
  await expect.poll(() => said('skein-lab-package')).toContain('small.jsonl');
  await expect.poll(() => button('Start the run').matches(':disabled'), { timeout: 5000 }).toBe(false);
}

async function runPool(): Promise<void> {
  await takePool();
  button('Start the run').click();
  await expect.poll(() => within('skein-lab-table', 'tbody tr').length, { timeout: 10_000 }).toBe(8);
}

beforeEach(() => eraseLab(DATABASE));
afterEach(async () => {
  closePage();
  await close();
});

test('What was dropped is counted, its faults are named with their places, and the rest can be run', async () => {
  await openLab();
  await takePool([
    ...POOL_LINES,
    '{"id": "torn", ',
    '{"id": "x", "dialogue": [["user", "Hello."]], "query": "?", "expected_doc": ["Nowhere."]}',
  ]);
  const text = said('skein-lab-package');
  expect(text).toContain('4, 4 with options');
  expect(text).toContain('The rest runs');
  expect(text).toContain('small.jsonl, line 5');
  expect(text).toContain('small.jsonl, line 6 (x)');
  expect(said('skein-lab-threads', '.built')).toMatch(/One thread, .* 4 questions/);
});

test('What is no package is refused with a reason, and a good one can be taken after it', async () => {
  await openLab();
  const file = new File(['hello'], 'letter.txt');
  find<LabView>('skein-lab').takeFiles([{ path: 'letter.txt', file }]);
  await expect.poll(() => within('skein-lab-package', '[role=alert]').length).toBe(1);
  expect(said('skein-lab-package', '[role=alert]')).toContain('letter.txt holds neither');
  expect(button('Start the run').matches(':disabled')).toBe(true);
  await takePool();
  expect(within('skein-lab-package', '[role=alert]')).toHaveLength(0);
});

test('Without a system or a way of asking nothing starts, and the page says why', async () => {
  await openLab();
  await takePool();
  const systems = () => within<HTMLInputElement>('skein-lab-systems', '.systems input:checked');
  for (const box of systems()) box.click();
  await expect.poll(() => said('skein-lab-setup', '.start')).toContain('Choose at least one system.');
  expect(button('Start the run').matches(':disabled')).toBe(true);
});

test('A run ends in a table that any column sorts, with plots and their tables', async () => {
  await openLab();
  await runPool();
  const column = (n: number) =>
    within('skein-lab-table', `tbody tr > :nth-child(${n})`).map((cell) =>
      Number.parseFloat(textOf(cell).replace(',', '')),
    );
  const tokens =
    within('skein-lab-table', 'thead button').findIndex((head) => textOf(head).trim() === 'Tokens') + 1;
  const sort = () => within('skein-lab-table', 'thead button')[tokens - 1]!.click();
  const unsorted = column(tokens);
  sort();
  await expect.poll(() => column(tokens)).toEqual([...unsorted].sort((a, b) => b - a));
  sort();
  await expect.poll(() => column(tokens)).toEqual([...unsorted].sort((a, b) => a - b));
  const heads = within('skein-lab-table', 'thead th');
  expect(heads.map((head) => head.getAttribute('aria-sort'))[tokens - 1]).toBe('ascending');

  button('Plots').click();
  await expect.poll(() => within('skein-lab-plots', 'svg.plot').length).toBe(2);
  for (const plot of within('skein-lab-plots', 'svg.plot')) {
    expect(plot.querySelector('title')!.textContent).not.toBe('');
    expect(plot.querySelector('desc')!.textContent).not.toBe('');
    expect(plot.getAttribute('role')).toBe('img');
  }
  // Four systems in two topics; three differences to the fourth.
  expect(within('skein-lab-plots', 'svg.plot .mark')).toHaveLength(4 * 2 + 3);
  expect(within('skein-lab-plots', 'details table')).toHaveLength(2);
});

test('A question shows its gold, and the retrieved units with the evidence marked where it stands', async () => {
  await openLab();
  await runPool();
  button('Questions').click();
  await expect.poll(() => within('skein-lab-questions', 'tbody tr').length).toBe(4);
  const link = within('skein-lab-questions', 'tbody a').find((a) => textOf(a).includes('beans stand'))!;
  link.click();
  await expect.poll(() => within('skein-lab-unit', 'mark').length).toBeGreaterThan(1);
  expect(new Set(within('skein-lab-unit', 'mark').map(textOf))).toEqual(
    new Set(['The beans stand on the north side of bed 17.']),
  );
  expect(said('skein-lab-question', '.gold')).toContain('B two gold');
  expect(within('skein-lab-question', 'section')).toHaveLength(2);
  expect(said('skein-lab-question', 'section p')).toContain('All evidence in the first unit');
  expect(within('skein-lab-unit', '.parts').length).toBeGreaterThan(0);
});

test('With a language model the table tells accuracy and hits by answers, and a question shows its answer', async () => {
  await openLab('#/lab', 0, new FakeEngine());
  await takePool();
  const choose = async (place: number, value: string) => {
    const select = () => within<HTMLSelectElement>('skein-lab-answers', 'select')[place];
    await expect.poll(() => [...(select()?.options ?? [])].map((option) => option.value)).toContain(value);
    select()!.value = value;
    select()!.dispatchEvent(new Event('change'));
  };
  await choose(0, EMBEDDED_MODEL.id);
  await expect.poll(() => said('skein-lab-answers')).toContain(EMBEDDED_MODEL.note);
  await choose(2, '256');
  button('Start the run').click();
  await expect.poll(() => within('skein-lab-table', 'tbody tr').length, { timeout: 10_000 }).toBe(8);
  const heads = within('skein-lab-table', 'th').map(plain).join(' ');
  expect(heads).toMatch(/Accuracy.*Hit, right.*Hit, wrong.*Miss, right.*Miss, wrong.*Rationale.*No letter/);
  expect(said('skein-lab-run')).toContain(`answers: ${EMBEDDED_MODEL.title}`);
  button('Questions').click();
  await expect.poll(() => within('skein-lab-questions', 'tbody a').length).toBe(4);
  within('skein-lab-questions', 'tbody a')[0]!.click();
  await expect.poll(() => said('skein-lab-question'), { timeout: 5000 }).toMatch(/Answered B, (right|wrong)/);
  expect(said('skein-lab-question', 'blockquote')).toBe('B. Because.');
  expect(said('skein-lab-question')).toMatch(/cosine -?\d\.\d{3} with the gold one/);
});

test('A run that was cut off is offered again after a reload; pausing stops it', async () => {
  await openLab('#/lab', 10);
  await takePool();
  button('Start the run').click();
  await expect.poll(() => findAll('skein-lab-progress').length).toBe(1);
  expect(said('skein-lab-progress', '[role=status]')).toMatch(/of 4 systems are through/);
  button('Pause').click();
  await expect.poll(() => findAll('skein-lab-run').length === 1 && said('skein-lab-run')).toContain('Resume');
  const place = location.hash;
  await openLab(place);
  await expect.poll(() => said('skein-lab-run')).toContain('Resume');
  button('Resume').click();
  await expect.poll(() => within('skein-lab-table', 'tbody tr').length, { timeout: 10_000 }).toBe(8);
});

test('Two runs of one package are compared question by question', async () => {
  await openLab();
  await runPool();
  history.replaceState(null, '', '#/lab');
  window.dispatchEvent(new HashChangeEvent('hashchange'));
  await expect.poll(() => findAll('skein-lab-setup').length).toBe(1);
  await runPool();
  button('Lab').click();
  await expect.poll(() => within('skein-lab-runs', 'input[type=checkbox]').length).toBe(2);
  for (const box of within('skein-lab-runs', 'input[type=checkbox]')) box.click();
  await expect.poll(() => button(/^Compare/).matches(':disabled')).toBe(false);
  button(/^Compare/).click();
  await expect.poll(() => within('skein-lab-compare', 'tbody tr').length).toBe(8);
  expect(said('skein-lab-compare')).toContain('Every question retrieved the same units in the same order.');
});

test('On a phone nothing but tables is wider than the page', async () => {
  await page.viewport(360, 780);
  const app = await openLab();
  app.style.width = '360px';
  const scroller = app.renderRoot.querySelector('.page')!;
  const overflow = () => scroller.scrollWidth - scroller.clientWidth;
  await takePool([...POOL_LINES, '{"id": "torn", ']);
  expect(overflow()).toBe(0);
  button('Start the run').click();
  await expect.poll(() => within('skein-lab-table', 'tbody tr').length, { timeout: 10_000 }).toBe(8);
  for (const place of ['Plots', 'Questions']) {
    button(place).click();
    await expect.poll(() => textOf(find('skein-lab-run')).length).toBeGreaterThan(0);
    expect(overflow()).toBe(0);
  }
  await page.viewport(1280, 900);
});
