import { defineConfig } from 'vite';
import { contentSecurityPolicy } from './scripts/vite-csp.ts';
import { llamaRuntime } from './scripts/vite-llama-runtime.ts';
import { offlineSite } from './scripts/vite-offline.ts';
import { runtimeFiles } from './scripts/vite-runtime-files.ts';
import { POLICY_HEADER } from './src/service-worker/policy.ts';

/** Make the page cross-origin isolated, which gives WASM its threads. A host without them gets one thread. */
const ISOLATION = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
};

export default defineConfig({
  // Relative, so that the built site works under any path of a static host.
  base: './',
  // One page whose views are hashes: a missing file is missing, and never answered with the page.
  appType: 'mpa',
  build: { target: 'es2022', sourcemap: true },
  plugins: [runtimeFiles(), llamaRuntime(), contentSecurityPolicy(), offlineSite()],
  worker: { format: 'es' },
  preview: { headers: { ...ISOLATION, 'Content-Security-Policy': POLICY_HEADER } },
});
