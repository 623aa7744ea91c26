import type { AnswerModel } from '../../../src/answer/models.ts';

/** A small model of the site that runs anywhere, but for what `facts` say. */
export function aModel(facts: Partial<AnswerModel> = {}): AnswerModel {
  return {
    id: 'tiny',
    engine: 'transformers',
    title: 'Tiny',
    parameters: 135,
    bytes: 98_000_000,
    contextWindow: 8192,
    licence: 'Apache-2.0',
    needs: { webgpu: false, shaderF16: false, memoryBytes: 600_000_000 },
    source: { kind: 'site', path: 'models/tiny/' },
    note: 'Answers plain questions.',
    ...facts,
  };
}
