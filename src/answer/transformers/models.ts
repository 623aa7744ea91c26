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
