import { afterEach, beforeEach, expect, test } from 'vitest';
import { SkeinError } from '../../../src/core/errors.ts';
import type { ModelSettings } from '../../../src/ui/models/model-settings.ts';
import type { ModelsSession } from '../../../src/ui/models/models-session.ts';
import type { ModelsView } from '../../../src/ui/models/models-view.ts';
import {
  type PreviewDownloads,
  type PreviewFiles,
  previewModels,
} from '../../../src/ui/preview/preview-models.ts';
import { button, closePage, find, findAll, openPage, textOf } from './page.ts';

const EMBEDDED = 'SmolLM2-135M-Instruct';

let models: ModelsSession;
let files: PreviewFiles;
let settings: ModelSettings;
let downloads: PreviewDownloads;

beforeEach(async () => {
  downloads = { delay: 1 };
  ({ models, files, settings } = previewModels(downloads));
  await openPage({ turns: 0 }, '#/models', undefined, models);
  await expect.poll(() => findAll('skein-model-item').length).toBeGreaterThan(10);
});
afterEach(closePage);

function text(selector: string): string {
  return textOf(find(selector)).replace(/\s+/g, ' ').trim();
}

/** The entry of a model. */
function item(title: RegExp): HTMLElement {
  const found = findAll('skein-model-item').find((one) =>
    title.test(textOf(one.shadowRoot!.querySelector('h3')!)),
  );
  if (!found) throw new Error(`No model ${title}`);
  return found;
}

const itemText = (title: RegExp) => textOf(item(title)).replace(/\s+/g, ' ');

test('Models are listed with what they are and need, and what fits comes before what does not', async () => {
  const embedded = itemText(/comes with this site|SmolLM2 135M Instruct/);
  expect(embedded).toMatch(/135 million parameters · 100 MB from this site/);
  expect(embedded).toMatch(/Apache-2\.0/);
  expect(embedded).toMatch(/does not reason/);
  const headings = findAll('h2').map(textOf);
  expect(headings.indexOf('Fits this device')).toBeLessThan(headings.indexOf('May not fit'));
  expect(itemText(/Gemma 2 9B/)).toMatch(/the browser does not tell whether there is as much/);
  expect(text('skein-in-use-section')).toContain('Recall only');
  expect(text('skein-device-section')).toMatch(/with shader-f16.*8 GB or more.*8 cores/);
});

test('A download is shown, paused, resumed and used; then it is deleted, and recall only is back', async () => {
  downloads.delay = 100;
  button(/^Download SmolLM2 135M Instruct/).focus();
  button(/^Download SmolLM2 135M Instruct/).click();
  await expect.poll(() => itemText(/SmolLM2 135M Instruct/)).toMatch(/\d+ MB of 100 MB/);
  // The entry has moved to another group, and the focus with it.
  await expect
    .poll(() => item(/SmolLM2 135M Instruct/).shadowRoot!.activeElement?.textContent)
    .toContain('Pause');
  await expect.poll(() => find<HTMLProgressElement>('progress').value).toBeGreaterThan(0);
  button(/^Pause/).click();
  await expect.poll(() => itemText(/SmolLM2 135M Instruct/)).toMatch(/Paused\. .*are here/);
  expect((await files.list())[0]).toMatchObject({ modelId: EMBEDDED, complete: false });
  downloads.delay = 0;
  button(/^Resume/).click();
  await expect.poll(() => text('skein-toasts')).toContain('is on this device');
  expect(findAll('h2').map(textOf)).toContain('On this device');
  button(/^Use SmolLM2/).click();
  await expect.poll(() => text('skein-in-use-section')).toContain('loaded when the next question is asked');
  expect(settings.chosen).toBe(EMBEDDED);
  button(/^Delete SmolLM2/).click();
  await expect.poll(() => findAll('dialog[open] button[value="yes"]').length).toBe(1);
  expect(textOf(find('skein-confirm'))).toContain('recall only');
  find('dialog[open] button[value="yes"]').click();
  await expect.poll(() => text('skein-in-use-section')).toContain('Recall only');
  expect(settings.chosen).toBeUndefined();
  expect(await files.list()).toEqual([]);
});

test('A download that fails says why and what to do, and can go on', async () => {
  downloads.failure = new SkeinError('quota', 'There is no room.', 'Delete a model.');
  button(/^Download SmolLM2 135M Instruct/).click();
  await expect
    .poll(() => findAll('[role="alert"]').map(textOf).join(' '))
    .toMatch(/There is no room\. Delete a model\./);
  downloads.failure = undefined;
  button(/^Resume/).click();
  await expect.poll(() => models.models.find(({ model }) => model.id === EMBEDDED)?.files.kind).toBe('kept');
});

test('A server is added with a warning that text leaves the tab; its key is kept only when asked for', async () => {
  const form = find('skein-endpoint-form').shadowRoot!.querySelector('form')!;
  const field = (name: string) => form.elements.namedItem(name) as HTMLInputElement;
  const fill = (name: string, value: string) => {
    field(name).value = value;
    field(name).dispatchEvent(new InputEvent('input', { bubbles: true }));
  };
  const add = () => form.requestSubmit();
  fill('url', 'https://example.com');
  fill('model', 'qwen');
  add();
  await expect.poll(() => textOf(form)).toMatch(/not on this machine/);
  fill('url', 'http://localhost:8080');
  await expect.poll(() => textOf(form)).toMatch(/Text leaves this tab.*http:\/\/localhost:8080/s);
  fill('key', 'secret-1');
  expect(field('keep').checked).toBe(false);
  add();
  const id = 'endpoint:http://localhost:8080/v1:qwen';
  await expect.poll(() => settings.own.map((model) => model.id)).toEqual([id]);
  expect(settings.endpointKey(id)).toBeUndefined();
  button(/^Use qwen/).click();
  await expect.poll(() => text('skein-in-use-section')).toContain('Text leaves this tab');
  fill('url', 'http://localhost:8080');
  fill('model', 'qwen');
  fill('key', 'secret-2');
  field('keep').checked = true;
  add();
  await expect.poll(() => settings.endpointKey(id)).toBe('secret-2');
  await models.erase();
  expect([settings.own, settings.endpointKey(id), settings.chosen]).toEqual([[], undefined, undefined]);
});

test('A WebLLM model of one’s own needs an address that the page may fetch from', async () => {
  const form = find('skein-webllm-form').shadowRoot!.querySelector('form')!;
  const field = (name: string) => form.elements.namedItem(name) as HTMLInputElement;
  field('url').value = 'https://elsewhere.example/model';
  field('library').value = 'https://huggingface.co/me/model/resolve/main/model.wasm';
  form.requestSubmit();
  await expect.poll(() => textOf(form)).toMatch(/may not fetch from https:\/\/elsewhere\.example/);
  field('url').value = 'https://huggingface.co/me/model-MLC';
  form.requestSubmit();
  await expect.poll(() => settings.own.map(({ title }) => title)).toEqual(['model-MLC']);
  expect(settings.own[0]!.source).toMatchObject({ kind: 'url', url: 'https://huggingface.co/me/model-MLC' });
});

test('Dropped files that are no model are refused by name, and nothing is kept', async () => {
  const view = find<ModelsView>('skein-models');
  await view.takeFiles([{ path: 'notes.txt', file: new File(['hello'], 'notes.txt') }]);
  await expect.poll(() => text('skein-own-models-section')).toMatch(/notes\.txt.*Add a GGUF file/);
  await view.takeFiles([{ path: 'broken.gguf', file: new File(['GGUX'], 'broken.gguf') }]);
  await expect.poll(() => text('skein-own-models-section')).toMatch(/broken\.gguf/);
  expect(await files.list()).toEqual([]);
  expect(settings.own).toEqual([]);
});
