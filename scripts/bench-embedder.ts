import { access } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { env } from '@huggingface/transformers';
import { SkeinError, toSkeinError } from '../src/core/errors.ts';
import { normalise } from '../src/core/vectors.ts';
import { CachingEmbedder } from '../src/embed/caching-embedder.ts';
import type { Embedder, LongTexts } from '../src/embed/embedder.ts';
import { FileVectorCache } from '../src/embed/node/file-vector-cache.ts';
import { SHIPPED_MODEL_DIR } from '../src/embed/node/node-embedder.ts';
import { type Dtype, EMBEDDING_MODELS, type EmbeddingModel } from '../src/embed/registry.ts';
import { loadEncoder } from '../src/embed/transformers/encoder.ts';
import { TransformersEmbedder } from '../src/embed/transformers/transformers-embedder.ts';

/** Models that are measured, but not offered to anyone. */
const MEASURED_ONLY: readonly Omit<EmbeddingModel, 'weights'>[] = [
  {
    name: 'e5-small-v2',
    title: 'E5 small',
    repository: 'intfloat/e5-small-v2',
    shipped: false,
    dimension: 384,
    window: 512,
    pooling: 'mean',
    prefix: { query: 'query: ', passage: 'passage: ' },
    licence: 'MIT',
    languages: 'English',
  },
];

const FILES: Readonly<Record<string, string>> = {
  fp32: 'onnx/model.onnx',
  fp16: 'onnx/model_fp16.onnx',
  int8: 'onnx/model_int8.onnx',
  q8: 'onnx/model_quantized.onnx',
};

/** How an embedder is varied; see the usage of `npm run sensitivity`. */
interface Variation {
  readonly folder: string;
  readonly dtype?: Dtype;
  readonly longTexts: LongTexts;
  readonly prefix: boolean;
  /** Keeps this many dimensions, at unit length again. */
  readonly dimensions?: number;
}

/**
 * The embedder that `spec` names: a model's folder, or the name of one beside the shipped one, and behind it any of
 * `+dtype=fp32`, `+cut`, `+no-prefix`, `+dims=128`; it runs in `threads`, left out one a core. Vectors are kept in
 * `.cache/vectors`. Rejects with `bad-argument`, `model-missing` or `model-broken`.
 */
export async function variedEmbedder(spec: string, threads?: number): Promise<Embedder> {
  const variation = await readSpec(spec);
  const { folder, longTexts, prefix, dimensions } = variation;
  const model = modelNamed(basename(folder));
  const dtype = variation.dtype ?? (await firstDtype(folder));
  // What is read without its prefix is another embedder: its vectors are kept apart by its name.
  const read = prefix
    ? model
    : { ...model, name: `${model.name} without prefix`, prefix: { query: '', passage: '' } };
  env.allowRemoteModels = false;
  env.allowLocalModels = true;
  env.localModelPath = dirname(folder);
  const encoder = await loadEncoder({ name: model.name, dtype, device: 'cpu', threads }).catch(
    (error: unknown) => {
      throw toSkeinError(error, 'model-broken');
    },
  );
  // Weights quantised as they run scale their activations over a batch: a text must not depend on its neighbours.
  const maxUnits = dtype === 'q8' ? 1 : 64;
  const embedder = new TransformersEmbedder({ ...read, weights: [] }, encoder, {
    dtype,
    longTexts,
    batching: { lengthStep: 1, tokenBudget: 2048, maxUnits },
  });
  const caching = new CachingEmbedder(embedder, await FileVectorCache.open(embedder.stamp));
  return dimensions === undefined ? caching : firstDimensions(caching, dimensions);
}

async function readSpec(spec: string): Promise<Variation> {
  const [place = '', ...changes] = spec.split('+');
  let variation: Variation = { folder: await folderOf(place), longTexts: 'parts', prefix: true };
  for (const change of changes) {
    const [key, value] = change.split('=');
    if (key === 'cut') variation = { ...variation, longTexts: 'cut' };
    else if (key === 'no-prefix') variation = { ...variation, prefix: false };
    else if (key === 'dtype' && value && value in FILES) variation = { ...variation, dtype: value as Dtype };
    else if (key === 'dims' && Number(value) > 0) variation = { ...variation, dimensions: Number(value) };
    else throw new SkeinError('bad-argument', `"${change}" in ${spec} is no variation.`, 'See the usage.');
  }
  return variation;
}

async function folderOf(place: string): Promise<string> {
  const beside = join(dirname(SHIPPED_MODEL_DIR), place);
  if (!place.includes('/') && (await exists(beside))) return beside;
  if (await exists(place)) return resolve(place);
  throw new SkeinError(
    'model-missing',
    `There is no folder ${place}.`,
    'docs/results.md says where models come from.',
  );
}

async function firstDtype(folder: string): Promise<Dtype> {
  for (const [dtype, file] of Object.entries(FILES)) {
    if (await exists(join(folder, file))) return dtype as Dtype;
  }
  throw new SkeinError(
    'model-missing',
    `${folder} holds no weights.`,
    `Give one of ${Object.values(FILES).join(', ')}.`,
  );
}

function modelNamed(name: string): Omit<EmbeddingModel, 'weights'> {
  const known = [...EMBEDDING_MODELS, ...MEASURED_ONLY];
  const model = known.find((one) => one.name === name);
  if (model) return model;
  const names = known.map((one) => one.name).join(', ');
  throw new SkeinError(
    'bad-argument',
    `Nothing is known about a model "${name}".`,
    `Name the folder one of: ${names}.`,
  );
}

/** `embedder`, of whose vectors only the first `dimension` floats are kept, at unit length. */
function firstDimensions(embedder: Embedder, dimension: number): Embedder {
  const { stamp } = embedder;
  return {
    stamp: { ...stamp, model: `${stamp.model}, first ${dimension} dimensions`, dimension },
    embed: async (texts, options) =>
      (await embedder.embed(texts, options)).map((vector) => normalise(vector.slice(0, dimension))),
  };
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
