import type { Inbox } from '../inbox/inbox.ts';
import type { PageEvent, PageState } from '../messages.ts';
import { siteSetting } from '../settings.ts';
import { showBadge } from './badge.ts';

/** The conversation that a tab shows. */
interface Shown {
  readonly site: string;
  readonly conversation: string;
}

const TAB = 'tab:';

/**
 * Which conversation each tab shows, as its content script last said: for the badge, and to tell the tabs of a site
 * what changed. Kept in the session's storage, since the background worker forgets everything when it is stopped.
 */
export class TabStates {
  constructor(private readonly inbox: Inbox) {}

  async stateOf({ site, conversation }: Shown): Promise<PageState> {
    const [{ capture }, kept] = await Promise.all([siteSetting(site), this.inbox.kept(site, conversation)]);
    return { capture, kept };
  }

  /** Notes what a tab shows, and shows it on the tab's badge. */
  async shows(tabId: number, shown: Shown): Promise<PageState> {
    await chrome.storage.session.set({ [TAB + tabId]: shown });
    const state = await this.stateOf(shown);
    await showBadge(tabId, state);
    return state;
  }

  /** The state of what a tab shows now; of a tab that has not said it, that of its site. */
  async shownBy(tabId: number, site: string): Promise<PageState> {
    const key = TAB + tabId;
    const shown = (await chrome.storage.session.get(key))[key] as Shown | undefined;
    return this.stateOf(shown?.site === site ? shown : { site, conversation: '' });
  }

  async forget(tabId: number): Promise<void> {
    await chrome.storage.session.remove(TAB + tabId);
  }

  /** Tells every tab of a site its state, except the one that knows. */
  async tell(site: string, except?: number): Promise<void> {
    const all = await chrome.storage.session.get(null);
    for (const [key, value] of Object.entries(all)) {
      const shown = value as Shown;
      if (!key.startsWith(TAB) || shown.site !== site) continue;
      const tabId = Number(key.slice(TAB.length));
      const state = await this.stateOf(shown);
      await showBadge(tabId, state);
      if (tabId !== except) await sendToTab(tabId, { kind: 'capture-changed', state });
    }
  }
}

/** Tells a tab's content script; resolves with its answer, or undefined where there is none to hear it. */
export async function sendToTab(tabId: number, event: PageEvent): Promise<unknown> {
  return chrome.tabs.sendMessage(tabId, event, { frameId: 0 }).catch(() => undefined);
}
