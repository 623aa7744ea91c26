import { Mutex } from '../../core/mutex.ts';
import type { Inbox } from '../inbox/inbox.ts';
import { siteOf } from '../known-sites.ts';
import type { PageEvent, PageState } from '../messages.ts';
import { siteSetting } from '../settings.ts';
import { forgetShown, keepShown, type Shown, shownIn, shownInTabs } from '../shown.ts';
import { showBadge } from './badge.ts';

/**
 * Which conversation each tab shows, as its content script last said: for the badge, and to tell the tabs of a site
 * what changed. Kept in the session's storage, since the background worker forgets everything when it is stopped.
 * One change at a time, so that none brings back what a tab showed before.
 */
export class TabStates {
  private readonly changes = new Mutex();

  constructor(private readonly inbox: Inbox) {}

  async stateOf({ site, conversation }: Shown): Promise<PageState> {
    const [{ capture }, kept] = await Promise.all([siteSetting(site), this.inbox.kept(site, conversation)]);
    return { capture, kept };
  }

  /** Notes what a tab shows, and shows it on the tab's badge. */
  shows(tabId: number, shown: Shown): Promise<PageState> {
    return this.changes.run(() => this.note(tabId, shown));
  }

  /** The state of what a tab shows now; of a tab that has not said it, that of its site. */
  async shownBy(tabId: number, site: string): Promise<PageState> {
    const shown = await shownIn(tabId);
    return this.stateOf(shown?.site === site ? shown : { site, conversation: '' });
  }

  forget(tabId: number): Promise<void> {
    return this.changes.run(() => forgetShown(tabId));
  }

  /** Counts anew on every tab that shows the conversation: two may show the same. */
  count(site: string, conversation: string): Promise<void> {
    return this.changes.run(async () => {
      for (const [tabId, shown] of await shownInTabs()) {
        if (shown.site === site && shown.conversation === conversation) await this.renew(tabId, shown);
      }
    });
  }

  /** Tells every tab, or those of one site, its state, or that Skein leaves it. */
  tell(site?: string): Promise<void> {
    return this.changes.run(async () => {
      for (const [tabId, shown] of await shownInTabs()) {
        if (site !== undefined && shown.site !== site) continue;
        const { used } = await siteSetting(shown.site);
        const state = await this.renew(tabId, shown);
        if (!state) continue;
        // A tab that sleeps holds up no other.
        void sendToTab(tabId, used ? { kind: 'capture-changed', state } : { kind: 'leave' });
        if (!used) await forgetShown(tabId);
      }
    });
  }

  private async note(tabId: number, shown: Shown): Promise<PageState> {
    const state = await this.keep(tabId, shown);
    await showBadge(tabId, state);
    return state;
  }

  /**
   * Notes anew what a tab has shown. It may have gone elsewhere since: then that is forgotten, and undefined returned;
   * and where it can't be known, only an empty badge is shown, which is right on any page.
   */
  private async renew(tabId: number, shown: Shown): Promise<PageState | undefined> {
    // Told of pages that the extension may see, as those of every used site.
    const { url } = await chrome.tabs.get(tabId).catch(() => ({ url: undefined }));
    if (url !== undefined && (await siteOf(url))?.id !== shown.site) {
      await forgetShown(tabId);
      return undefined;
    }
    const state = await this.keep(tabId, shown);
    if (url !== undefined || state.capture === 'off') await showBadge(tabId, state);
    return state;
  }

  private async keep(tabId: number, shown: Shown): Promise<PageState> {
    const state = await this.stateOf(shown);
    await keepShown(tabId, { ...shown, kept: state.kept });
    return state;
  }
}

/** Tells a tab's content script; resolves with its answer, or undefined where there is none to hear it. */
export async function sendToTab(tabId: number, event: PageEvent): Promise<unknown> {
  return chrome.tabs.sendMessage(tabId, event, { frameId: 0 }).catch(() => undefined);
}
