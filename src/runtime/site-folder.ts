import type { KeptFiles } from './kept-files.ts';
import { type Fetch, type Files, fetchListed, fetchManifest } from './verified-files.ts';

export interface SiteFolderOptions {
  readonly fetch: Fetch;
  /** Bytes so far and in all. */
  readonly onBytes: (loaded: number, total: number) => void;
  readonly signal?: AbortSignal;
  /** Where files are kept for the next time. */
  readonly kept?: KeptFiles;
}

/**
 * Files of a folder that the site serves, each checked against the folder's manifest. `base` ends with a slash.
 * Rejects with `model-missing`, `model-broken`, `offline` or `aborted`; the message names the file.
 */
export async function fetchSiteFolder(
  base: string,
  names: readonly string[],
  { fetch, onBytes, signal, kept }: SiteFolderOptions,
): Promise<Files> {
  const manifest = await fetchManifest(base, fetch, signal);
  const total = names.reduce((sum, name) => sum + (manifest.files[name]?.bytes ?? 0), 0);
  let loaded = 0;
  const count = (bytes: number) => {
    loaded += bytes;
    onBytes(loaded, total);
  };
  return fetchListed(base, names, manifest, fetch, count, signal, kept);
}
