import { SkeinError } from '../../core/errors.ts';
import { isSoftware } from '../../runtime/gpu.ts';
import type { AnswerModel } from '../models.ts';

/** What web-llm's runtime asks of any device (0.2.86); a GPU with less fails after the download. */
const LEAST_LIMITS = {
  maxBufferSize: 2 ** 28,
  maxStorageBufferBindingSize: 2 ** 27,
  maxComputeWorkgroupStorageSize: 32 * 1024,
  maxStorageBuffersPerShaderStage: 10,
} as const;

/**
 * Makes sure, before anything is downloaded, that this device's GPU can run `model`. Rejects with `no-webgpu` or
 * `no-shader-f16`; resolves with what a person should know, if anything.
 */
export async function checkGpu({ title, needs }: AnswerModel): Promise<string | undefined> {
  const adapter = await navigator.gpu
    ?.requestAdapter({ powerPreference: 'high-performance' })
    .catch(() => null);
  if (!adapter) throw noWebGpu(`${title} needs WebGPU, which this browser does not offer here.`);
  for (const [limit, least] of Object.entries(LEAST_LIMITS)) {
    const offered = adapter.limits[limit as keyof typeof LEAST_LIMITS];
    if (offered < least) {
      throw noWebGpu(`${title} needs a ${limit} of ${least}; this device's GPU has ${offered}.`);
    }
  }
  if (needs.shaderF16 && !adapter.features.has('shader-f16')) {
    throw new SkeinError(
      'no-shader-f16',
      `${title} needs 16-bit floats on the GPU (shader-f16), which this one does not have.`,
      'Choose its build with 32-bit arithmetic (q4f32).',
    );
  }
  return isSoftware(adapter.info)
    ? 'WebGPU is emulated in software here: answers come very slowly.'
    : undefined;
}

function noWebGpu(message: string): SkeinError {
  return new SkeinError(
    'no-webgpu',
    message,
    'Choose a model of another engine: transformers.js and GGUF models also run on WASM.',
  );
}
