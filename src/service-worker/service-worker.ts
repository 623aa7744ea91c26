import { addPlugins, createHandlerBoundToURL, matchPrecache, precacheAndRoute } from 'workbox-precaching';
import { NavigationRoute, registerRoute } from 'workbox-routing';
import { CacheFirst } from 'workbox-strategies';
import { LLAMA_FOLDER } from '../answer/gguf/runtime.ts';
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

const installed = {
  cacheWillUpdate: async ({ request, response }: { request: Request; response: Response }) =>
    installedResponse(request.url, response),
};

// Every file of one build, or none: a page never meets the workers of another version. Files that are not listed
// (the model and the WASM runtime, which the embed worker keeps itself) go to the network and are never replaced
// by a page.
addPlugins([installed]);
const build = self.__WB_MANIFEST;
precacheAndRoute(build, { cleanURLs: false, directoryIndex: '' });

const root = new URL(self.registration.scope).pathname;
registerRoute(new NavigationRoute(createHandlerBoundToURL('index.html'), { allowlist: [exactly(root)] }));

// Runtimes of language models are too large for everyone: they are kept once they are used. Their names change with
// their contents, so what is kept is right; those of the build before are dropped.
const USED_FILES = 'skein-used-files';
const folder = `${root}${LLAMA_FOLDER}/`;
registerRoute(
  ({ url, sameOrigin }) =>
    sameOrigin &&
    (url.pathname.startsWith(folder) || url.pathname.startsWith(`${root}assets/webllm-engine-`)),
  new CacheFirst({ cacheName: USED_FILES, plugins: [installed] }),
);

async function dropOldRuntimes(): Promise<void> {
  const cache = await caches.open(USED_FILES);
  const old = new Set((await cache.keys()).map(({ url }) => url));
  for (const url of old) if (new URL(url).pathname.startsWith(folder)) old.delete(url);
  // A chunk whose contents have not changed has kept its name, which the scripts of this build then hold.
  for (const { url: script } of old.size > 0 ? build : []) {
    if (!script.endsWith('.js')) continue;
    const text = (await (await matchPrecache(script))?.text()) ?? '';
    for (const url of old) if (text.includes(url.slice(url.lastIndexOf('/') + 1))) old.delete(url);
  }
  await Promise.all([...old].map((url) => cache.delete(url)));
}

// The very first version serves the page that installed it; a later one waits until the page asks for it.
self.addEventListener('activate', (event) =>
  event.waitUntil(Promise.all([self.clients.claim(), dropOldRuntimes()])),
);
self.addEventListener('message', (event) => {
  if (event.data === TAKE_OVER) event.waitUntil(self.skipWaiting());
});

/** The folder itself, with any query: the address the page is opened at. */
function exactly(path: string): RegExp {
  return new RegExp(`^${path.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(\\?|$)`);
}
