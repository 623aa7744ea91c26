import type { EngineEvent } from '../../engine/contract.ts';
import type { App } from '../../ui/app.ts';
import type { Session } from '../../ui/session.ts';
import type { BackgroundNotice } from '../host/contract.ts';
import { Host } from '../host/host.ts';
import { Inbox } from '../inbox/inbox.ts';
import type { PageBar } from './page-bar.ts';
import './page-bar.ts';

/**
 * The extension's part of the app's page, in the side panel and in a tab alike: it answers for the memory while this
 * page leads. The app itself is the site's, and knows nothing of extensions.
 */
async function start(): Promise<void> {
  const notice: BackgroundNotice = { to: 'background', kind: 'app-opened' };
  // Where the background has just been updated nobody may listen; the lead comes when the other page goes.
  void chrome.runtime.sendMessage(notice).catch(() => {});
  const app = await theApp();
  const { session } = app;
  const inbox = new Inbox();
  const host = new Host(session.engine, inbox, { subscribe: eventsOf(session) });
  host.listen();
  app.before(barFor(session, host, inbox));
}

/** The bar above the app. The address says whether this is the side panel, and may name a tab other than the active. */
function barFor(session: Session, host: Host, inbox: Inbox): PageBar {
  const address = new URLSearchParams(location.search);
  const bar = document.createElement('skein-page-bar') as PageBar;
  const tab = address.get('tab');
  Object.assign(bar, { session, host, inbox, beside: address.has('panel') });
  if (tab !== null) bar.tabId = Number(tab);
  return bar;
}

/** The app, once its page has drawn it. */
async function theApp(): Promise<App> {
  await customElements.whenDefined('skein-app');
  for (;;) {
    const app = document.querySelector<App>('skein-app');
    if (app?.session) return app;
    await new Promise(requestAnimationFrame);
  }
}

/** The engine's events as the app hears them: a second subscription would tell the app each of them twice. */
function eventsOf(session: Session): (listener: (event: EngineEvent) => void) => Promise<void> {
  return async (listener) => {
    session.listen((event) => {
      if (event.kind !== 'toasts') listener(event);
    });
    await session.ready;
    listener({ kind: 'tab', role: session.role });
  };
}

void start();
