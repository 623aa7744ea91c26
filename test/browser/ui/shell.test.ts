import { afterEach, expect, test } from 'vitest';
import { firstTurnOn } from '../../../src/ui/chat/find-date.ts';
import { PreviewEngine } from '../../../src/ui/preview/preview-engine.ts';
import { button, closePage, find, findAll, openPage, textOf } from './page.ts';

afterEach(closePage);

test('A first visit loads the demo, offers its questions, and shows the turns that decide one', async () => {
  const { engine } = await openPage({ turns: 0 }, '#/');
  button('Load the demo thread').click();
  await expect.poll(() => findAll('.examples button').length).toBe(4);
  expect(location.hash).toBe(`#/t/${(await engine.listThreads())[0]!.id}`);
  find('.examples button').click();
  await expect.poll(() => findAll('skein-recalled-episode').length).toBeGreaterThan(0);
  await expect.poll(() => findAll('.examples button').length).toBe(3);
  expect(textOf(find('skein-ask'))).toContain('Recall only, no language model');
  await expect.poll(() => textOf(find('blockquote'))).toContain('Sorrel');
  const parts = [...find('skein-recalled-episode').shadowRoot!.querySelectorAll('.parts dt')];
  expect(parts.map((part) => part.textContent)).toEqual([
    'closest turn',
    'episode',
    'words',
    'character grams',
  ]);
  await expect
    .poll(() =>
      findAll('[role="status"]').some((status) =>
        /Recalled \d episodes?\. First: turns/.test(textOf(status)),
      ),
    )
    .toBe(true);
});

test('A question can be asked again, added to the thread, and removed', async () => {
  const { engine } = await openPage({ turns: 60 }, '#/t/preview-1');
  await engine.ask('preview-1', 'Where does the sample van go?');
  await expect.poll(() => findAll('skein-ask').length).toBe(1);
  button('Ask again').click();
  await expect.poll(() => findAll('skein-ask').length).toBe(2);
  button('Add to the thread').click();
  await expect
    .poll(async () => (await engine.readTurns('preview-1', 60, 61))[0]?.text)
    .toBe('Where does the sample van go?');
  button('Remove question').click();
  await expect.poll(async () => (await engine.listAsks('preview-1')).length).toBe(1);
});

test('A second tab says that it only reads, offers no changes, and can take over', async () => {
  await openPage({ turns: 60, reader: true }, '#/t/preview-1');
  await expect.poll(() => findAll('skein-user-text').length).toBeGreaterThan(0);
  expect(textOf(find('skein-reader-banner'))).toContain('this tab reads only');
  expect(find<HTMLTextAreaElement>('#text').disabled).toBe(true);
  expect(() => button('Edit turn')).toThrow();
  button('Use it here').click();
  await expect.poll(() => find<HTMLTextAreaElement>('#text').disabled).toBe(false);
  await expect.poll(() => textOf(find('skein-reader-banner')).includes('reads only')).toBe(false);
});

test('Ingest shows how far it is, pauses and resumes, and names a failure with its remedy', async () => {
  const { engine } = await openPage({ turns: 1_000, ingesting: true }, '#/t/preview-1');
  const bar = () => textOf(find('skein-ingest-bar')).replace(/\s+/g, ' ');
  await expect.poll(bar).toContain('420 of 1,000 turns');
  expect(bar()).toContain('61 turns a second · a few seconds left');
  expect(bar()).toContain('answered from the first 420 turns');
  button('Pause').click();
  await expect.poll(bar).toContain('Paused');
  button('Resume').click();
  await expect.poll(bar).toContain('Reading into memory');
  engine.emit({
    kind: 'ingest-failed',
    threadId: 'preview-1',
    message: 'The disk is full.',
    remedy: 'Free some space.',
  });
  await expect.poll(bar).toContain('The disk is full. Free some space.');
  expect(findAll('[role="alert"]').some((alert) => textOf(alert).includes('The disk is full'))).toBe(true);
});

test('Erasing everything needs the words typed', async () => {
  const { engine } = await openPage({ turns: 60 }, '#/settings');
  await expect
    .poll(() => findAll('skein-erase-section button').length + findAll('button.danger').length)
    .toBeGreaterThan(0);
  button('Erase everything').click();
  await expect.poll(() => findAll('dialog[open] input').length).toBe(1);
  const yes = find<HTMLButtonElement>('dialog[open] button[value="yes"]');
  expect(yes.disabled).toBe(true);
  const field = find<HTMLInputElement>('dialog[open] input');
  field.value = 'erase everything';
  field.dispatchEvent(new InputEvent('input'));
  await expect.poll(() => yes.disabled).toBe(false);
  yes.click();
  await expect.poll(() => engine.listThreads()).toEqual([]);
  await expect.poll(() => findAll('skein-welcome').length).toBe(1);
});

test('A link to a thread that is gone says so', async () => {
  await openPage({ turns: 60 }, '#/t/elsewhere/turn/5');
  await expect.poll(() => textOf(document.querySelector('skein-app')!)).toContain('This thread is not here');
});

test('A rejected call is shown with its remedy and stays until it is closed', async () => {
  const { app } = await openPage({ turns: 60 }, '#/t/preview-1');
  await app.session.attempt(() => app.session.engine.listAsks('nowhere'));
  await expect
    .poll(() => textOf(find('skein-toasts')))
    .toContain('There is no such thread. Choose another one');
  button('Close this message').click();
  await expect.poll(() => app.session.toasts.length).toBe(0);
});

test('The first turn on a date is found inside an episode too', async () => {
  const engine = new PreviewEngine({ turns: 300 });
  const turns = await engine.readTurns('preview-1', 0, 300);
  for (const index of [0, 17, 150, 299])
    expect(await firstTurnOn(engine, 'preview-1', turns[index]!.time!)).toBe(index);
  expect(await firstTurnOn(engine, 'preview-1', turns[299]!.time! + 1)).toBeUndefined();
});

test('Example questions are offered for asking, not while one adds to the thread', async () => {
  await openPage({ turns: 0 }, '#/');
  button('Load the demo thread').click();
  await expect.poll(() => findAll('.examples button').length).toBe(4);
  const mode = (value: string) => find<HTMLInputElement>(`input[type=radio][value=${value}]`);
  mode('add').click();
  await expect.poll(() => findAll('.examples button').length).toBe(0);
  mode('ask').click();
  await expect.poll(() => findAll('.examples button').length).toBe(4);
});
