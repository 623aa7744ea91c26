import type { AnswerModel } from '../models.ts';
import { type Build, FAMILIES, type Family, LIBRARY_HOST, prebuiltName } from './families.ts';
import { PREBUILT } from './prebuilt.generated.ts';

/** Bits a parameter takes: four (or all) of its own, and a scale for each 32 of them. */
const BITS: Readonly<Record<Build, number>> = { q4f16_1: 4.5, q4f32_1: 5, q0f16: 16, q0f32: 32 };

/**
 * The WebLLM models of the picker. `bytes` is reckoned from parameters and bits (the package states no sizes), so it
 * may be off by a tenth; a load shows the true total.
 */
export const WEBLLM_MODELS: readonly AnswerModel[] = FAMILIES.flatMap((family) =>
  family.builds.map((build) => modelOf(family, build)),
);

/** Whether a build computes in 16-bit floats, which the package's records do not always say. */
export function needsShaderF16(name: string): boolean {
  return /q\df16/.test(name);
}

function modelOf(family: Family, build: Build): AnswerModel {
  const id = prebuiltName(family, build);
  const prebuilt = PREBUILT[id]!;
  const halfFloats = needsShaderF16(id);
  return {
    id,
    engine: 'webllm',
    title: `${family.title} (${halfFloats ? '16' : '32'}-bit arithmetic${build.startsWith('q4') ? ', 4-bit weights' : ''})`,
    parameters: family.parameters,
    bytes: Math.round((family.parameters * 1e6 * BITS[build]) / 8),
    contextWindow: prebuilt.contextWindow,
    licence: family.licence,
    needs: { webgpu: true, shaderF16: halfFloats, memoryBytes: Math.round(prebuilt.memoryMb * 2 ** 20) },
    source: { kind: 'hub', repository: prebuilt.repository, library: LIBRARY_HOST + prebuilt.library },
    note: family.note,
  };
}
