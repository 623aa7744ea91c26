import type { PageTimes } from '../../../src/extension/content/page-session.ts';
import { type PageControl, startOnPage } from '../../../src/extension/content/start.ts';
import { chatgpt } from '../../../src/extension/sites/chatgpt.ts';
import { claude } from '../../../src/extension/sites/claude.ts';
import { deepseek } from '../../../src/extension/sites/deepseek.ts';
import { gemini } from '../../../src/extension/sites/gemini.ts';
import { grok } from '../../../src/extension/sites/grok.ts';
import { perplexity } from '../../../src/extension/sites/perplexity.ts';
import type { SiteDescription } from '../../../src/extension/sites/site.ts';
import { Replica } from '../../fixtures/sites/replica.ts';
import { SHAPES, type Shape } from '../../fixtures/sites/shapes.ts';
import { FakePort } from './fake-port.ts';

export const SITES = { chatgpt, claude, gemini, deepseek, perplexity, grok } as const;
export type SiteName = keyof typeof SITES;

/** Without a marker for an answer being written, pieces that a busy machine delays are no end of it. */
const SETTLED_UNMARKED = 250;

/** Short waits, in the proportions of the real ones. */
export const TIMES: PageTimes = {
  quiet: 40,
  settled: 40,
  unanswered: 300,
  stuck: 3_000,
  unnamed: 150,
  again: 100,
  pause: 60,
  check: 300,
};

export interface OpenPage {
  replica: Replica;
  port: FakePort;
  page: PageControl;
  close(): void;
}

const home = location.href;

/** A replica with the content script at work on it. */
export async function openSite(
  name: SiteName | 'plain',
  {
    port = new FakePort(),
    site,
    shape = SHAPES[name],
  }: { port?: FakePort; site?: SiteDescription; shape?: Shape } = {},
): Promise<OpenPage> {
  const replica = new Replica(shape);
  replica.streaming = { pieces: 3, delay: 5 };
  replica.newChat();
  const description = site ?? (name === 'plain' ? undefined : SITES[name]);
  const isMarked = description && description.selectors.busy.length > 0;
  const times = isMarked ? TIMES : { ...TIMES, settled: SETTLED_UNMARKED };
  const page = await startOnPage(port, { times, ...(description && { site: description }) });
  const close = () => {
    page.stop();
    replica.remove();
    history.replaceState(null, '', home);
  };
  return { replica, port, page, close };
}
