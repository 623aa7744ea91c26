import { env } from '@huggingface/transformers';
import { SkeinError, throwIfAborted } from '../../core/errors.ts';
import { detectGpu } from '../../runtime/gpu.ts';
import { KeptFiles } from '../../runtime/kept-files.ts';
import { isOutOfMemory } from '../../runtime/out-of-memory.ts';
import {
  keepTransformersOffTheNetwork,
  prepareOnnxRuntime,
  withModelFiles,
} from '../../runtime/transformers-runtime.ts';
import type { LoadOptions } from '../answer-engine.ts';
import type { ModelFiles } from '../files/model-files.ts';
import type { AnswerModel } from '../models.ts';
import { type LanguageModel, loadLanguageModel } from './language-model.ts';
import { fetchModel, modelList } from './model-list.ts';
import type { StartedModel, StartModel } from './transformers-engine.ts';

type Backend = 'webgpu' | 'wasm';

/** What a browser's models need. */
export interface BrowserGround {
  readonly files: ModelFiles;
  /** The site's root, with a slash at its end. */
  readonly site: string;
}

/**
 * Models in a browser: files out of `files`, checked against what the site's manifest or the hub states; on WebGPU
 * where there is a real GPU, otherwise, or where that fails, on WASM, and `notice` says why. A model that needs WebGPU
 * takes a software GPU, too. Rejects with the codes of `AnswerEngine`.
 */
export function browserStart(ground: BrowserGround): StartModel {
  keepTransformersOffTheNetwork();
  return async (model, options) => {
    const { backend, notice } = await plan(model);
    await fetchAll(model, backend, ground, options);
    return startTested(model, backend, ground, options, notice);
  };
}

async function plan({ needs }: AnswerModel): Promise<{ backend: Backend; notice?: string }> {
  const gpu = await detectGpu();
  if (gpu.kind === 'hardware') return { backend: 'webgpu' };
  if (needs.webgpu && gpu.kind === 'none') {
    throw new SkeinError(
      'no-webgpu',
      'This browser offers no WebGPU here.',
      'Choose a model that runs on WASM.',
    );
  }
  if (needs.webgpu)
    return { backend: 'webgpu', notice: 'WebGPU is emulated in software here: it is very slow.' };
  return {
    backend: 'wasm',
    notice:
      gpu.kind === 'none'
        ? 'No WebGPU here: the processor computes (WASM).'
        : 'WebGPU is emulated in software here: WASM is used, which is faster.',
  };
}

/** Runtime and model, counted as one. */
async function fetchAll(
  model: AnswerModel,
  backend: Backend,
  { files, site }: BrowserGround,
  { onProgress, signal }: LoadOptions,
): Promise<void> {
  const counts = { runtime: [0, 0], model: [0, model.bytes] };
  const count = (what: keyof typeof counts) => (loaded: number, total: number) => {
    counts[what] = [loaded, total];
    const [[a, b], [c, d]] = [counts.runtime, counts.model] as [[number, number], [number, number]];
    onProgress?.({ loadedBytes: a + c, totalBytes: b + d, step: 'download' });
  };
  const fetch = (url: string, init: RequestInit) => globalThis.fetch(url, init);
  await prepareOnnxRuntime(site, backend, {
    fetch,
    onBytes: count('runtime'),
    signal,
    kept: new KeptFiles(),
  });
  await fetchModel(model, files, site, { onProgress: count('model'), signal });
}

async function startTested(
  model: AnswerModel,
  backend: Backend,
  ground: BrowserGround,
  options: LoadOptions,
  notice: string | undefined,
): Promise<StartedModel> {
  const { onProgress, signal } = options;
  throwIfAborted(signal);
  onProgress?.({ loadedBytes: model.bytes, totalBytes: model.bytes, step: 'start' });
  try {
    const language = await start(model, backend, ground.files);
    if (!signal?.aborted) return { language, backend, notice, isLost: await watchDevice(backend) };
    await language.dispose();
  } catch (error) {
    throwIfAborted(signal);
    if (backend === 'webgpu' && !model.needs.webgpu) {
      const why = `WebGPU failed, so WASM is used instead. ${messageOf(error)}`;
      return startTested(model, 'wasm', ground, options, why);
    }
    const failure = startFailure(error, backend);
    if (failure.code === 'model-broken') await removeUnproven(model, ground);
    throw failure;
  }
  throwIfAborted(signal);
  throw new SkeinError('internal', 'The load ended without a model.');
}

/**
 * Removes the files of which nobody stated a hash: one of them is wrong where the model can't be started. The person's
 * own files stay, since nobody could bring them back; and so does everything where the list can't be had.
 */
export async function removeUnproven(model: AnswerModel, { files, site }: BrowserGround): Promise<void> {
  if (model.source.kind === 'files') return;
  const listed = await modelList(model, site).catch(() => undefined);
  const unproven = listed?.filter(({ sha256 }) => sha256 === undefined).map(({ path }) => path);
  // Without a path, too: the model no longer counts as whole, so that the next load looks at every file.
  if (unproven) await files.remove(model.id, unproven);
}

function start(model: AnswerModel, device: Backend, files: ModelFiles): Promise<LanguageModel> {
  const find = (path: string) => files.read(model.id, path);
  return withModelFiles(model.id, find, () => loadLanguageModel({ name: model.id, dtype: 'q4', device }));
}

/** Tells whether the GPU device that the runtime computes on is lost. */
async function watchDevice(backend: Backend): Promise<() => boolean> {
  let lost = false;
  const device = backend === 'webgpu' ? await env.backends.onnx.webgpu?.device : undefined;
  void (device as GPUDevice | undefined)?.lost.then(() => {
    lost = true;
  });
  return () => lost;
}

/** Why a session could not be made: only a failure on WASM, with memory to spare, speaks against the files. */
function startFailure(error: unknown, backend: Backend): SkeinError {
  if (error instanceof SkeinError) return error;
  const message = messageOf(error);
  const cause = { cause: error };
  if (isOutOfMemory(error)) {
    return new SkeinError(
      'out-of-memory',
      `There is not enough memory for this model. ${message}`,
      'Close other tabs, or choose a smaller model.',
      cause,
    );
  }
  return backend === 'webgpu'
    ? new SkeinError('no-webgpu', message, 'Choose a model that also runs on WASM.', cause)
    : new SkeinError('model-broken', message, 'Load the model again, or choose another one.', cause);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
