import { SkeinError } from '../../core/errors.ts';

/** A file by its address. Rejects with `offline` or `download-failed`. */
export async function fetchFile(
  url: string,
  fetcher: (url: string) => Promise<Response> = (address) => fetch(address),
): Promise<File> {
  let response: Response;
  try {
    response = await fetcher(url);
  } catch (error) {
    // A failed fetch says no more than that; the page's policy and the other server's are the common reasons.
    throw new SkeinError(
      'offline',
      `${url} could not be fetched.`,
      'This page may fetch from its own site and from huggingface.co only, and the server has to allow it. ' +
        'Download the file and choose it here instead.',
      { cause: error },
    );
  }
  if (!response.ok) {
    throw new SkeinError(
      'download-failed',
      `${url}: the server answers ${response.status}.`,
      'Check the address.',
    );
  }
  return new File([await response.blob()], new URL(url).pathname.split('/').at(-1) || 'data.json');
}
