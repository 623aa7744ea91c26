import type { CaptureState } from './messages.ts';
import type { SiteDescription } from './sites/site.ts';

/**
 * What a person chose, in the extension's own storage. One entry a site, so that two pages that change two sites
 * never undo each other.
 */
export interface SiteSetting {
  /** False: the extension keeps away from the site. */
  readonly used: boolean;
  readonly capture: CaptureState;
  /** Parts that the site's description does not find any more. */
  readonly missing: readonly string[];
}

const UNUSED: SiteSetting = { used: false, capture: 'off', missing: [] };
const SITE = 'site:';
const TAUGHT = 'taught:';

export async function siteSetting(site: string): Promise<SiteSetting> {
  const key = SITE + site;
  const stored = (await chrome.storage.local.get(key))[key] as Partial<SiteSetting> | undefined;
  return { ...UNUSED, ...stored };
}

/** Over all pages and workers of the extension. */
const LOCK = 'skein-sites';

/** One change at a time, over all pages: a page that says what it misses never undoes that capture was turned off. */
export async function changeSite(site: string, change: Partial<SiteSetting>): Promise<SiteSetting> {
  return (await navigator.locks.request(LOCK, async () => {
    const changed = { ...(await siteSetting(site)), ...change };
    await chrome.storage.local.set({ [SITE + site]: changed });
    return changed;
  })) as SiteSetting;
}

/**
 * Runs `work` between changes. Who turns capture off with `changeSite` finds on the disk what was taken before, and
 * nothing comes after.
 */
export async function whileSitesStay<T>(work: () => Promise<T>): Promise<T> {
  return (await navigator.locks.request(LOCK, { mode: 'shared' }, work)) as T;
}

/** Every site that has a setting. */
export async function siteSettings(): Promise<Map<string, SiteSetting>> {
  const all = await chrome.storage.local.get(null);
  const sites = Object.entries(all).filter(([key]) => key.startsWith(SITE));
  return new Map(
    sites.map(([key, value]) => [key.slice(SITE.length), { ...UNUSED, ...(value as Partial<SiteSetting>) }]),
  );
}

/** Descriptions that a person made by pointing at the parts of a page. */
export async function taughtSites(): Promise<SiteDescription[]> {
  const all = await chrome.storage.local.get(null);
  return Object.entries(all)
    .filter(([key]) => key.startsWith(TAUGHT))
    .map(([, value]) => value as SiteDescription);
}

export async function keepTaughtSite(site: SiteDescription): Promise<void> {
  await chrome.storage.local.set({ [TAUGHT + site.id]: site });
}

/** Calls `onChange` with the id of every site whose setting changes, from whichever page. */
export function watchSites(onChange: (site: string) => void): void {
  chrome.storage.local.onChanged.addListener((changes) => {
    for (const key of Object.keys(changes)) if (key.startsWith(SITE)) onChange(key.slice(SITE.length));
  });
}

export async function forgetTaughtSite(site: string): Promise<void> {
  await chrome.storage.local.remove([TAUGHT + site, SITE + site]);
}
