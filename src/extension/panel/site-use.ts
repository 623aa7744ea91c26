import type { Host } from '../host/host.ts';
import type { Inbox } from '../inbox/inbox.ts';
import { changeSite, forgetTaughtSite } from '../settings.ts';
import type { SiteDescription } from '../sites/site.ts';
import { askHost } from './ask-host.ts';

/** Asks for the site and uses Skein on it; false when the person says no. Called within their gesture. */
export async function useSite({ id, matches }: SiteDescription): Promise<boolean> {
  const allowed = await chrome.permissions.request({ origins: [...matches] });
  if (allowed) await changeSite(id, { used: true });
  return allowed;
}

/** Keeps away from the site from now on and gives its permission back. What was kept stays. */
export async function leaveSite({ id, matches }: SiteDescription, inbox: Inbox): Promise<void> {
  await changeSite(id, { used: false, capture: 'off' });
  // Rejects for an origin that the manifest demands; the content script is gone all the same.
  await chrome.permissions.remove({ origins: [...matches] }).catch(() => false);
  // Its name is needed as long as what was kept of it may be deleted. Counted once nothing comes in any more.
  if ((await inbox.keptOfSite(id)) === 0) await forgetIfTaught(id);
}

/** Erases what was kept of a site; capture ends first, so that nothing comes in afterwards. */
export async function deleteKept(host: Host, { id }: SiteDescription): Promise<void> {
  const { used } = await changeSite(id, { capture: 'off' });
  await askHost(host, { kind: 'erase-site', site: id });
  if (!used) await forgetIfTaught(id);
}

async function forgetIfTaught(site: string): Promise<void> {
  if (site.startsWith('taught:')) await forgetTaughtSite(site);
}

/** Lets a person point at the parts of a page; false when they don't permit it. Called within their gesture. */
export async function teachPage(tabId: number, origin: string): Promise<boolean> {
  if (!(await chrome.permissions.request({ origins: [`${origin}/*`] }))) return false;
  await chrome.scripting.executeScript({ target: { tabId }, files: ['content.js'] });
  await chrome.tabs.sendMessage(tabId, { kind: 'teach' }, { frameId: 0 });
  return true;
}
