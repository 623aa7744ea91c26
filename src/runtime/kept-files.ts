import type { Bytes } from './verified-files.ts';

/** Cache API cache that holds the site's own model and runtime, so that they are fetched once and work offline. */
export const SITE_CACHE = 'skein-site-files';

/**
 * Files kept on this device under their address and hash. Only bytes that have been checked are kept, and what is
 * read is checked again. Where the browser offers no cache, or has no room, nothing is kept.
 */
export class KeptFiles {
  constructor(private readonly name: string = SITE_CACHE) {}

  async read(url: string, sha256: string): Promise<Bytes | undefined> {
    const hit = await (await this.open())?.match(keyOf(url, sha256));
    return hit && new Uint8Array(await hit.arrayBuffer());
  }

  /** Keeps a file in place of other versions of it. */
  async keep(url: string, sha256: string, bytes: Bytes): Promise<void> {
    const cache = await this.open();
    if (!cache) return;
    await this.forget(url);
    // A full disk is no reason to refuse a file that is already in memory: it is fetched again next time.
    await cache.put(keyOf(url, sha256), new Response(bytes)).catch(() => {});
  }

  /** Deletes every version of a file. */
  async forget(url: string): Promise<void> {
    await (await this.open())?.delete(url, { ignoreSearch: true });
  }

  private async open(): Promise<Cache | undefined> {
    return typeof caches === 'undefined' ? undefined : caches.open(this.name).catch(() => undefined);
  }
}

function keyOf(url: string, sha256: string): string {
  return `${url}?${sha256}`;
}
