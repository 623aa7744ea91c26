import { afterEach, expect, test } from 'vitest';
import { SkeinError } from '../../../src/core/errors.ts';
import type { App } from '../../../src/ui/app.ts';
import type { Composer } from '../../../src/ui/chat/composer.ts';
import { PREVIEW_MODEL, PreviewAnswers } from '../../../src/ui/preview/preview-answers.ts';
import type { PreviewEngine } from '../../../src/ui/preview/preview-engine.ts';
import { button, closePage, find, findAll, openPage, textOf } from './page.ts';

afterEach(closePage);

const QUESTION = 'A patient of Dr Sorrel is eleven minutes late. What do I do?';
const THREAD = 'preview-1';

let app: App;
let engine: PreviewEngine;
let answers: PreviewAnswers;

async function open(turns = 60, said = ['Rebook, unless there is a ticket [1].']): Promise<void> {
  answers = new PreviewAnswers();
  answers.answers = said;
  ({ app, engine } = await openPage({ turns }, '#/t/preview-1', answers));
}

function ask(question = QUESTION): Promise<void> {
  return find<Composer>('skein-composer').ask(question);
}

function inside<T extends Element>(host: string, selector: string): T {
  return find(host).shadowRoot!.querySelector<T>(selector)!;
}

const settled = () => expect.poll(() => findAll('skein-pending-answer').length).toBe(0);
const lastTurns = async (count: number) => {
  const { turns } = (await engine.listThreads()).find(({ id }) => id === THREAD)!;
  return (await engine.readTurns(THREAD, turns - count, turns)).map(({ text }) => text);
};

test('an answer is streamed, becomes a turn, and cites an episode that a click goes to', async () => {
  await open();
  answers.loadPause = 20;
  answers.tokenPause = 30;
  const asked = ask();
  await expect.poll(() => textOf(find('skein-pending-answer'))).toMatch(/Loading Preview 135M:\s+.*98 MB/);
  await expect.poll(() => textOf(find('skein-pending-answer'))).toContain('Rebook');
  expect(textOf(find('skein-composer'))).toContain('Stop');
  await asked;
  await settled();
  expect(await lastTurns(2)).toEqual([QUESTION, 'Rebook, unless there is a ticket [1].']);
  expect(findAll('skein-ask')).toEqual([]);
  const about = textOf(find('skein-answer'));
  expect(about).toMatch(/The model read \d passages of this thread and cites 1/);
  expect(about).toMatch(/Recalled\s*\d+ tokens/);
  expect(about).toContain('transformers.js on the processor (WASM)');
  expect(findAll('skein-recalled-episode').filter((source) => textOf(source).includes('Cited'))).toHaveLength(
    1,
  );
  expect(textOf(inside('skein-chat-view', '[role="status"]'))).toMatch(
    /The answer is there.*1 episode cited/,
  );

  find<HTMLElement>('.cite').click();
  const [record] = await engine.listAsks(THREAD);
  const { episode } = record!.answer!.versions[0]!.passages[0]!;
  const { decisive } = record!.episodes.find((recalled) => recalled.episode === episode)!;
  expect(location.hash).toBe(`#/t/preview-1/turn/${decisive[0]! + 1}`);
});

test('Stop keeps what was written and says so; the next question is answered at once', async () => {
  await open(60, ['One two three four five six seven eight nine ten.', 'Second.']);
  answers.tokenPause = 40;
  const asked = ask();
  await expect.poll(() => textOf(find('skein-pending-answer'))).toContain('One');
  button('Stop').click();
  await asked;
  await settled();
  expect(textOf(find('skein-answer'))).toContain('You stopped this answer.');
  const [kept] = await lastTurns(1);
  expect(kept).toMatch(/^One/);
  expect(kept).not.toContain('ten');
  await ask('Who has the key?');
  await settled();
  expect(await lastTurns(2)).toEqual(['Who has the key?', 'Second.']);
});

test('stopped before the first word, the question stays and can be answered yet', async () => {
  await open();
  answers.readPause = 60;
  const asked = ask();
  await expect.poll(() => textOf(find('skein-pending-answer'))).toMatch(/reads .* tokens/);
  button('Stop').click();
  await asked;
  await expect.poll(() => findAll('skein-ask').length).toBe(1);
  expect(await lastTurns(1)).not.toContain(QUESTION);
  button('Answer with Preview 135M').click();
  await expect.poll(() => findAll('skein-answer').length).toBe(1);
  expect((await lastTurns(2))[0]).toBe(QUESTION);
  expect(await engine.listAsks(THREAD)).toHaveLength(1);
});

test('Retry gives another version beside the first, and one can go back', async () => {
  await open(60, ['First answer [1].', 'Second answer.']);
  await ask();
  await settled();
  button('Retry').click();
  await expect.poll(() => textOf(find('skein-answer'))).toContain('2 of 2');
  expect(await lastTurns(1)).toEqual(['Second answer.']);
  expect(textOf(find('skein-answer'))).toContain('named none of them as its source');
  button('Earlier version').click();
  await expect.poll(() => textOf(find('skein-answer'))).toContain('1 of 2');
  expect(await lastTurns(1)).toEqual(['First answer [1].']);
  const [record] = await engine.listAsks(THREAD);
  expect(record!.answer!.versions.map(({ text }) => text)).toEqual([undefined, 'Second answer.']);
});

test('an edited question is asked in a branch, and the old thread stays', async () => {
  await open();
  await ask();
  await settled();
  button('Edit question').click();
  await expect.poll(() => findAll('skein-turn-editor').length).toBe(1);
  const field = inside<HTMLTextAreaElement>('skein-turn-editor', 'textarea');
  await expect.poll(() => field.value).toBe(QUESTION);
  field.value = 'And Dr Amadi?';
  field.dispatchEvent(new InputEvent('input'));
  await expect.poll(() => textOf(find('skein-turn-editor'))).toContain('Ask in a branch');
  button('Ask in a branch').click();
  const branch = () => app.session.threads.find(({ branchedFrom }) => branchedFrom);
  await expect.poll(() => branch()?.turns).toBe(62);
  await settled();
  expect(branch()!.name).toBe('Front desk and everything else (branch)');
  expect(location.hash).toBe(`#/t/${branch()!.id}`);
  await expect.poll(() => textOf(find('.branch'))).toMatch(/Up to here the same as\s+Front desk/);
  expect((await engine.readTurns(branch()!.id, 60, 62))[0]!.text).toBe('And Dr Amadi?');
  expect(await lastTurns(2)).toEqual([QUESTION, 'Rebook, unless there is a ticket [1].']);
});

test('a failure in mid-answer shows what was written, and trying again asks nothing twice', async () => {
  await open();
  answers.breaks = new SkeinError('device-lost', 'The graphics device was lost.', 'Close other tabs.');
  await ask();
  const failed = () => textOf(find('skein-failed-answer'));
  expect(failed()).toContain('The graphics device was lost. Close other tabs.');
  answers.breaks = undefined;
  button('Try again').click();
  await expect.poll(() => findAll('skein-answer').length).toBe(1);
  expect(failed().trim()).toBe('');
  expect(await engine.listAsks(THREAD)).toHaveLength(1);
});

test('an empty thread is a chat, and a server of one’s own says that text leaves the tab', async () => {
  await open();
  const source = { kind: 'endpoint', url: 'http://127.0.0.1:1/v1', model: 'mine' } as const;
  answers.chosen = { ...PREVIEW_MODEL, engine: 'endpoint', title: 'My server', source };
  const { id } = await engine.createThread('Empty');
  engine.recallsEmpty = true;
  location.hash = `#/t/${id}`;
  await expect.poll(() => textOf(find('skein-chat-view'))).toContain('Nothing here yet');
  expect(find<Composer>('skein-composer').mode).toBe('ask');
  expect(textOf(find('skein-composer'))).toContain('Text leaves this tab');
  await ask('Good morning');
  await expect.poll(() => findAll('skein-answer').length).toBe(1);
  const about = textOf(find('skein-answer'));
  expect(about).toContain('The text left this tab');
  expect(about).toContain('the answer comes from the model alone');
});

test('an answer as of a turn says so, and so does its question', async () => {
  await open();
  find<Composer>('skein-composer').askAsOf({ kind: 'turn', turns: 40 });
  await ask();
  await settled();
  expect(await lastTurns(2)).toEqual([`As of turn 40: ${QUESTION}`, 'Rebook, unless there is a ticket [1].']);
  await expect.poll(() => textOf(find('skein-answer'))).toContain('As of turn 40');
  expect(textOf(find('skein-answer'))).toContain('From 40 of 60 turns, those said up to turn 40.');
});
