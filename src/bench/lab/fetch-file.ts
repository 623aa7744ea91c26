import { SkeinError } from '../../core/errors.ts';

export type Fetcher = (input: RequestInfo | URL) => Promise<Response>;

/** Fetches as `fetcher` does. Rejects with `offline`, and what may help, where nothing answers. */
export async function reach(
  input: RequestInfo | URL,
  fetcher: Fetcher = (address) => fetch(address),
): Promise<Response> {
  try {
    return await fetcher(input);
  } catch (error) {
    // A failed fetch says no more than that; the page's policy and the other server's are the common reasons.
    throw new SkeinError(
      'offline',
      `${String(input)} could not be fetched.`,
      'This page may fetch from its own site and from huggingface.co only, and the server has to allow it. ' +
        'Download the file and drop it here instead.',
      { cause: error },
    );
  }
}

/** A file by its address. Rejects with `offline` or `download-failed`. */
export async function fetchFile(url: string, fetcher?: Fetcher): Promise<File> {
  const response = await reach(url, fetcher);
  if (!response.ok) {
    throw new SkeinError(
      'download-failed',
      `${url}: the server answers ${response.status}.`,
      'Check the address.',
    );
  }
  return new File([await response.blob()], new URL(url).pathname.split('/').at(-1) || 'data.json');
}
