import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { VoyRuntime } from '../../../src/index/voy/voy-runtime.ts';

/** voy as Node loads it. */
export function loadVoy(): Promise<VoyRuntime> {
  const require = createRequire(import.meta.url);
  return VoyRuntime.load(() => readFile(require.resolve('voy-search/voy_search_bg.wasm')));
}
