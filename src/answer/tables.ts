import type { ModelTables } from './catalogue.ts';
import { promptApiModel } from './prompt-api/models.ts';
import { EMBEDDED_MODEL, HUB_MODELS } from './transformers/models.ts';
import { WEBLLM_MODELS } from './webllm/models.ts';

/** The models that the engines state, but for those that the person brought. */
export async function modelTables(): Promise<Omit<ModelTables, 'own'>> {
  const browser = await promptApiModel();
  return {
    browser: browser ? [browser] : [],
    site: [EMBEDDED_MODEL],
    hub: [...HUB_MODELS, ...WEBLLM_MODELS],
  };
}
