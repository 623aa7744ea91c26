import { SkeinError, throwIfAborted } from '../../core/errors.ts';
import { fetchManifest } from '../../runtime/verified-files.ts';
import { fetchHubListing } from '../files/hub-listing.ts';
import type { FetchOptions, ModelFile, ModelFiles } from '../files/model-files.ts';
import type { AnswerModel } from '../models.ts';
import { CONFIG_FILES, isWeights } from './models.ts';

/**
 * Downloads what is missing of a transformers.js model. The hub is not asked about a model that is whole, which thus
 * loads offline. Rejects as `modelList` and `ModelFiles.fetch` do.
 */
export async function fetchModel(
  model: AnswerModel,
  files: ModelFiles,
  site: string,
  options: FetchOptions,
): Promise<void> {
  if (model.source.kind === 'hub') {
    const kept = await files.list();
    if (kept.some(({ modelId, complete }) => complete && modelId === model.id)) return;
  }
  const listed = await modelList(model, site, options.signal);
  if (listed.length > 0) await files.fetch(model.id, listed, options);
}

/**
 * The files of a transformers.js model: as the site's manifest or the hub's listing states them; none where the person
 * dropped them. Rejects with `model-missing`, `download-failed` or as `fetchManifest` does.
 */
export async function modelList(
  { source, title }: AnswerModel,
  site: string,
  signal?: AbortSignal,
): Promise<readonly ModelFile[]> {
  switch (source.kind) {
    case 'files':
      return [];
    case 'site': {
      const base = new URL(source.path, site).href;
      const { files } = await fetchManifest(base, (url, init) => fetch(url, init), signal);
      return Object.entries(files).map(([path, about]) => ({ path, url: base + path, ...about }));
    }
    case 'hub':
      return hubList(source.repository, signal);
    default:
      throw new SkeinError(
        'model-missing',
        `${title} lies where this engine can load nothing from.`,
        'Choose another model.',
      );
  }
}

async function hubList(repository: string, signal?: AbortSignal): Promise<readonly ModelFile[]> {
  const listings = await Promise.all([
    fetchHubListing(repository, signal),
    fetchHubListing(repository, signal, 'onnx'),
  ]);
  throwIfAborted(signal);
  const files = listings.flatMap((listing) => [...listing]);
  const wanted = files.filter(([path]) => CONFIG_FILES.includes(path) || isWeights(path));
  if (!wanted.some(([path]) => isWeights(path))) {
    throw new SkeinError(
      'download-failed',
      `The hub does not list the files of ${repository}.`,
      'Check the connection and try again.',
    );
  }
  const base = `https://huggingface.co/${repository}/resolve/main/`;
  return wanted.map(([path, about]) => ({ path, url: base + path, ...about }));
}
