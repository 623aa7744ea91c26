import { unreachable } from '../core/unreachable.ts';
import type { LoadProgress } from './answer-engine.ts';
import type { FetchOptions, ModelFiles } from './files/model-files.ts';
import type { AnswerModel } from './models.ts';

/**
 * Downloads and checks a model's files into `files`, without starting it, as its engine would on a load. Models that
 * have nothing to download are done at once. Rejects as `ModelFiles.fetch` does.
 */
export async function downloadModel(
  model: AnswerModel,
  files: ModelFiles,
  site: string,
  { onProgress, onWaiting, signal }: FetchOptions,
): Promise<void> {
  // Engines know nothing of other tabs; whoever shows the download does.
  const watched: ModelFiles = {
    fetch: (id, list, options) => files.fetch(id, list, { ...options, onWaiting }),
    read: (id, path) => files.read(id, path),
    put: (id, list, options) => files.put(id, list, options),
    list: () => files.list(),
    remove: (id, paths) => files.remove(id, paths),
  };
  switch (model.engine) {
    case 'webllm': {
      const { openPackage } = await import('./webllm/package.ts');
      const report = ({ step, loadedBytes, totalBytes }: LoadProgress) => {
        if (step === 'download') onProgress?.(loadedBytes, totalBytes);
      };
      await openPackage(watched, model, site, { onProgress: report, signal });
      return;
    }
    case 'transformers': {
      const { fetchModel } = await import('./transformers/model-list.ts');
      await fetchModel(model, watched, site, { onProgress, signal });
      return;
    }
    case 'gguf':
    case 'prompt-api':
    case 'endpoint':
      return;
    default:
      return unreachable(model.engine);
  }
}
