import { access } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { env } from '@huggingface/transformers';
import { SkeinError, toSkeinError } from '../../../core/errors.ts';
import { loadLanguageModel } from '../language-model.ts';
import { CONFIG_FILES, EMBEDDED_MODEL } from '../models.ts';
import { TransformersEngine } from '../transformers-engine.ts';

const SHIPPED_MODEL_DIR = fileURLToPath(
  new URL('../../../../public/models/SmolLM2-135M-Instruct', import.meta.url),
);

/**
 * The site's language model in Node, loaded and ready, from its files in this checkout. `threads`: as many as the
 * runtime finds cores where it is left out. Rejects with `model-missing` (naming the file) or `model-broken`.
 */
export async function createNodeAnswerEngine({ threads }: { readonly threads?: number } = {}) {
  for (const file of [...CONFIG_FILES, 'onnx/model_q4.onnx'])
    await requireFile(join(SHIPPED_MODEL_DIR, file));
  const engine = new TransformersEngine(async () => {
    env.allowRemoteModels = false;
    env.allowLocalModels = true;
    env.localModelPath = dirname(SHIPPED_MODEL_DIR);
    const name = basename(SHIPPED_MODEL_DIR);
    const language = await loadLanguageModel({ name, dtype: 'q4', device: 'cpu', threads }).catch((error) => {
      throw toSkeinError(error, 'model-broken');
    });
    return { language, backend: 'native' };
  });
  await engine.load(EMBEDDED_MODEL);
  return engine;
}

async function requireFile(path: string): Promise<void> {
  await access(path).catch(() => {
    throw new SkeinError(
      'model-missing',
      `The model file ${path} is missing.`,
      'Check out the whole repository.',
    );
  });
}
