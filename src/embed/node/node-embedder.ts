import { access } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { env } from '@huggingface/transformers';
import { SkeinError, toSkeinError } from '../../core/errors.ts';
import type { LongTexts } from '../embedder.ts';
import { CONFIG_FILES, chooseWeights, embeddingModel } from '../registry.ts';
import { loadEncoder } from '../transformers/encoder.ts';
import { TransformersEmbedder } from '../transformers/transformers-embedder.ts';

/** Folder of the model that the site ships. */
export const SHIPPED_MODEL_DIR = fileURLToPath(
  new URL('../../../public/models/all-MiniLM-L6-v2', import.meta.url),
);

export interface NodeEmbedderOptions {
  /** Default `parts`. */
  readonly longTexts?: LongTexts;
  /** Default: the best the registry lists for the model on a CPU. */
  readonly dtype?: string;
  /** Default: as many as the runtime finds cores. */
  readonly threads?: number;
}

/**
 * The `Embedder` port in Node, from local files only: `modelDir` is a folder named like a model of the
 * registry. Rejects with `model-missing` (naming the file), `model-broken` or `bad-argument`.
 */
export async function createNodeEmbedder(
  modelDir: string = SHIPPED_MODEL_DIR,
  { longTexts = 'parts', dtype, threads }: NodeEmbedderOptions = {},
): Promise<TransformersEmbedder> {
  const model = embeddingModel(basename(modelDir));
  const weights = chooseWeights(model, 'wasm', dtype);
  for (const file of [...CONFIG_FILES, weights.file]) await requireFile(join(modelDir, file));
  env.allowRemoteModels = false;
  env.allowLocalModels = true;
  env.localModelPath = dirname(modelDir);
  const encoder = await loadEncoder({ name: model.name, dtype: weights.dtype, device: 'cpu', threads }).catch(
    (error: unknown) => {
      throw toSkeinError(error, 'model-broken');
    },
  );
  return new TransformersEmbedder(model, encoder, {
    dtype: weights.dtype,
    longTexts,
    batching: { lengthStep: 1, tokenBudget: 2048, maxUnits: weights.scaledByBatch ? 1 : 64 },
  });
}

async function requireFile(path: string): Promise<void> {
  await access(path).catch(() => {
    throw new SkeinError(
      'model-missing',
      `The model file ${path} is missing.`,
      'Give the folder of a complete model.',
    );
  });
}
