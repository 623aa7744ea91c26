import { expect, type Locator, type Page } from '@playwright/test';
import type { EngineApi } from '../../src/engine/contract.ts';

/** What a person does on the page, and what they see. */

interface Engine {
  readonly engine: EngineApi;
}

export async function openDemo(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Load the demo thread' }).click();
  await page.waitForURL(/#\/t\//);
}

export async function startThread(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'New thread' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill(name);
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await page.waitForURL(/#\/t\//);
  await expect(page.getByRole('heading', { name, level: 1 })).toBeVisible();
}

export async function choose(page: Page, mode: 'Ask' | 'Add to thread'): Promise<void> {
  // The radio itself is transparent and lies over its label.
  await page.getByRole('radio', { name: mode, exact: true }).check();
}

/** The field below the thread. */
export function field(page: Page): Locator {
  return page.locator('skein-composer textarea');
}

/** Types turns one after another, user and model in turn, as the composer proposes. */
export async function typeTurns(page: Page, texts: readonly string[]): Promise<void> {
  for (const [i, text] of texts.entries()) {
    await choose(page, 'Add to thread');
    await field(page).fill(text);
    await field(page).press('Enter');
    await expect(field(page)).toHaveValue('');
    if (i === 0) await expect(page.locator('skein-thread-scroller')).toBeVisible();
  }
}

export async function ask(page: Page, question: string): Promise<Locator> {
  await choose(page, 'Ask');
  await field(page).fill(question);
  await field(page).press('Enter');
  const answer = page
    .locator('skein-ask')
    .filter({ has: page.getByRole('heading', { name: question, exact: true }) });
  await expect(answer.last()).toBeVisible();
  return answer.last();
}

/** The text of the episode recalled at a place, from 1. */
export function recalled(answer: Locator, place: number): Locator {
  return answer.getByRole('article', { name: new RegExp(`^Recalled ${place}:`) });
}

/** Waits until every turn of the open thread has been read into memory. */
export async function ingested(page: Page, timeout = 60_000): Promise<void> {
  const threadId = threadOf(page);
  await expect
    .poll(
      async () => {
        const thread = (await engine(page, ({ engine }) => engine.listThreads())).find(
          ({ id }) => id === threadId,
        );
        return thread && thread.turns > 0 && thread.ingested === thread.turns && !thread.ingesting;
      },
      { timeout },
    )
    .toBe(true);
}

/** Id of the thread that the address names. */
export function threadOf(page: Page): string {
  return decodeURIComponent(/#\/t\/([^/]+)/.exec(page.url())?.[1] ?? '');
}

/** Calls the page's engine, as the page itself does. `call` runs in the page and must not close over anything. */
export async function engine<T, A = undefined>(
  page: Page,
  call: (page: Engine, arg: A) => Promise<T>,
  arg?: A,
): Promise<T> {
  const app = await page.evaluateHandle(() => document.querySelector('skein-app') as unknown as Engine);
  return app.evaluate(call as (page: Engine, arg: unknown) => Promise<T>, arg);
}

/** Every record of every store, as one text: what is in it can still be found on this device. */
export function everythingStored(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const done = <R>(request: IDBRequest<R>) =>
      new Promise<R>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
      });
    const database = await done(indexedDB.open('skein'));
    const names = [...database.objectStoreNames];
    const transaction = database.transaction(names);
    const rows = await Promise.all(names.map((name) => done(transaction.objectStore(name).getAll())));
    database.close();
    return JSON.stringify(rows, (_, value) =>
      value instanceof Uint8Array ? new TextDecoder('latin1').decode(value) : value,
    );
  });
}

/** Pastes a text into the field below the thread, as from the clipboard. */
export async function paste(page: Page, text: string): Promise<void> {
  await field(page).focus();
  await page.evaluate((pasted) => {
    const field = (function find(root: ParentNode): HTMLTextAreaElement | undefined {
      for (const element of root.querySelectorAll('*')) {
        if (element.localName === 'skein-composer') return element.shadowRoot!.querySelector('textarea')!;
        const found = element.shadowRoot && find(element.shadowRoot);
        if (found) return found;
      }
      return undefined;
    })(document)!;
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', pasted);
    const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
    // What the browser does with a paste that nobody took.
    if (field.dispatchEvent(event)) {
      field.value = pasted;
      field.dispatchEvent(new InputEvent('input', { bubbles: true }));
    }
  }, text);
}

/** Chooses files in the import dialog and imports them as one thread of that name. */
export async function importFiles(page: Page, files: readonly ImportedFile[], name?: string): Promise<void> {
  await page.getByRole('button', { name: 'Import', exact: true }).first().click();
  const dialog = page.locator('skein-import-dialog dialog');
  await dialog.locator('input[type=file]').setInputFiles([...files]);
  if (name !== undefined) await dialog.getByRole('textbox', { name: 'Name' }).fill(name);
  await dialog.getByRole('button', { name: 'Import', exact: true }).click();
}

export interface ImportedFile {
  readonly name: string;
  readonly mimeType: string;
  readonly buffer: Buffer;
}

/** Asks, and gives the place (from 1; 0 for none) of the first recalled episode that holds one of `texts`. */
export async function askForRank(page: Page, question: string, texts: readonly string[]): Promise<number> {
  await expect(recalled(await ask(page, question), 1)).toBeVisible();
  return engine(
    page,
    async ({ engine }, { id, question, texts }) => {
      const { episodes } = (await engine.listAsks(id)).findLast(({ text }) => text === question)!;
      const { turns } = (await engine.listThreads()).find((thread) => thread.id === id)!;
      const deciding = (await engine.readTurns(id, 0, turns))
        .filter((turn) => texts.some((text) => turn.text.includes(text)))
        .map(({ index }) => index);
      if (deciding.length === 0) throw new Error(`No turn of the thread decides: ${question}`);
      return episodes.findIndex(({ start, end }) => deciding.some((turn) => turn >= start && turn < end)) + 1;
    },
    { id: threadOf(page), question, texts },
  );
}
