import { toSkeinError } from '../../core/errors.ts';
import { unreachable } from '../../core/unreachable.ts';
import { type BackgroundNotice, isBackgroundNotice, isHostEnvelope, isOwnSender } from '../host/contract.ts';
import { callHost, type HostPlace } from '../host/host-place.ts';
import { Inbox } from '../inbox/inbox.ts';
import type { PageRequest } from '../messages.ts';
import { replyWith } from '../reply.ts';
import { changeSite, siteSettings, watchSites } from '../settings.ts';
import { keepProblem } from '../shown.ts';
import { PageRequests } from './page-requests.ts';
import { SiteAccess } from './site-access.ts';
import { sendToTab, TabStates } from './tab-states.ts';

/** What differs between browsers. */
export interface Browser {
  /** `heed`: does what follows from a notice, for a host that lives in the background itself. */
  place(heed: (notice: BackgroundNotice) => Promise<void>): HostPlace;
  /** Opens the side panel; called within a person's gesture. */
  openPanel(tab: chrome.tabs.Tab): Promise<void>;
}

/** Several turns that come in one after the other are moved together. */
const DRAIN_AFTER_MS = 1_000;

/**
 * The extension's background: answers the content scripts, keeps what they capture, shows the badge, and asks the
 * page that leads for recalls. No model runs here, and nothing is kept in variables that a stopped worker would miss.
 * Listeners are registered at once, as a worker that is started for an event needs.
 */
export function startBackground(browser: Browser): void {
  const { openPanel } = browser;
  const inbox = new Inbox();
  const tabs = new TabStates(inbox);
  const access = new SiteAccess();
  const drain = () =>
    callHost(place, { kind: 'drain' }).then(
      () => keepProblem(undefined),
      (error: unknown) => keepProblem(toSkeinError(error)),
    );
  const heed = (notice: BackgroundNotice): Promise<void> => {
    switch (notice.kind) {
      case 'thread-deleted':
        return stopCapturing();
      case 'erased':
        return tabs.tell();
      case 'app-opened':
      case 'idle':
        return place.yield();
      default:
        return unreachable(notice);
    }
  };
  const place = browser.place(heed);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const requests = new PageRequests({
    inbox,
    tabs,
    openPanel,
    callHost: (call) => callHost(place, call),
    captured() {
      clearTimeout(timer);
      timer = setTimeout(() => void drain(), DRAIN_AFTER_MS);
    },
  });

  chrome.runtime.onMessage.addListener((message: unknown, sender, respond) => {
    if (isHostEnvelope(message)) return false;
    if (isBackgroundNotice(message)) {
      if (!isOwnSender(sender)) return false;
      void replyWith(() => heed(message)).then(respond);
      return true;
    }
    void requests.reply(message as PageRequest, sender).then(respond);
    return true;
  });
  chrome.action.onClicked.addListener((tab) => void openPanel(tab));
  chrome.commands.onCommand.addListener((command, tab) => {
    if (command === 'recall' && tab?.id !== undefined) void sendToTab(tab.id, { kind: 'recall-now' });
  });
  chrome.tabs.onRemoved.addListener((tabId) => void tabs.forget(tabId));
  chrome.runtime.onInstalled.addListener(() => void access.restore());
  chrome.runtime.onStartup.addListener(() => void access.follow());
  chrome.permissions.onRemoved.addListener(() => void access.leaveForbidden().then(() => access.follow()));
  watchSites((site) => {
    void access.follow();
    void tabs.tell(site);
  });

  // What a worker left that was stopped before it could have its turns moved.
  void inbox.pendingCount().then((waiting) => (waiting > 0 ? drain() : undefined));
}

/** On every site, until the person turns it on again. */
async function stopCapturing(): Promise<void> {
  for (const [site, { capture }] of await siteSettings()) {
    if (capture !== 'off') await changeSite(site, { capture: 'off' });
  }
}
