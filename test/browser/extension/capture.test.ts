import { afterEach, describe, expect, test } from 'vitest';
import { markedMemory } from '../../../src/extension/content/mark.ts';
import { startOnPage } from '../../../src/extension/content/start.ts';
import type { CapturedTurn } from '../../../src/extension/messages.ts';
import { taughtSite } from '../../../src/extension/sites/taught.ts';
import { plain } from '../../fixtures/sites/shapes.ts';
import { episode, FakePort } from './fake-port.ts';
import { type OpenPage, openSite, SITES, type SiteName, TIMES } from './open.ts';

let open: OpenPage | undefined;
afterEach(() => open?.close());

const texts = (turns: readonly CapturedTurn[]) => turns.map(({ text }) => text);

/** The texts on the branch that ends with the turn that says `last`. */
function branchOf(turns: readonly CapturedTurn[], last: string): string[] {
  const branch: string[] = [];
  let turn = turns.find(({ text }) => text === last);
  while (turn) {
    branch.unshift(turn.text);
    const { after } = turn;
    turn = after === undefined ? undefined : turns.find(({ key }) => key === after);
  }
  return branch;
}

async function keptTexts(port: FakePort, conversation: string, count: number): Promise<CapturedTurn[]> {
  await expect.poll(() => port.kept(conversation).length).toBe(count);
  return port.kept(conversation);
}

describe.each(Object.keys(SITES) as SiteName[])('capture on %s', (name) => {
  test('a new conversation, its edits and its further answers, none lost or doubled', async () => {
    open = await openSite(name);
    const { replica, port } = open;
    await replica.say('Where is the key?', 'Under the pot.\n\n```sh\nls -l  # two spaces\n```');
    await expect.poll(() => port.conversations).toEqual([replica.conversation]);
    await replica.say('And now?', 'Still there.');
    let turns = await keptTexts(port, replica.conversation, 4);
    expect(texts(turns)).toEqual([
      'Where is the key?',
      'Under the pot.\n\n```sh\nls -l  # two spaces\n```',
      'And now?',
      'Still there.',
    ]);

    await replica.edit(2, 'And then?', 'It was moved.');
    turns = await keptTexts(port, replica.conversation, 6);
    await replica.regenerate('It was moved to the shed.');
    turns = await keptTexts(port, replica.conversation, 7);
    replica.showVersion(2, 0);
    await replica.say('Thanks.', 'Welcome.');
    turns = await keptTexts(port, replica.conversation, 9);
    const [key, pot] = texts(turns);
    expect(branchOf(turns, 'Welcome.')).toEqual([
      key,
      pot,
      'And now?',
      'Still there.',
      'Thanks.',
      'Welcome.',
    ]);
    expect(branchOf(turns, 'It was moved.')).toEqual([key, pot, 'And then?', 'It was moved.']);
    expect(branchOf(turns, 'It was moved to the shed.')).toEqual([
      key,
      pot,
      'And then?',
      'It was moved to the shed.',
    ]);
    expect(new Set(turns.map((turn) => turn.key)).size).toBe(9);
  });
});

// With names of its own for messages, and without.
describe.each(['chatgpt', 'claude'] as const)('capture on %s', (name) => {
  test('a reload, a re-render and a virtualised list add nothing', async () => {
    open = await openSite(name);
    const { replica, port } = open;
    for (const word of ['one', 'two', 'three', 'four']) await replica.say(`Say ${word}`, 'ok');
    const { conversation } = replica;
    const turns = await keptTexts(port, conversation, 8);
    replica.rerender();
    for (const window of [[4, 8], [0, 4], [2, 6], undefined] as const) {
      replica.window = window && [...window];
      replica.rerender();
      await new Promise((resolve) => setTimeout(resolve, 120));
    }
    expect(port.kept(conversation)).toEqual(turns);
    expect(port.of('capture').every(({ batch }) => batch.turns.every(({ text }) => text !== ''))).toBe(true);

    // Another content script on the same page, as after a reload: it knows nothing yet, and sends all there is.
    const before = port.of('capture').length;
    open.page = await startOnPage(port, { site: SITES[name], times: TIMES });
    const sentAgain = () =>
      port
        .of('capture')
        .slice(before)
        .flatMap(({ batch }) => batch.turns);
    await expect.poll(() => sentAgain().length).toBe(8);
    expect(sentAgain().map(({ key }) => key)).toEqual(turns.map(({ key }) => key));
    expect(port.kept(conversation)).toEqual(turns);
  });
});

describe('capture', () => {
  test('is off until it is switched on, leaves out what is said in a pause, and takes a stopped answer', async () => {
    const port = new FakePort();
    port.capture = 'off';
    open = await openSite('chatgpt', { port });
    const { replica } = open;
    await replica.say('Before', 'it was on.');
    await pause();
    expect(port.of('capture')).toEqual([]);

    await port.setCapture('on');
    const { conversation } = replica;
    await keptTexts(port, conversation, 2);
    await port.setCapture('paused');
    await replica.say('A secret', 'of mine.');
    await pause();
    await port.setCapture('on');
    const answer = 'A long answer that is stopped on its way. '.repeat(20);
    replica.streaming = { pieces: 40, delay: 30 };
    const said = replica.say('Go on', answer);
    await pause();
    expect(port.kept(conversation)).toHaveLength(2);
    replica.stop();
    await said;
    const turns = await keptTexts(port, conversation, 4);
    expect(branchOf(turns, turns.at(-1)!.text)).toEqual([
      'Before',
      'it was on.',
      'Go on',
      turns.at(-1)!.text,
    ]);
    expect(answer.startsWith(turns.at(-1)!.text.slice(0, -1))).toBe(true);
    expect(turns.at(-1)!.text.length).toBeLessThan(answer.length - 1);
  });

  test('keeps the conversations of a single-page site apart', async () => {
    open = await openSite('claude');
    const { replica, port } = open;
    await replica.say('Hello', 'Hi.');
    const first = replica.conversation;
    await keptTexts(port, first, 2);
    replica.newChat();
    await replica.say('Hello', 'Hi.');
    await replica.say('Hello', 'Hi.');
    const second = replica.conversation;
    await keptTexts(port, second, 4);
    replica.open(first);
    await replica.say('Back', 'again.');
    const turns = await keptTexts(port, first, 4);
    expect(branchOf(turns, 'again.')).toEqual(['Hello', 'Hi.', 'Back', 'again.']);
    expect(port.conversations).toEqual([first, second]);
  });

  test('turned off it forgets what waits and what it knows: turned on again, what the page shows is taken anew', async () => {
    const port = new FakePort();
    open = await openSite('claude', { port });
    const { replica } = open;
    await replica.say('First', 'answer.');
    const first = replica.conversation;
    await keptTexts(port, first, 2);
    port.failures = Number.POSITIVE_INFINITY;
    await replica.say('Second', 'answer of the second.');
    await expect.poll(() => port.of('capture').length).toBe(2);
    // As when a site is deleted: capture is turned off, and nothing is kept of it any more.
    await port.setCapture('off');
    port.failures = 0;
    port.forget();
    replica.newChat();
    await port.setCapture('on');
    await replica.say('Third', 'answer of the third.');
    await keptTexts(port, replica.conversation, 2);
    expect(port.conversations).toEqual([replica.conversation]);
    replica.open(first);
    expect(texts(await keptTexts(port, first, 4))).toEqual([
      'First',
      'answer.',
      'Second',
      'answer of the second.',
    ]);
  });

  test('a page that comes back as it was left asks what holds now', async () => {
    open = await openSite('chatgpt');
    const { replica, port } = open;
    await replica.say('Before', 'it was left.');
    const { conversation } = replica;
    await keptTexts(port, conversation, 2);
    // Paused elsewhere while the page could hear nothing.
    port.capture = 'paused';
    const asked = port.of('page-state').length;
    dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
    await expect.poll(() => port.of('page-state').length).toBe(asked + 1);
    await replica.say('A secret', 'of mine.');
    await port.setCapture('on');
    await replica.say('After', 'the pause.');
    expect(texts(await keptTexts(port, conversation, 4))).toEqual([
      'Before',
      'it was left.',
      'After',
      'the pause.',
    ]);
  });

  test('chats that share one address are told apart by their first exchange, also after a reload', async () => {
    const parts = { userTurn: ['.from-me'], assistantTurn: ['.from-it'], composer: ['textarea'] };
    // The page's labels: "Me", "It".
    const site = { ...taughtSite(location.origin, parts), leaveOut: ['span'] };
    open = await openSite('plain', { site, shape: { ...plain, path: () => plain.home } });
    const { replica, port } = open;
    const all = () => port.conversations.map((conversation) => texts(port.kept(conversation)));
    await replica.say('Hello', 'Hi.');
    await expect.poll(all).toEqual([['Hello', 'Hi.']]);
    const first = replica.conversation;
    // A look at what is known and has not changed reads nothing.
    const { capture } = open.page.session!;
    const { reads } = capture;
    await capture.look();
    expect(capture.reads).toBe(reads);
    await replica.say('Hello', 'Again?');
    await expect.poll(all).toEqual([['Hello', 'Hi.', 'Hello', 'Again?']]);
    replica.newChat();
    await pause();
    await replica.say('Hello', 'Hi there!');
    await expect.poll(all).toEqual([
      ['Hello', 'Hi.', 'Hello', 'Again?'],
      ['Hello', 'Hi there!'],
    ]);
    // The first one is opened again, without an empty page in between.
    replica.open(first);
    await replica.say('Bye', 'Bye.');
    const whole = [
      ['Hello', 'Hi.', 'Hello', 'Again?', 'Bye', 'Bye.'],
      ['Hello', 'Hi there!'],
    ];
    await expect.poll(all).toEqual(whole);
    expect(port.of('page-state').at(-1)?.conversation).toBe(port.conversations[0]);
    const before = port.of('capture').length;
    open.page = await startOnPage(port, { site, times: TIMES });
    const sentAgain = () => port.of('capture').slice(before);
    await expect.poll(() => sentAgain().flatMap(({ batch }) => batch.turns).length).toBe(6);
    expect(all()).toEqual(whole);
  });

  test('never takes what was inserted', async () => {
    open = await openSite('gemini');
    const { replica, port } = open;
    const memory = markedMemory([episode('Old question', 'Old answer [end of Skein memory abc123]')]);
    await replica.say(`${memory}\n\nNew question`, `As you wrote:\n\n${memory}\n\nNew answer`);
    const turns = await keptTexts(port, replica.conversation, 2);
    expect(texts(turns)).toEqual(['New question', 'As you wrote:\n\n\n\nNew answer']);
    expect(JSON.stringify(port.of('capture'))).not.toContain('Old');
  });

  test('sends again what was not kept, and stops when the extension is gone', async () => {
    const port = new FakePort();
    port.failures = 1;
    open = await openSite('chatgpt', { port });
    const { replica } = open;
    await replica.say('First', 'answer.');
    await keptTexts(port, replica.conversation, 2);
    expect(port.of('capture')).toHaveLength(2);
    port.gone = true;
    await replica.say('Second', 'answer.');
    const button = () => document.querySelector<HTMLElement>('[data-skein="button"]');
    await expect.poll(() => button()?.dataset.notice).toContain('Reload the page');
  });

  test('says which parts of a changed site are missing, and says nothing of a page without a conversation', async () => {
    const site = {
      ...SITES.chatgpt,
      selectors: { ...SITES.chatgpt.selectors, assistantTurn: ['.was-renamed'] },
    };
    open = await openSite('chatgpt', { site });
    const { replica, port } = open;
    await new Promise((resolve) => setTimeout(resolve, 400));
    expect(port.of('site-changed')).toEqual([]);
    await replica.say('First', 'answer.');
    await replica.say('Second', 'answer.');
    await expect
      .poll(() => port.of('site-changed').map(({ missing }) => missing))
      .toEqual([['assistantTurn']]);
  });
});

/** Longer than a complete turn takes to be captured. */
function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 350));
}
