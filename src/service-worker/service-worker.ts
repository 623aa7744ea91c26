import { addPlugins, createHandlerBoundToURL, precacheAndRoute } from 'workbox-precaching';
import { NavigationRoute, registerRoute } from 'workbox-routing';
import { installedResponse } from './installed-response.ts';
import { TAKE_OVER } from './take-over.ts';

/** The part of a service worker's scope that is used here; the page's own types don't know it. */
interface ServiceWorkerScope {
  /** Files of the build with their revisions; the build writes the list in place of this name. */
  readonly __WB_MANIFEST: { url: string; revision: string | null }[];
  readonly registration: { readonly scope: string };
  readonly clients: { claim(): Promise<void> };
  skipWaiting(): Promise<void>;
  addEventListener(
    kind: 'activate' | 'message',
    listener: (event: { readonly data: unknown; waitUntil(work: Promise<unknown>): void }) => void,
  ): void;
}

declare const self: ServiceWorkerScope;

// Every file of one build, or none: a page never meets the workers of another version. Files that are not listed
// (the model and the WASM runtime, which the embed worker keeps itself) go to the network and are never replaced
// by a page.
addPlugins([{ cacheWillUpdate: async ({ request, response }) => installedResponse(request.url, response) }]);
precacheAndRoute(self.__WB_MANIFEST, { cleanURLs: false, directoryIndex: '' });

const root = new URL(self.registration.scope).pathname;
registerRoute(new NavigationRoute(createHandlerBoundToURL('index.html'), { allowlist: [exactly(root)] }));

// The very first version serves the page that installed it; a later one waits until the page asks for it.
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));
self.addEventListener('message', (event) => {
  if (event.data === TAKE_OVER) event.waitUntil(self.skipWaiting());
});

/** The folder itself, with any query: the address the page is opened at. */
function exactly(path: string): RegExp {
  return new RegExp(`^${path.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(\\?|$)`);
}
