import { afterEach, expect, test } from 'vitest';
import { userEvent } from 'vitest/browser';
import { closePage, find, findAll, openPage, textOf } from './page.ts';

afterEach(closePage);

/** The focused element, through every shadow root. */
function focused(): HTMLElement {
  let active = document.activeElement;
  while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement;
  return active as HTMLElement;
}

const name = () => (focused().getAttribute('aria-label') ?? textOf(focused())).replace(/\s+/g, ' ').trim();

test('The first Tab offers to skip the list, and a question is asked and answered without a mouse', async () => {
  await openPage({ turns: 60 }, '#/t/preview-1');
  await expect.poll(() => findAll('skein-user-text').length).toBeGreaterThan(0);
  await userEvent.tab();
  expect(name()).toBe('Skip to the thread');
  await userEvent.keyboard('{Enter}');
  expect(focused().id).toBe('main');

  find('#text').focus();
  await userEvent.keyboard('Who has the key to the small hall?{Enter}');
  await expect.poll(() => findAll('blockquote').length).toBeGreaterThan(0);
  expect(focused().id).toBe('text');
});

test('A menu opens with Enter, moves the focus in, and Escape closes it', async () => {
  await openPage({ turns: 60 }, '#/t/preview-1');
  find('skein-thread-header')
    .shadowRoot!.querySelector<HTMLElement>('skein-menu[label="Thread: more"]')!
    .shadowRoot!.querySelector('button')!
    .focus();
  await userEvent.keyboard('{Enter}');
  await expect.poll(name).toBe('Export thread');
  await userEvent.keyboard('{Escape}');
  await expect.poll(name).toBe('Thread: more');
  expect(focused().getAttribute('aria-expanded')).toBe('false');
});

test('Forgetting keeps the focus where it was, so that it can be taken back at once', async () => {
  await openPage({ turns: 60 }, '#/t/preview-1/memory');
  await expect.poll(() => findAll('skein-episode-item').length).toBeGreaterThan(3);
  const forget = findAll('button').find((button) =>
    button.getAttribute('aria-label')?.startsWith('Forget '),
  )!;
  const place = forget.getAttribute('aria-label')!.slice('Forget '.length);
  forget.focus();
  await userEvent.keyboard('{Enter}');
  await expect.poll(name).toBe(`Remember ${place}`);
  await userEvent.keyboard('{Enter}');
  await expect.poll(name).toBe(`Forget ${place}`);
});
