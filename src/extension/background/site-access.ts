import { changeSite, siteSettings } from '../settings.ts';
import type { SiteDescription } from '../sites/site.ts';
import { knownSites } from './known-sites.ts';

const CONTENT_SCRIPT = 'content.js';

/** Lets the content script run on a site from now on, in tabs that are open too. The permission is there already. */
export async function useSite(site: SiteDescription): Promise<void> {
  await changeSite(site.id, { used: true });
  await matchRegistrations();
  await injectInto(site);
}

/** Keeps the extension away from a site; the browser's permission goes, too. */
export async function leaveSite(site: SiteDescription): Promise<void> {
  await changeSite(site.id, { used: false, capture: 'off' });
  await matchRegistrations();
  // Refused for a permission that the manifest demands; then the content script is gone all the same.
  await chrome.permissions.remove({ origins: [...site.matches] }).catch(() => false);
}

/** The sites that are used and may be: the browser lets a person take a permission back at any time. */
export async function usedSites(): Promise<SiteDescription[]> {
  const settings = await siteSettings();
  const wanted = (await knownSites()).filter(({ id }) => settings.get(id)?.used);
  const allowed = await Promise.all(
    wanted.map(({ matches }) => chrome.permissions.contains({ origins: [...matches] })),
  );
  return wanted.filter((_, i) => allowed[i]);
}

/** Registers the content script for the sites that are used, and for no other. */
export async function matchRegistrations(): Promise<void> {
  const used = await usedSites();
  const registered = await chrome.scripting.getRegisteredContentScripts();
  const wanted = new Set(used.map(({ id }) => id));
  const old = registered.filter(({ id }) => !wanted.has(id)).map(({ id }) => id);
  if (old.length > 0) await chrome.scripting.unregisterContentScripts({ ids: old });
  const there = new Set(registered.map(({ id }) => id));
  const missing = used.filter(({ id }) => !there.has(id));
  if (missing.length === 0) return;
  await chrome.scripting.registerContentScripts(
    missing.map(({ id, matches }) => ({
      id,
      matches: [...matches],
      js: [CONTENT_SCRIPT],
      runAt: 'document_idle',
      persistAcrossSessions: true,
    })),
  );
}

/** Starts the content script in tabs that were open before it was registered, or before an update. */
export async function injectInto(site: SiteDescription): Promise<void> {
  const tabs = await chrome.tabs.query({ url: [...site.matches] });
  const injected = tabs.map(({ id }) =>
    id === undefined
      ? undefined
      : chrome.scripting.executeScript({ target: { tabId: id }, files: [CONTENT_SCRIPT] }),
  );
  // A tab that is gone, or shows an error page, has nothing to be read.
  await Promise.allSettled(injected);
}

/** After an installation or an update: scripts are registered anew, and open tabs get the new one. */
export async function restoreSites(): Promise<void> {
  await matchRegistrations();
  for (const site of await usedSites()) await injectInto(site);
}
