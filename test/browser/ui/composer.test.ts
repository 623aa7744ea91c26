import { beforeEach, expect, test } from 'vitest';
import { ChatSession } from '../../../src/ui/chat/chat-session.ts';
import { Composer } from '../../../src/ui/chat/composer.ts';
import type { Menu } from '../../../src/ui/parts/menu.ts';
import { PreviewEngine } from '../../../src/ui/preview/preview-engine.ts';
import { Session } from '../../../src/ui/session.ts';
import { textOf } from './page.ts';

let composer: Composer;
let engine: PreviewEngine;
let field: HTMLTextAreaElement;

beforeEach(async () => {
  document.querySelector('skein-composer')?.remove();
  engine = new PreviewEngine({ turns: 40 });
  engine.delay = 0;
  composer = new Composer();
  composer.session = new Session(engine);
  composer.chat = new ChatSession(composer.session, undefined);
  composer.threadId = 'preview-1';
  document.body.append(composer);
  await composer.updateComplete;
  field = composer.renderRoot.querySelector('textarea')!;
});

function type(text: string): void {
  field.value = text;
  field.dispatchEvent(new InputEvent('input'));
}

function press(init: KeyboardEventInit): KeyboardEvent {
  const event = new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true, ...init });
  field.dispatchEvent(event);
  return event;
}

function paste(text: string): void {
  const clipboardData = new DataTransfer();
  clipboardData.setData('text/plain', text);
  const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
  const inserted = field.dispatchEvent(event);
  if (inserted) type(field.value + text);
}

test('Enter asks and empties the field', async () => {
  type('Who has the key?');
  press({});
  await expect
    .poll(async () => (await engine.listAsks('preview-1')).map(({ text }) => text))
    .toEqual(['Who has the key?']);
  expect(field.value).toBe('');
});

test('the memory is made ready when a question begins, and not for what is only added', async () => {
  const prepared: string[] = [];
  engine.prepare = async (threadId) => void prepared.push(threadId);
  type('W');
  type('Wh');
  type('');
  expect(prepared).toEqual(['preview-1']);
  composer.mode = 'add';
  type('The key is with Ann.');
  expect(prepared).toEqual(['preview-1']);
});

test('Enter that ends an IME composition, and Shift+Enter, send nothing', async () => {
  type('かぎ');
  expect(press({ isComposing: true }).defaultPrevented).toBe(false);
  expect(press({ keyCode: 229 }).defaultPrevented).toBe(false);
  expect(press({ shiftKey: true }).defaultPrevented).toBe(false);
  await composer.updateComplete;
  expect(await engine.listAsks('preview-1')).toEqual([]);
  expect(field.value).toBe('かぎ');
});

test('2 MB of pasted text stays out of the field, is shown by its size, and is added whole', async () => {
  const text = 'wool '.repeat(400_000);
  composer.mode = 'add';
  await composer.updateComplete;
  paste(text);
  await composer.updateComplete;
  expect(field.value).toBe('');
  expect(composer.renderRoot.querySelector('.pasted')!.textContent).toMatch(/2\.0 MB,\s+400,000\s+words/);
  press({});
  await expect.poll(async () => (await engine.readTurns('preview-1', 40, 41))[0]?.text).toBe(text.trim());
});

test('A pasted conversation is offered as turns', async () => {
  paste('User: Where is the key?\nAssistant: In the meter cupboard.\nUser: Thanks');
  await expect.poll(() => composer.renderRoot.textContent).toMatch(/conversation of\s+3 turns/);
  const offer = [...composer.renderRoot.querySelectorAll('button')].find((b) =>
    /Add as\s+3 turns/.test(b.textContent),
  );
  offer!.click();
  await expect
    .poll(async () => (await engine.readTurns('preview-1', 40, 99)).map(({ role, text }) => [role, text]))
    .toEqual([
      ['user', 'Where is the key?'],
      ['model', 'In the meter cupboard.'],
      ['user', 'Thanks'],
    ]);
});

test('Stop ends the question, and the text comes back to be changed', async () => {
  engine.delay = 60_000;
  type('A long wait');
  press({});
  await composer.updateComplete;
  const stop = [...composer.renderRoot.querySelectorAll('button')].find((b) =>
    b.textContent.includes('Stop'),
  )!;
  stop.click();
  await expect.poll(() => field.value).toBe('A long wait');
  expect(composer.renderRoot.querySelector('[role="alert"]')).toBeNull();
});

test('A failure is said beside the field with its remedy', async () => {
  const empty = await engine.createThread('Empty');
  composer.threadId = empty.id;
  await composer.updateComplete;
  type('Anything?');
  press({});
  await expect
    .poll(() => textOf(composer.renderRoot.querySelector('skein-failed-answer')!))
    .toContain('Add some turns');
  expect(field.value).toBe('Anything?');
});

test('Questions are set back to a turn, and the chip takes it back', async () => {
  composer.turns = 40;
  await composer.updateComplete;
  const control = composer.renderRoot.querySelector('skein-as-of')!;
  const menu = control.shadowRoot!.querySelector<Menu>('skein-menu')!;
  // Nothing has a date here.
  engine.period = async () => undefined;
  await menu.updateComplete;
  menu.shadowRoot!.querySelector('button')!.click();
  await expect.poll(() => textOf(menu)).toContain('have no dates');
  expect(menu.querySelectorAll('input').length).toBe(1);
  const turn = menu.querySelector<HTMLInputElement>('input[name="turn"]')!;
  const choose = (value: string) => {
    turn.value = value;
    turn.dispatchEvent(new InputEvent('input', { bubbles: true }));
    turn.form!.requestSubmit();
  };
  choose('41');
  await expect.poll(() => textOf(menu)).toContain('This thread has turns 1 to 40.');
  choose('12');
  await expect.poll(() => textOf(composer)).toContain('As of turn 12');
  expect(composer.shadowRoot!.activeElement).toBe(field);
  type('Who had the key?');
  press({});
  await expect
    .poll(async () => (await engine.listAsks('preview-1')).map(({ asOf }) => asOf))
    .toMatchObject([{ kind: 'turn', turns: 12, runs: [{ start: 0, end: 12 }] }]);
  await composer.updateComplete;
  composer.renderRoot.querySelector<HTMLElement>('.chip button')!.click();
  await composer.updateComplete;
  expect(composer.renderRoot.querySelector('.chip')).toBeNull();
  await expect.poll(() => composer.chat.run).toBeUndefined();
  type('Who has the key?');
  press({});
  await expect.poll(async () => (await engine.listAsks('preview-1')).at(1)?.asOf).toBeUndefined();
  await expect.poll(async () => (await engine.listAsks('preview-1')).length).toBe(2);
  // A question of the whole thread that is asked again stays one, whatever the chip says.
  await expect.poll(() => composer.chat.run).toBeUndefined();
  composer.askAsOf({ kind: 'turn', turns: 12 });
  await composer.askUpTo('Who has the key now?', undefined);
  await expect.poll(async () => (await engine.listAsks('preview-1')).length).toBe(3);
  expect((await engine.listAsks('preview-1')).at(2)!.asOf).toBeUndefined();
});
