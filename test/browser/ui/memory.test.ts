import { afterEach, expect, test } from 'vitest';
import { button, closePage, find, findAll, openPage, textOf } from './page.ts';

afterEach(closePage);

const MEMORY = '#/t/preview-1/memory';
const items = () => findAll('skein-episode-item');

test('An episode is forgotten, forgetting is undone, and forgotten ones can be brought back later', async () => {
  const { engine } = await openPage({ turns: 60 }, MEMORY);
  const forgotten = async () =>
    (await engine.listEpisodes('preview-1')).filter(({ forgottenAt }) => forgottenAt);
  await expect.poll(() => items().length).toBeGreaterThan(3);

  button(/^Forget /).click();
  await expect.poll(async () => (await forgotten()).length).toBe(1);
  await expect.poll(() => textOf(find('skein-toasts'))).toContain('will not be recalled');
  button('Undo').click();
  await expect.poll(async () => (await forgotten()).length).toBe(0);

  button(/^Forget /).click();
  await expect.poll(async () => (await forgotten()).length).toBe(1);
  find<HTMLInputElement>('skein-memory-view input[value="forgotten"], input[value="forgotten"]').click();
  await expect.poll(() => items().length).toBe(1);
  button(/^Remember /).click();
  await expect.poll(async () => (await forgotten()).length).toBe(0);
});

test('A forgotten episode is not recalled', async () => {
  const { engine } = await openPage({ turns: 60 }, MEMORY);
  const before = await engine.ask('preview-1', 'late patients for Dr Sorrel');
  const first = before.episodes[0]!.episode;
  await engine.forgetEpisode('preview-1', first, true);
  const after = await engine.ask('preview-1', 'late patients for Dr Sorrel');
  expect(after.episodes.map(({ episode }) => episode)).not.toContain(first);
});

test('Erasing asks first, says that there is no undo, and Cancel erases nothing', async () => {
  const { engine } = await openPage({ turns: 60 }, MEMORY);
  await expect.poll(() => items().length).toBeGreaterThan(3);
  const erased = async () =>
    (await engine.readTurns('preview-1', 0, 60)).filter((turn) => turn.erased).length;

  button('Erase episode').click();
  await expect.poll(() => findAll('dialog[open]').length).toBe(1);
  expect(textOf(find('dialog[open]'))).toContain('There is no undo');
  button('Cancel').click();
  await expect.poll(() => findAll('dialog[open]').length).toBe(0);
  expect(await erased()).toBe(0);

  button('Erase episode').click();
  await expect.poll(() => findAll('dialog[open]').length).toBe(1);
  find('dialog[open] button[value="yes"]').click();
  await expect.poll(erased).toBeGreaterThan(0);
});

test('The search lists turns with the words marked, and leads to their place', async () => {
  await openPage({ turns: 60 }, MEMORY);
  await expect.poll(() => findAll('#query').length).toBe(1);
  const field = find<HTMLInputElement>('#query');
  field.value = 'garlic';
  field.dispatchEvent(new InputEvent('input'));
  await expect.poll(() => findAll('mark').length).toBeGreaterThan(0);
  expect(new Set(findAll('mark').map((mark) => mark.textContent!.toLowerCase()))).toEqual(
    new Set(['garlic']),
  );
  find<HTMLAnchorElement>('skein-search-results a, ol a').click();
  await expect.poll(() => location.hash).toMatch(/^#\/t\/preview-1\/turn\/\d+$/);
});
