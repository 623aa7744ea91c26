import { taughtSites } from './settings.ts';
import { isPageOf, SITES } from './sites/index.ts';
import type { SiteDescription } from './sites/site.ts';

/** The sites of the extension and those that a person taught. */
export async function knownSites(): Promise<readonly SiteDescription[]> {
  return [...SITES, ...(await taughtSites())];
}

/** The site that a page belongs to. */
export async function siteOf(url: string): Promise<SiteDescription | undefined> {
  return (await knownSites()).find((site) => isPageOf(site, url));
}
