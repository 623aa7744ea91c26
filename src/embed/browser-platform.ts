import { env } from '@huggingface/transformers';
import { SkeinError } from '../core/errors.ts';
import { detectGpu } from './gpu.ts';
import { fetchHubFiles, forgetHubModel } from './hub-files.ts';
import type { KeptFiles } from './kept-files.ts';
import type { Platform } from './platform.ts';
import { type Backend, CONFIG_FILES, type EmbeddingModel, type Weights } from './registry.ts';
import { siteBase } from './site.ts';
import { loadEncoder } from './transformers/encoder.ts';
import type { Encoder } from './transformers/transformers-embedder.ts';
import { type Fetch, type Files, fetchListed, fetchManifest, type Manifest } from './verified-files.ts';

export const REFERENCE_FILE = 'reference-vectors.json';

/** A thread more than this gains nothing for sequences as short as turns. */
const MOST_THREADS = 4;

/**
 * Browsers and workers: files from the site itself (kept in `kept`) or a hub, onnxruntime-web through
 * transformers.js.
 */
export class BrowserPlatform implements Platform {
  private runtimeReady = false;

  constructor(
    private readonly base: string = siteBase(),
    private readonly fetch: Fetch = (url, init) => globalThis.fetch(url, init),
    private readonly kept?: KeptFiles,
  ) {
    keepLibraryOffTheNetwork();
  }

  readonly detectGpu = detectGpu;

  async fetchModel(
    model: EmbeddingModel,
    weights: Weights,
    onBytes: (loaded: number, total: number) => void,
    signal?: AbortSignal,
  ) {
    if (model.shipped) {
      const names = [...CONFIG_FILES, weights.file, REFERENCE_FILE];
      return { files: await this.fetchFolder(`models/${model.name}/`, names, onBytes, signal) };
    }
    let loaded = 0;
    const count = (bytes: number) => {
      loaded += bytes;
      onBytes(loaded, Math.max(loaded, weights.bytes));
    };
    const { files, kept } = await fetchHubFiles(model, weights, this.fetch, count, signal);
    const notice = 'There is no room to keep this model on the device: it is fetched again next time.';
    return kept ? { files } : { files, notice };
  }

  async prepareRuntime(
    backend: Backend,
    onBytes: (loaded: number, total: number) => void,
    signal?: AbortSignal,
  ): Promise<void> {
    const wasm = env.backends.onnx.wasm;
    if (!wasm) throw new SkeinError('internal', 'transformers.js has no WASM backend here.');
    if (this.runtimeReady) return;
    const name = `ort-wasm-simd-threaded${backend === 'webgpu' ? '.jspi' : ''}`;
    const files = await this.fetchFolder('runtime/', [`${name}.wasm`], onBytes, signal);
    wasm.wasmBinary = files.get(`${name}.wasm`)!.buffer;
    wasm.wasmPaths = { mjs: `${this.base}runtime/${name}.mjs`, wasm: `${this.base}runtime/${name}.wasm` };
    wasm.numThreads = globalThis.crossOriginIsolated
      ? Math.min(MOST_THREADS, navigator.hardwareConcurrency)
      : 1;
    this.runtimeReady = true;
  }

  async createEncoder(
    model: EmbeddingModel,
    weights: Weights,
    backend: Backend,
    files: Files,
  ): Promise<Encoder> {
    // transformers.js asks its cache first and finds every file there; it fetches and keeps nothing itself.
    env.customCache = {
      match: async (request: string) => {
        const name = [...files.keys()].find((file) => request.endsWith(`${model.name}/${file}`));
        return name === undefined ? undefined : new Response(files.get(name));
      },
      put: async () => {},
    };
    try {
      return await loadEncoder({ name: model.name, dtype: weights.dtype, device: backend });
    } finally {
      // Lets go of the bytes: the runtime has its own copy of them, or none is needed.
      env.customCache = null;
      if (env.backends.onnx.wasm) env.backends.onnx.wasm.wasmBinary = undefined;
    }
  }

  async forgetModel(model: EmbeddingModel): Promise<void> {
    if (!model.shipped) await forgetHubModel(model.repository);
  }

  private async fetchFolder(
    folder: string,
    names: readonly string[],
    onBytes: (loaded: number, total: number) => void,
    signal?: AbortSignal,
  ): Promise<Files> {
    const base = this.base + folder;
    const manifest: Manifest = await fetchManifest(base, this.fetch, signal);
    const total = names.reduce((sum, name) => sum + (manifest.files[name]?.bytes ?? 0), 0);
    let loaded = 0;
    const count = (bytes: number) => {
      loaded += bytes;
      onBytes(loaded, total);
    };
    return fetchListed(base, names, manifest, this.fetch, count, signal, this.kept);
  }
}

function keepLibraryOffTheNetwork(): void {
  env.allowRemoteModels = false;
  env.allowLocalModels = true;
  env.localModelPath = '/';
  env.useBrowserCache = false;
  env.useWasmCache = false;
  env.useCustomCache = true;
  env.fetch = async () => new Response(null, { status: 404 });
}
