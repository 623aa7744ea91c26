/**
 * Absolute URL of the site's root folder, for pages and for workers at any depth. A worker's script lies one
 * folder below it, in development (`workers/`) as in a build (`assets/`).
 */
export function siteBase(): string {
  return typeof document === 'undefined'
    ? new URL('../', self.location.href).href
    : new URL(import.meta.env.BASE_URL, document.baseURI).href;
}
