import { afterEach, expect, test } from 'vitest';
import { ReplayService } from '../../../src/replay/lab/service.ts';
import { readLedger } from '../../../src/replay/report.ts';
import { PreviewEngine } from '../../../src/ui/preview/preview-engine.ts';
import type { HistoriesView } from '../../../src/ui/replay/histories-view.ts';
import { ReplayView } from '../../../src/ui/replay/replay-view.ts';
import { Session } from '../../../src/ui/session.ts';
import { FakeEngine } from '../../unit/chat/fakes.ts';
import { WORKED_EXAMPLE } from '../../unit/replay/support.ts';
import { ToyEmbedder } from '../../unit/systems/support.ts';
import { find, findAll, textOf } from '../ui/page.ts';
import '../../../src/ui/design/tokens.css';

afterEach(() => document.querySelector('skein-replay')?.remove());

const service = new ReplayService({
  readExample: async () => WORKED_EXAMPLE.map((line) => JSON.stringify(line)).join('\n'),
  openEmbedder: async () => new ToyEmbedder(),
  openAnswerEngine: async () => new FakeEngine(),
  engine: 'test',
});

const press = (name: string, element = 'skein-replay') =>
  [...find(element).shadowRoot!.querySelectorAll('button')]
    .find((one) => textOf(one).trim() === name)!
    .click();

test('A corpus is replayed in the tab: what is chosen runs, trajectories are drawn, the ledger can be taken away', async () => {
  const view = new ReplayView();
  view.session = new Session(new PreviewEngine({ turns: 2 }));
  view.replay = service;
  document.body.append(view);
  await expect.poll(() => textOf(view)).toContain('6 turns');
  expect(textOf(view)).toContain('3 probes');
  press('Replay');
  await expect.poll(() => findAll('skein-replay-result').length, { timeout: 20_000 }).toBe(1);
  const result = find('skein-replay-result');
  expect(result.shadowRoot!.querySelectorAll('svg.plot').length).toBe(1);
  expect(result.shadowRoot!.querySelectorAll('polyline').length).toBe(4);
  expect(textOf(result)).toContain('Scored without a language model');
  const ledger = (result as unknown as { ledger: string }).ledger;
  expect(readLedger(ledger).lines.filter(({ kind }) => kind === 'observation').length).toBe(20);
  expect(textOf(result)).toContain('Difference to ICE v2, paired by probe');

  const record = {
    question_id: 'q1',
    question_type: 'multi-session',
    question: 'Which fox?',
    answer: 'red',
    haystack_session_ids: ['s1'],
    haystack_sessions: [[{ role: 'user', content: 'a red fox', has_answer: true }]],
    answer_session_ids: ['s1'],
  };
  view.takeFile(new File([JSON.stringify([record])], 'dropped.json'));
  const histories = find<HistoriesView>('skein-histories');
  await expect.poll(() => textOf(histories)).toContain('1 histories, 1 questions.');
  const boxes = [...histories.shadowRoot!.querySelectorAll<HTMLInputElement>('input[type=checkbox]')];
  // Two conditions, then the systems: of these the first two stay.
  for (const box of boxes.slice(4)) box.click();
  await histories.updateComplete;
  press('Ask them', 'skein-histories');
  await expect.poll(() => textOf(histories), { timeout: 20_000 }).toContain('Evidence held by the context');
  const systems = [...histories.shadowRoot!.querySelectorAll('tbody th')].map((cell) => cell.textContent);
  expect(new Set(systems)).toEqual(new Set(['tsim-e2', 'bm25-chunks-1100']));
});
