import { SkeinError } from '../../core/errors.ts';
import { unreachable } from '../../core/unreachable.ts';
import type { HostAnswers, HostCall } from '../host/contract.ts';
import type { Inbox } from '../inbox/inbox.ts';
import { knownSites, siteOf } from '../known-sites.ts';
import type { Answers, CaptureBatch, PageRequest } from '../messages.ts';
import { type Reply, replyWith } from '../reply.ts';
import { changeSite, keepTaughtSite, siteSetting, whileSitesStay } from '../settings.ts';
import { shownIn } from '../shown.ts';
import { isPageOf } from '../sites/index.ts';
import type { SiteDescription } from '../sites/site.ts';
import { taughtSite } from '../sites/taught.ts';
import type { TabStates } from './tab-states.ts';

/** What answering needs of the rest of the background. */
export interface PageRequestPorts {
  readonly inbox: Inbox;
  readonly tabs: TabStates;
  callHost<K extends HostCall['kind']>(call: Extract<HostCall, { kind: K }>): Promise<HostAnswers[K]>;
  /** Turns came in: they are moved into their thread soon. */
  captured(): void;
  openPanel(tab: chrome.tabs.Tab): Promise<void>;
}

/** Longest message that a recall looks at, in UTF-16 units. */
const LONGEST_QUESTION = 8_000;

/** A content script's page. */
interface Page {
  readonly tab: chrome.tabs.Tab & { readonly id: number };
  readonly url: string;
}

/** Answers the content scripts. A page may speak for its own site only. */
export class PageRequests {
  constructor(private readonly ports: PageRequestPorts) {}

  /** The answer to a request as it crosses, errors included. */
  reply(
    request: PageRequest,
    sender: chrome.runtime.MessageSender,
  ): Promise<Reply<Answers[PageRequest['kind']]>> {
    return replyWith(async () => this.answer(request, pageOf(sender)));
  }

  private async answer(request: PageRequest, page: Page): Promise<Answers[PageRequest['kind']]> {
    const { tabs, callHost, openPanel } = this.ports;
    switch (request.kind) {
      case 'page-state': {
        const { id } = await ownSite(request.site, page);
        // The page looks anew, and says again what it misses.
        if ((await siteSetting(id)).missing.length > 0) await changeSite(id, { missing: [] });
        return tabs.shows(page.tab.id, { site: id, conversation: request.conversation });
      }
      case 'set-capture': {
        const { id } = await ownSite(request.site, page);
        await changeSite(id, { capture: request.capture });
        return tabs.shownBy(page.tab.id, id);
      }
      case 'capture': {
        const site = await ownSite(request.batch.site, page);
        return this.capture(site, request.batch);
      }
      case 'hint':
        return callHost({ kind: 'hint', text: questionOf(request.text), beside: await shownIn(page.tab.id) });
      case 'recall':
        return callHost({
          kind: 'recall',
          text: questionOf(request.text),
          beside: await shownIn(page.tab.id),
        });
      case 'site-changed': {
        const { id } = await ownSite(request.site, page);
        await changeSite(id, { missing: request.missing });
        return null;
      }
      case 'taught':
        await this.taught(request, page);
        return null;
      case 'taught-site': {
        const site = await siteOf(page.url);
        return site?.id.startsWith('taught:') ? site : null;
      }
      case 'open-panel':
        await openPanel(page.tab);
        return null;
      default:
        return unreachable(request);
    }
  }

  private async capture(site: SiteDescription, batch: CaptureBatch): Promise<Answers['capture']> {
    const outcome = await whileSitesStay(async () => {
      // A batch that was on its way when capture was switched off is not kept.
      if ((await siteSetting(site.id)).capture === 'on') return this.ports.inbox.add(batch, site.name);
      throw new SkeinError(
        'read-only',
        `Nothing is captured from ${site.name}.`,
        'Turn capture on for this site to keep its turns.',
      );
    });
    if (outcome.added > 0) this.ports.captured();
    await this.ports.tabs.count(site.id, batch.conversation);
    return outcome;
  }

  private async taught(request: Extract<PageRequest, { kind: 'taught' }>, page: Page): Promise<void> {
    // The origin is the page's own, whatever the request says.
    const site = taughtSite(new URL(page.url).origin, request.selectors);
    await keepTaughtSite(site);
    await changeSite(site.id, { used: true });
  }
}

function pageOf({ tab, url, frameId }: chrome.runtime.MessageSender): Page {
  if (tab?.id === undefined || url === undefined || frameId !== 0) {
    throw new SkeinError('bad-argument', 'Only a page in a tab can ask this.', '');
  }
  return { tab: tab as Page['tab'], url };
}

/** The site that a request names, if its page belongs to it. */
async function ownSite(id: string, page: Page): Promise<SiteDescription> {
  const site = (await knownSites()).find((known) => known.id === id);
  if (site && isPageOf(site, page.url)) return site;
  throw new SkeinError('bad-argument', `This page does not belong to "${id}".`, 'Reload the page.');
}

function questionOf(text: string): string {
  return text.slice(-LONGEST_QUESTION);
}
