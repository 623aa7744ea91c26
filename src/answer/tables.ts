import type { ModelTables } from './catalogue.ts';
import { EMBEDDED_MODEL } from './transformers/models.ts';
import { WEBLLM_MODELS } from './webllm/models.ts';

/** The models that the engines state, but for those that the person brought. */
export async function modelTables(): Promise<Omit<ModelTables, 'own'>> {
  return { browser: [], site: [EMBEDDED_MODEL], hub: WEBLLM_MODELS };
}
