import url from 'voy-search/voy_search_bg.wasm?url';
import { SkeinError, toSkeinError } from '../../core/errors.ts';

/** The bytes of voy's module as the site serves them, for VoyRuntime.load. Errors: `offline`, `bad-file`. */
export async function fetchVoyWasm(): Promise<ArrayBuffer> {
  const response = await fetch(url).catch((cause: unknown) => {
    throw new SkeinError(
      'offline',
      `voy cannot be fetched: ${toSkeinError(cause).message}`,
      'Use the flat index.',
      {
        cause,
      },
    );
  });
  if (!response.ok) {
    throw new SkeinError(
      'bad-file',
      `voy cannot be fetched: ${url} answers ${response.status}.`,
      'Reload the page.',
    );
  }
  return response.arrayBuffer();
}
