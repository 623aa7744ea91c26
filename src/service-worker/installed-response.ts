import { POLICY_HEADER } from './policy.ts';

/**
 * A file as it is kept for offline use: with the Content Security Policy as a header, since a worker obeys that of
 * its own response only and a static host sends none. Gives null, which fails the installation, for an error and
 * for a page that a server sent in place of another file.
 */
export function installedResponse(url: string, response: Response): Response | null {
  const isPage = response.headers.get('content-type')?.startsWith('text/html') ?? false;
  const wantsPage = new URL(url).pathname.endsWith('.html');
  if (response.status !== 200 || isPage !== wantsPage) return null;
  const headers = new Headers(response.headers);
  headers.set('content-security-policy', POLICY_HEADER);
  return new Response(response.body, { headers });
}
