import { detectGpu } from '../runtime/gpu.ts';
import type { KeptFiles } from '../runtime/kept-files.ts';
import { siteBase } from '../runtime/site.ts';
import { fetchSiteFolder } from '../runtime/site-folder.ts';
import {
  keepTransformersOffTheNetwork,
  prepareOnnxRuntime,
  withModelFiles,
} from '../runtime/transformers-runtime.ts';
import type { Fetch, Files } from '../runtime/verified-files.ts';
import { fetchHubFiles, forgetHubModel } from './hub-files.ts';
import type { Platform } from './platform.ts';
import { type Backend, CONFIG_FILES, type EmbeddingModel, type Weights } from './registry.ts';
import { loadEncoder } from './transformers/encoder.ts';
import type { Encoder } from './transformers/transformers-embedder.ts';

export const REFERENCE_FILE = 'reference-vectors.json';

/**
 * Browsers and workers: files from the site itself (kept in `kept`) or a hub, onnxruntime-web through
 * transformers.js.
 */
export class BrowserPlatform implements Platform {
  constructor(
    private readonly base: string = siteBase(),
    private readonly fetch: Fetch = (url, init) => globalThis.fetch(url, init),
    private readonly kept?: KeptFiles,
  ) {
    keepTransformersOffTheNetwork();
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
      const { fetch, kept } = this;
      const folder = `${this.base}models/${model.name}/`;
      return { files: await fetchSiteFolder(folder, names, { fetch, onBytes, signal, kept }) };
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

  prepareRuntime(
    backend: Backend,
    onBytes: (loaded: number, total: number) => void,
    signal?: AbortSignal,
  ): Promise<void> {
    const { base, fetch, kept } = this;
    return prepareOnnxRuntime(base, backend, { fetch, onBytes, signal, kept });
  }

  createEncoder(model: EmbeddingModel, weights: Weights, backend: Backend, files: Files): Promise<Encoder> {
    const { name } = model;
    const find = async (path: string) => files.get(path);
    return withModelFiles(name, find, () => loadEncoder({ name, dtype: weights.dtype, device: backend }));
  }

  async forgetModel(model: EmbeddingModel): Promise<void> {
    if (!model.shipped) await forgetHubModel(model.repository);
  }
}
