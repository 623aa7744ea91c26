import { siteOf } from '../known-sites.ts';
import { type SiteSetting, siteSetting } from '../settings.ts';
import { shownIn } from '../shown.ts';
import type { SiteDescription } from '../sites/site.ts';

/** The page that the side panel stands beside. */
export type ActivePage =
  /** The browser does not say which page it is, or it is none that can be read. */
  | { readonly kind: 'none' }
  /** A page of no known site, which can be taught. */
  | { readonly kind: 'unknown'; readonly tabId: number; readonly origin: string }
  | {
      readonly kind: 'site';
      readonly tabId: number;
      readonly site: SiteDescription;
      readonly setting: SiteSetting;
      /** Turns of its conversation that are kept; undefined until its content script has said what it shows. */
      readonly kept: number | undefined;
    };

/** Reads the page of `tabId` or, left out, of this window's active tab. */
export async function readActivePage(tabId?: number): Promise<ActivePage> {
  const tab =
    tabId === undefined
      ? (await chrome.tabs.query({ active: true, currentWindow: true }))[0]
      : await chrome.tabs.get(tabId).catch(() => undefined);
  if (tab?.id === undefined) return { kind: 'none' };
  const shown = await shownIn(tab.id);
  const site = tab.url && (await siteOf(tab.url));
  if (site) {
    const kept = shown?.site === site.id ? shown.kept : undefined;
    return { kind: 'site', tabId: tab.id, site, setting: await siteSetting(site.id), kept };
  }
  if (!tab.url?.startsWith('http')) return { kind: 'none' };
  return { kind: 'unknown', tabId: tab.id, origin: new URL(tab.url).origin };
}

/** Calls `onChange` whenever the active page may be another one, or its site or its conversation may have changed. */
export function watchActivePage(onChange: () => void): void {
  chrome.tabs.onActivated.addListener(onChange);
  chrome.tabs.onUpdated.addListener((_, { status, url }) => (status || url) && onChange());
  chrome.storage.session.onChanged.addListener(onChange);
  chrome.storage.local.onChanged.addListener(onChange);
}
