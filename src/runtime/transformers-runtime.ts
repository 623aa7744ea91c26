import { env } from '@huggingface/transformers';
import { SkeinError } from '../core/errors.ts';
import { fetchSiteFolder, type SiteFolderOptions } from './site-folder.ts';

/** A thread more than this gains nothing for inputs as short as turns. */
const MOST_THREADS = 4;

let runtimeReady = false;

/** Keeps transformers.js off the network: all that it reads comes through `withModelFiles`. Called before any load. */
export function keepTransformersOffTheNetwork(): void {
  env.allowRemoteModels = false;
  env.allowLocalModels = true;
  env.localModelPath = '/';
  env.useBrowserCache = false;
  env.useWasmCache = false;
  env.useCustomCache = true;
  env.fetch = async () => new Response(null, { status: 404 });
}

/**
 * Fetches the ONNX Runtime that the site serves, once a thread: whichever backend comes first serves all later
 * sessions. `site` is the site's root, with a slash at its end. Rejects as `fetchSiteFolder` does.
 */
export async function prepareOnnxRuntime(
  site: string,
  backend: 'webgpu' | 'wasm',
  options: SiteFolderOptions,
): Promise<void> {
  const wasm = env.backends.onnx.wasm;
  if (!wasm) throw new SkeinError('internal', 'transformers.js has no WASM backend here.');
  if (runtimeReady) return;
  const name = `ort-wasm-simd-threaded${backend === 'webgpu' ? '.jspi' : ''}`;
  const files = await fetchSiteFolder(`${site}runtime/`, [`${name}.wasm`], options);
  wasm.wasmBinary = files.get(`${name}.wasm`)!.buffer;
  wasm.wasmPaths = { mjs: `${site}runtime/${name}.mjs`, wasm: `${site}runtime/${name}.wasm` };
  wasm.numThreads = globalThis.crossOriginIsolated
    ? Math.min(MOST_THREADS, navigator.hardwareConcurrency)
    : 1;
  runtimeReady = true;
}

/** Runs `load`, in which transformers.js finds what `find` gives as the files of model `name`, and nothing else. */
export async function withModelFiles<T>(
  name: string,
  find: (path: string) => Promise<BodyInit | undefined>,
  load: () => Promise<T>,
): Promise<T> {
  // transformers.js asks its cache first and finds every file there; it fetches and keeps nothing itself.
  env.customCache = {
    match: async (request: string) => {
      const [, path] = request.split(`/${name}/`);
      const found = path === undefined ? undefined : await find(path);
      return found === undefined ? undefined : new Response(found);
    },
    put: async () => {},
  };
  try {
    return await load();
  } finally {
    // Lets go of the bytes: the runtime has its own copy of them, or none is needed.
    env.customCache = null;
    if (env.backends.onnx.wasm) env.backends.onnx.wasm.wasmBinary = undefined;
  }
}
