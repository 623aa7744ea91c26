import { access } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { CachingEmbedder } from '../caching-embedder.ts';
import type { Embedder } from '../embedder.ts';
import { FileVectorCache } from './file-vector-cache.ts';
import { createNodeEmbedder, type NodeEmbedderOptions, SHIPPED_MODEL_DIR } from './node-embedder.ts';

export interface CachedEmbedderOptions extends NodeEmbedderOptions {
  /** Folder of a model, or the name of one that stands beside the shipped one. Default: the shipped one. */
  readonly model?: string;
  /** False: embed everything anew instead of keeping vectors in `.cache/vectors`. */
  readonly cache: boolean;
}

/** The embedder of a command line: a local model, its vectors kept in files. Rejects as `createNodeEmbedder`. */
export async function createCachedEmbedder({
  model,
  cache,
  ...options
}: CachedEmbedderOptions): Promise<Embedder> {
  const embedder = await createNodeEmbedder(model && (await folderOf(model)), options);
  return cache ? new CachingEmbedder(embedder, await FileVectorCache.open(embedder.stamp)) : embedder;
}

async function folderOf(model: string): Promise<string> {
  const beside = join(dirname(SHIPPED_MODEL_DIR), model);
  const isName =
    !model.includes('/') &&
    (await access(beside).then(
      () => true,
      () => false,
    ));
  return isName ? beside : model;
}
