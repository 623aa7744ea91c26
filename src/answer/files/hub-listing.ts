/** What the hub says of a file: its size, and for large ones their SHA-256. */
export interface HubFile {
  readonly bytes: number;
  readonly sha256?: string;
}

interface Entry {
  readonly type?: string;
  readonly path?: string;
  readonly size?: number;
  readonly lfs?: { readonly oid?: string };
}

/**
 * The files of a hub repository, or of one of its folders, by path, from the hub's listing of it. Empty where the hub does not give one: then
 * sizes come from the model's own list, and the hashes from what it states.
 */
export async function fetchHubListing(
  repository: string,
  signal?: AbortSignal,
  folder = '',
): Promise<ReadonlyMap<string, HubFile>> {
  const url = `https://huggingface.co/api/models/${repository}/tree/main/${folder}`.replace(/\/$/, '');
  const entries: unknown = await fetch(url, { signal })
    .then((response) => (response.ok ? response.json() : []))
    .catch(() => []);
  return new Map(Array.isArray(entries) ? entries.flatMap(readEntry) : []);
}

function readEntry({ type, path, size, lfs }: Entry): [string, HubFile][] {
  if (type !== 'file' || !path || !Number.isSafeInteger(size)) return [];
  const sha256 = /^[0-9a-f]{64}$/.test(lfs?.oid ?? '') ? lfs?.oid : undefined;
  return [[path, { bytes: size!, ...(sha256 && { sha256 }) }]];
}
