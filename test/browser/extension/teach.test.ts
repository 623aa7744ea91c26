import { afterEach, expect, test } from 'vitest';
import { userEvent } from 'vitest/browser';
import { firstMatching } from '../../../src/extension/content/read/page-turns.ts';
import { turnSelectors } from '../../../src/extension/content/teach/taught-selectors.ts';
import { FakePort } from './fake-port.ts';
import { type OpenPage, openSite, SITES, type SiteName } from './open.ts';
import { clickButton, shownBySkein } from './shadow-roots.ts';

let open: OpenPage | undefined;
afterEach(() => open?.close());

test('a person points at an unknown site, which is captured from then on', async () => {
  const port = new FakePort();
  open = await openSite('plain', { port });
  const { replica } = open;
  // The bar stands at the top.
  replica.element.style.marginTop = '160px';
  await replica.say('Where is the key?', 'Under the pot.\n\nThe blue one.');
  await replica.say('And now?', 'Still there.');
  expect(port.of('capture')).toEqual([]);

  await port.emit({ kind: 'teach' });
  const bar = () => shownBySkein('teach')?.textContent ?? '';
  const bodies = () => replica.element.querySelectorAll<HTMLElement>('.row > div');
  await expect.poll(bar).toContain('one of your own messages');
  await userEvent.click(bodies()[0]!);
  await expect.poll(bar).toContain('Click an answer');
  // A paragraph of an answer: all of the answer is meant.
  await userEvent.click(bodies()[1]!.querySelector('p')!);
  await expect.poll(bar).toContain('2 messages of yours and 2 answers');
  clickButton(shownBySkein('teach'), 'right');
  await expect.poll(bar).toContain('in which you write');
  await userEvent.click(replica.editor.element);
  await expect.poll(bar).toContain('that sends');
  // The click that points is not a click for the page.
  await userEvent.click(replica.send);
  await expect.poll(() => port.of('taught').length).toBe(1);
  expect(shownBySkein('teach')).toBeUndefined();
  expect(replica.sent).toEqual([]);

  const { selectors } = port.of('taught')[0]!;
  expect([selectors.userTurn?.[0], selectors.assistantTurn?.[0]]).toEqual(['div.from-me', 'div.from-it']);
  const texts = () =>
    port.conversations.flatMap((conversation) => port.kept(conversation).map(({ text }) => text));
  await expect.poll(texts).toHaveLength(4);
  await replica.say('Thanks.', 'Welcome.');
  await expect.poll(texts).toHaveLength(6);
  expect(texts().at(-1)).toContain('Welcome.');
});

test('Escape gives up, and the page is as it was', async () => {
  const port = new FakePort();
  open = await openSite('plain', { port });
  await port.emit({ kind: 'teach' });
  await expect.poll(() => shownBySkein('teach')?.textContent).toContain('your own messages');
  await userEvent.keyboard('{Escape}');
  await expect.poll(() => shownBySkein('teach')).toBeUndefined();
  expect(port.of('taught')).toEqual([]);
  open.replica.editor.element.focus();
  await userEvent.keyboard('Hi{Enter}');
  expect(open.replica.sent).toEqual(['Hi']);
});

test.each(Object.keys(SITES) as SiteName[])(
  'what is derived on %s finds the turns its description finds',
  async (name) => {
    open = await openSite(name);
    const { replica } = open;
    for (const word of ['one', 'two', 'three']) await replica.say(`Say ${word}`, `${word}.\n\nAnd more.`);
    const { userTurn, assistantTurn } = SITES[name].selectors;
    const all = (selector: string) => [...document.querySelectorAll(selector)];
    const [users, assistants] = [all(firstMatching(userTurn)!), all(firstMatching(assistantTurn)!)];
    const derived = turnSelectors(users[1]!, assistants[2]!.querySelector('p')!)!;
    const textsOf = (elements: Element[]) => elements.map(({ textContent }) => textContent);
    const covers = (found: Element[], wanted: Element[]) =>
      expect(
        found.map((element) => wanted.findIndex((one) => one.contains(element) || element.contains(one))),
      ).toEqual([0, 1, 2]);
    for (const selector of derived.userTurn) covers(all(selector), users);
    for (const selector of derived.assistantTurn) covers(all(selector), assistants);
    expect(textsOf(all(derived.assistantTurn[0]!))[2]).toContain('And more.');
  },
);

test('without any name, position tells question and answer apart', () => {
  const list = document.createElement('ol');
  list.id = 'thread';
  for (const text of ['q1', 'a1', 'q2', 'a2'])
    list.append(Object.assign(document.createElement('li'), { textContent: text }));
  document.body.append(list);
  const [question, answer] = list.children as unknown as [Element, Element];
  expect(turnSelectors(question, answer)).toEqual({
    userTurn: ['#thread > :nth-child(odd)'],
    assistantTurn: ['#thread > :nth-child(even)'],
  });
  list.remove();
});
