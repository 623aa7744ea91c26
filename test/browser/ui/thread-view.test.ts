import { afterEach, expect, test } from 'vitest';
import type { AskView } from '../../../src/ui/chat/ask-view.ts';
import type { Composer } from '../../../src/ui/chat/composer.ts';
import type { ThreadScroller } from '../../../src/ui/chat/thread-scroller.ts';
import { closePage, find, findAll, openPage, textOf } from './page.ts';

afterEach(closePage);

const scroller = () =>
  find<ThreadScroller>('skein-thread-scroller').shadowRoot!.querySelector<HTMLElement>('.scroller')!;
const rows = () => findAll('.item');
const rowText = (text: RegExp) => rows().find((row) => text.test(textOf(row)));

function inView(row: HTMLElement): boolean {
  const box = row.getBoundingClientRect();
  const frame = scroller().getBoundingClientRect();
  return box.top < frame.bottom && box.bottom > frame.top;
}

test('50,000 turns: few rows in the page, opened at the end, jumps to the turn that is named', async () => {
  await openPage({ turns: 50_000 }, '#/t/preview-1');
  await expect.poll(() => rowText(/Assistant|You/) && rowText(/50,000/) !== undefined).toBe(true);
  expect(inView(rowText(/50,000/)!)).toBe(true);
  expect(rows().length).toBeLessThan(100);

  location.hash = '#/t/preview-1/turn/20001';
  await expect.poll(() => rowText(/20,001/) !== undefined && inView(rowText(/20,001/)!)).toBe(true);
  const row = rowText(/20,001/)!;
  await expect.poll(() => row.classList.contains('flash')).toBe(true);
  expect(row.getAttribute('aria-posinset')).toBe('20001');
  expect((row.getRootNode() as ShadowRoot).activeElement).toBe(row);
  expect(rows().length).toBeLessThan(100);
});

test('Turns that arrive are followed at the end, and move nothing while one reads further up', async () => {
  const { engine } = await openPage({ turns: 3_000 }, '#/t/preview-1');
  await expect.poll(() => rowText(/3,000/) !== undefined).toBe(true);
  await engine.append('preview-1', [{ role: 'user', text: 'Followed' }]);
  await expect.poll(() => rowText(/Followed/) !== undefined && inView(rowText(/Followed/)!)).toBe(true);

  location.hash = '#/t/preview-1/turn/1500';
  await expect.poll(() => rowText(/1,500 /) !== undefined && inView(rowText(/1,500 /)!)).toBe(true);
  await settled();
  const before = rowText(/1,500 /)!.getBoundingClientRect().top;
  await engine.append('preview-1', [{ role: 'user', text: 'Not followed' }]);
  await settled();
  expect(rowText(/1,500 /)!.getBoundingClientRect().top).toBeCloseTo(before, 0);
});

test('An answer is shown from its top, right after asking and when the thread is opened again', async () => {
  const { app, engine } = await openPage({ turns: 1_500 }, '#/t/preview-1');
  app.style.width = '390px';
  await find<Composer>('skein-composer').ask('A patient of Dr Sorrel is eleven minutes late. What do I do?');
  const top = () => find('skein-ask').getBoundingClientRect().top - scroller().getBoundingClientRect().top;
  await expect.poll(() => findAll('skein-ask').length).toBe(1);
  await settled();
  expect(find('skein-ask').offsetHeight).toBeGreaterThan(scroller().clientHeight);
  expect(top()).toBeGreaterThanOrEqual(0);
  expect(top()).toBeLessThan(60);
  const [ask] = await engine.listAsks('preview-1');
  expect(textOf(find('skein-ask'))).toContain('Searched in 2 ms (question read in 41 ms)');

  location.hash = '#/settings';
  await expect.poll(() => findAll('skein-settings').length).toBe(1);
  location.hash = '#/t/preview-1';
  await expect.poll(() => findAll('skein-ask').length).toBe(1);
  await settled();
  expect(find<AskView>('skein-ask').ask.id).toBe(ask!.id);
  expect(top()).toBeGreaterThanOrEqual(0);
  expect(top()).toBeLessThan(60);
});

test('What the person adds is brought into view, wherever they were reading', async () => {
  await openPage({ turns: 3_000 }, '#/t/preview-1/turn/1500');
  await expect.poll(() => rowText(/1,500 /) !== undefined && inView(rowText(/1,500 /)!)).toBe(true);
  find<Composer>('skein-composer').mode = 'add';
  const field = find<HTMLTextAreaElement>('#text');
  field.value = 'Added by hand';
  field.dispatchEvent(new InputEvent('input'));
  field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }));
  await expect
    .poll(() => rowText(/Added by hand/) !== undefined && inView(rowText(/Added by hand/)!))
    .toBe(true);
});

test('J and K walk from turn to turn, Home and End go to the ends', async () => {
  await openPage({ turns: 500 }, '#/t/preview-1/turn/100');
  await expect.poll(() => rowText(/100 ·/)?.classList.contains('flash')).toBe(true);
  const active = () => (scroller().getRootNode() as ShadowRoot).activeElement as HTMLElement;
  const press = (key: string) =>
    active().dispatchEvent(
      new KeyboardEvent('keydown', { key, bubbles: true, composed: true, cancelable: true }),
    );
  press('j');
  await expect.poll(() => active().getAttribute('aria-posinset')).toBe('101');
  press('k');
  press('k');
  await expect.poll(() => active().getAttribute('aria-posinset')).toBe('99');
  press('Home');
  await expect.poll(() => active().getAttribute('aria-posinset')).toBe('1');
  await expect.poll(() => inView(active())).toBe(true);
  press('End');
  await expect.poll(() => active().getAttribute('aria-posinset')).toBe('500');
});

test('Hostile text stays text, in turns, questions and quotes', async () => {
  const { engine, app } = await openPage({ turns: 0 }, '#/');
  const bad = '<img src=x onerror="window.hacked = true"> <script>window.hacked = true</script> sorrel';
  const thread = await engine.createThread(bad);
  await engine.append(thread.id, [{ role: 'user', text: bad }]);
  location.hash = `#/t/${thread.id}`;
  await engine.ask(thread.id, `${bad} sorrel?`);
  await expect
    .poll(() => findAll('blockquote skein-user-text').map((quote) => textOf(quote).trim()))
    .toEqual([bad]);
  expect(findAll('mark').map((mark) => mark.textContent)).toContain('sorrel');
  expect(textOf(find('h1'))).toBe(bad);
  expect(findAll('img, script', app.shadowRoot!)).toEqual([]);
  expect('hacked' in window).toBe(false);
});

test('A long turn is shown in parts', async () => {
  const { engine } = await openPage({ turns: 0 }, '#/');
  const thread = await engine.createThread('Long');
  await engine.append(thread.id, [{ role: 'user', text: 'wool '.repeat(400_000) }]);
  location.hash = `#/t/${thread.id}`;
  await expect.poll(() => findAll('skein-user-text').length).toBe(1);
  const shown = () => textOf(find('skein-user-text').shadowRoot!.querySelector('.user-text')!).length;
  expect(shown()).toBeLessThan(5_000);
  find('skein-user-text').shadowRoot!.querySelector('button')!.click();
  await expect.poll(shown).toBeGreaterThan(20_000);
});

/** Two frames without a change of height. */
async function settled(): Promise<void> {
  for (let frame = 0; frame < 12; frame++) await new Promise(requestAnimationFrame);
}
