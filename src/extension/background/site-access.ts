import { Mutex } from '../../core/mutex.ts';
import { knownSites } from '../known-sites.ts';
import { changeSite, siteSettings } from '../settings.ts';
import type { SiteDescription } from '../sites/site.ts';

const CONTENT_SCRIPT = 'content.js';

/**
 * Where the content script runs: on the sites that a person uses Skein on and that the browser permits, and on no
 * other. What a person chose is read from the settings; this makes it so.
 */
export class SiteAccess {
  private readonly changes = new Mutex();

  /** Registers and unregisters the script as the settings say; open tabs of new sites get it at once. */
  follow(): Promise<void> {
    return this.changes.run(async () => {
      const places = await usedPlaces();
      const registered = await chrome.scripting.getRegisteredContentScripts();
      const isRight = ({ id, matches }: Place) =>
        registered.some((script) => script.id === id && `${script.matches}` === `${matches}`);
      const old = registered.filter(({ id }) => !places.some((place) => place.id === id && isRight(place)));
      if (old.length > 0) await chrome.scripting.unregisterContentScripts({ ids: old.map(({ id }) => id) });
      for (const place of places.filter((one) => !isRight(one))) {
        await register(place);
        await injectInto(place);
      }
    });
  }

  /** A person took permissions back: sites without any are not used any more. */
  async leaveForbidden(): Promise<void> {
    const allowed = new Set((await usedPlaces()).map(({ id }) => id));
    for (const [id, { used }] of await siteSettings()) {
      if (used && !allowed.has(id)) await changeSite(id, { used: false, capture: 'off' });
    }
  }

  /** After an installation or an update: open tabs of every used site get the new script. */
  async restore(): Promise<void> {
    await this.follow();
    await this.changes.run(async () => {
      for (const place of await usedPlaces()) await injectInto(place);
    });
  }
}

/** A used site, with those of its patterns that the browser permits. */
type Place = Pick<SiteDescription, 'id'> & { readonly matches: string[] };

/** The browser lets a person take a permission back at any time. */
async function usedPlaces(): Promise<Place[]> {
  const settings = await siteSettings();
  const used = (await knownSites()).filter(({ id }) => settings.get(id)?.used);
  const places = used.map(async ({ id, matches }) => {
    const allowed = await Promise.all(
      matches.map((pattern) => chrome.permissions.contains({ origins: [pattern] })),
    );
    return { id, matches: matches.filter((_, i) => allowed[i]) };
  });
  return (await Promise.all(places)).filter(({ matches }) => matches.length > 0);
}

async function register({ id, matches }: Place): Promise<void> {
  await chrome.scripting.registerContentScripts([
    { id, matches, js: [CONTENT_SCRIPT], runAt: 'document_idle', persistAcrossSessions: true },
  ]);
}

/** Starts the script in tabs that are open already. */
async function injectInto({ matches }: Place): Promise<void> {
  const tabs = await chrome.tabs.query({ url: matches });
  const injected = tabs.map(({ id }) =>
    chrome.scripting.executeScript({ target: { tabId: id! }, files: [CONTENT_SCRIPT] }),
  );
  // A tab that is gone, or shows an error page, has nothing to be read.
  await Promise.allSettled(injected);
}
