import type { AnswerModel } from '../models.ts';

/** The language model that the site itself serves. */
export const EMBEDDED_MODEL: AnswerModel = {
  id: 'SmolLM2-135M-Instruct',
  engine: 'transformers',
  title: 'SmolLM2 135M Instruct (comes with this site)',
  parameters: 135,
  bytes: 99_557_989,
  contextWindow: 8192,
  licence: 'Apache-2.0',
  needs: { webgpu: false, shaderF16: false, memoryBytes: 900_000_000 },
  source: { kind: 'site', path: 'models/SmolLM2-135M-Instruct/' },
  note:
    'Very small: it repeats a fact that a recalled passage states in plain words, in English. It often misses which ' +
    'passage counts, seldom cites, does not reason or calculate, and makes things up when the passages are silent.',
};

/** Files of a model that a browser loads, besides its weights. */
export const CONFIG_FILES = [
  'config.json',
  'generation_config.json',
  'tokenizer.json',
  'tokenizer_config.json',
];

/** Whether a file of a model's folder holds the 4-bit weights that the engine loads. */
export function isWeights(path: string): boolean {
  return /^onnx\/model_q4\.onnx(_data(_\d+)?)?$/.test(path);
}

const UNTRIED = 'Not tried by the makers of this page.';

/** Models of the hub for devices without WebGPU; sizes are those on the hub's pages, rounded. */
export const HUB_MODELS: readonly AnswerModel[] = [
  hubModel(
    'Qwen2.5 0.5B Instruct',
    'onnx-community/Qwen2.5-0.5B-Instruct',
    494,
    786,
    'Answers plain questions.',
  ),
  hubModel(
    'Qwen2.5 1.5B Instruct',
    'onnx-community/Qwen2.5-1.5B-Instruct',
    1544,
    1790,
    'Joins a few turns; slow without a graphics processor.',
  ),
];

function hubModel(
  title: string,
  repository: string,
  parameters: number,
  megabytes: number,
  note: string,
): AnswerModel {
  return {
    id: repository,
    engine: 'transformers',
    title: `${title} (ONNX, 4-bit weights)`,
    parameters,
    bytes: megabytes * 1e6,
    contextWindow: 8192,
    licence: 'Apache-2.0',
    needs: { webgpu: false, shaderF16: false, memoryBytes: megabytes * 2e6 },
    source: { kind: 'hub', repository },
    note: `${note} ${UNTRIED}`,
  };
}
