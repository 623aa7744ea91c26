import { throwIfAborted } from '../../core/errors.ts';
import type { Fetch } from './download-file.ts';
import type { ModelFile } from './model-files.ts';

/** Requests at a time: servers mind more. */
const AT_A_TIME = 4;

/**
 * Bytes of each file: as stated, or else as the server answers to a HEAD request; 0 where nobody says. A server may
 * count a file as it is packed for the wire, so only a stated size proves anything.
 */
export async function sizesOf(
  files: readonly ModelFile[],
  fetch: Fetch,
  signal?: AbortSignal,
): Promise<Map<ModelFile, number>> {
  const sizes = new Map<ModelFile, number>();
  const waiting = [...files];
  const work = async () => {
    for (let file = waiting.shift(); file; file = waiting.shift()) {
      sizes.set(file, file.bytes ?? (await askSize(file.url, fetch, signal)));
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, work));
  return sizes;
}

async function askSize(url: string, fetch: Fetch, signal?: AbortSignal): Promise<number> {
  try {
    const response = await fetch(url, { method: 'HEAD', cache: 'no-store', signal });
    return response.ok ? Number(response.headers.get('content-length') ?? 0) : 0;
  } catch {
    throwIfAborted(signal);
    // Refused or broken: the download itself will tell.
    return 0;
  }
}
