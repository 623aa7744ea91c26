import { afterEach, expect, test } from 'vitest';
import type { ImportReport } from '../../../src/import/contract.ts';
import { ImportReportView } from '../../../src/ui/import/import-report.ts';
import { button, closePage, find, findAll, openPage, textOf } from './page.ts';

afterEach(closePage);

test('The account adds up in sight: found = imported + skipped + failed', async () => {
  const report: ImportReport = {
    files: { found: 2, imported: 1, skipped: 0, failed: 1 },
    formats: ['chatgpt'],
    conversations: { found: 10, imported: 7, skipped: 2, failed: 1 },
    messages: { found: 1500, imported: 1444, skipped: 50, failed: 6 },
    problems: [{ kind: 'failed', place: 'broken.json', reason: 'Not JSON at line 3', messages: 6 }],
    problemsLeftOut: 4,
  };
  const view = new ImportReportView();
  view.report = report;
  document.body.append(view);
  await view.updateComplete;
  const lines = [...view.renderRoot.querySelectorAll('tbody tr')].map((line) =>
    [...line.querySelectorAll('td')].map((cell) => Number(cell.textContent.replace(/\D/g, ''))),
  );
  expect(lines).toEqual([
    [2, 1, 0, 1],
    [10, 7, 2, 1],
    [1500, 1444, 50, 6],
  ]);
  for (const [found, ...parts] of lines) expect(parts.reduce((a, b) => a + b)).toBe(found);
  expect(view.renderRoot.textContent).toContain('Not JSON at line 3');
  expect(view.renderRoot.textContent).toMatch(/4 more entries/);
  view.remove();
});

test('Files dropped on the page are offered, imported and accounted for', async () => {
  const { engine } = await openPage({ turns: 0 }, '#/');
  const data = new DataTransfer();
  data.items.add(new File(['{}'], 'conversations.json'));
  window.dispatchEvent(new DragEvent('drop', { dataTransfer: data, cancelable: true }));
  await expect.poll(() => findAll('dialog[open]').length).toBe(1);
  await expect.poll(() => textOf(find('dialog[open]'))).toContain('conversations.json');
  find<HTMLFormElement>('dialog[open] form').requestSubmit();
  await expect.poll(() => findAll('skein-import-report').length).toBe(1);
  button('Open the thread').click();
  const [thread] = await engine.listThreads();
  await expect.poll(() => location.hash).toBe(`#/t/${thread!.id}`);
});

test('A cancelled import goes back to the choice and stores nothing', async () => {
  const { engine, app } = await openPage({ turns: 0 }, '#/');
  engine.delay = 60_000;
  const data = new DataTransfer();
  data.items.add(new File(['{}'], 'conversations.json'));
  window.dispatchEvent(new DragEvent('drop', { dataTransfer: data, cancelable: true }));
  await expect.poll(() => findAll('dialog[open] form').length).toBe(1);
  engine.delay = 20;
  find<HTMLFormElement>('dialog[open] form').requestSubmit();
  await expect.poll(() => findAll('dialog[open] progress').length).toBe(1);
  button('Cancel import').click();
  await expect.poll(() => findAll('dialog[open] form').length).toBe(1);
  expect(await engine.listThreads()).toEqual([]);
  expect(app.session.toasts).toEqual([]);
});
