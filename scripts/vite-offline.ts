import type { PluginOption } from 'vite';
import { VitePWA } from 'vite-plugin-pwa';

/**
 * What the service worker keeps: the page, its scripts and workers, the demo thread and the lab's packages. The
 * model and the WASM runtime are kept by the embed worker, which checks their hashes against the manifests listed
 * here.
 */
const KEPT = [
  'index.html',
  'assets/*.{js,css,wasm}',
  'icons/*',
  'demo/*',
  'packages/*',
  'models/*/manifest.json',
  'runtime/*.{mjs,json}',
];

/** Too large for everyone: kept by the service worker once it is used (`service-worker.ts`). */
const KEPT_ONCE_USED = ['assets/webllm-engine-*.js'];

/** Builds the service worker, with the list of files it keeps, and the web app manifest. */
export function offlineSite(): PluginOption {
  return VitePWA({
    strategies: 'injectManifest',
    srcDir: 'src/service-worker',
    filename: 'service-worker.ts',
    // Registered by the page itself, which also tells of a new version.
    injectRegister: false,
    injectManifest: {
      globPatterns: KEPT,
      globIgnores: KEPT_ONCE_USED,
      dontCacheBustURLsMatching: /^assets\//,
      maximumFileSizeToCacheInBytes: 4_000_000,
    },
    manifest: {
      name: 'Skein',
      short_name: 'Skein',
      description: 'An episodic memory for long chat threads, inside the browser tab.',
      start_url: './',
      scope: './',
      display: 'standalone',
      background_color: '#f4f6f4',
      theme_color: '#f4f6f4',
      icons: [
        { src: 'icons/skein-192.png', sizes: '192x192', type: 'image/png' },
        { src: 'icons/skein-512.png', sizes: '512x512', type: 'image/png' },
        { src: 'icons/skein-maskable-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
      ],
    },
  });
}
