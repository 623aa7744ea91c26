import { afterEach, describe, expect, test } from 'vitest';
import type { CapturedTurn } from '../../../src/extension/messages.ts';
import type { FakePort } from './fake-port.ts';
import { type OpenPage, openSite, SITES, type SiteName } from './open.ts';

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

    // Another content script on the same page, as after a reload.
    open.page.stop();
    const again = await openSite(name, { port });
    open.replica.remove();
    again.replica.remove();
    open = again;
    expect(port.kept(conversation)).toEqual(turns);
  });
});
