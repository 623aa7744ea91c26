import { SkeinError } from '../core/errors.ts';
import type { TextKind } from './embedder.ts';

/** Where the arithmetic runs. */
export type Backend = 'webgpu' | 'wasm';

/** Weight format of one ONNX file, in the names that transformers.js uses. */
export type Dtype = 'fp32' | 'fp16' | 'int8' | 'q8';

/** One file of weights that a model offers. */
export interface Weights {
  readonly dtype: Dtype;
  /** Path below the model's folder. */
  readonly file: string;
  /** Bytes to download; for hub models rounded from what their pages state. */
  readonly bytes: number;
  readonly backends: readonly Backend[];
  /**
   * True where the scale of activations is taken over a whole batch, so that a text's vector would depend
   * on its neighbours: such weights are run one text at a time.
   */
  readonly scaledByBatch: boolean;
}

/** What the adapter must know about a sentence encoder; facts are those of the model's card. */
export interface EmbeddingModel {
  readonly name: string;
  readonly title: string;
  /** Hub repository with ONNX files; for a shipped model, where its weights were published. */
  readonly repository: string;
  /** True for the model that the site serves itself. */
  readonly shipped: boolean;
  readonly dimension: number;
  /** Most tokens of one input, special tokens included. */
  readonly window: number;
  readonly pooling: 'mean' | 'cls';
  /** Put before a text of that kind, as the model was trained. */
  readonly prefix: Readonly<Record<TextKind, string>>;
  readonly licence: string;
  readonly languages: string;
  /** Best choice first. */
  readonly weights: readonly Weights[];
}

const NO_PREFIX = { query: '', passage: '' };
const BGE_PREFIX = { query: 'Represent this sentence for searching relevant passages: ', passage: '' };
const E5_PREFIX = { query: 'query: ', passage: 'passage: ' };

const MB = 1_000_000;

/** Files that every model has beside its weights. */
export const CONFIG_FILES = ['config.json', 'tokenizer.json', 'tokenizer_config.json'] as const;

/** The model that needs no hub. */
export const SHIPPED_MODEL = 'all-MiniLM-L6-v2';

/**
 * Every model that a user can choose.
 *
 * q8 weights are offered for WASM only: WebGPU has been seen to give unrelated vectors for them without an
 * error. fp16 weights need a GPU with shader-f16.
 */
export const EMBEDDING_MODELS: readonly EmbeddingModel[] = [
  {
    name: SHIPPED_MODEL,
    title: 'MiniLM (comes with Skein)',
    repository: 'sentence-transformers/all-MiniLM-L6-v2',
    shipped: true,
    dimension: 384,
    window: 256,
    pooling: 'mean',
    prefix: NO_PREFIX,
    licence: 'Apache-2.0',
    languages: 'English',
    weights: [
      // int8 as stored, float32 as computed (see its NOTICE): the same vectors in any batch.
      {
        dtype: 'int8',
        file: 'onnx/model_int8.onnx',
        bytes: 24_106_859,
        backends: ['webgpu', 'wasm'],
        scaledByBatch: false,
      },
    ],
  },
  hubModel('bge-small-en-v1.5', 'BGE small', 384, 'cls', BGE_PREFIX, 'English', fullAndHalf(133, 67)),
  hubModel('bge-base-en-v1.5', 'BGE base', 768, 'cls', BGE_PREFIX, 'English', fullAndHalf(436, 218)),
  hubModel('bge-large-en-v1.5', 'BGE large', 1024, 'cls', BGE_PREFIX, 'English', [
    weights('fp16', 670, ['webgpu']),
    weights('q8', 337, ['wasm']),
  ]),
  hubModel('gte-small', 'GTE small', 384, 'mean', NO_PREFIX, 'English', fullAndHalf(133, 67)),
  hubModel('multilingual-e5-small', 'E5 small, multilingual', 384, 'mean', E5_PREFIX, 'about 100 languages', [
    ...fullAndHalf(470, 235),
    weights('q8', 118, ['wasm']),
  ]),
];

/** The registry entry of `name`. Throws `bad-argument` for an unknown one. */
export function embeddingModel(name: string): EmbeddingModel {
  const model = EMBEDDING_MODELS.find((m) => m.name === name);
  if (model) return model;
  const known = EMBEDDING_MODELS.map((m) => m.name).join(', ');
  throw new SkeinError('bad-argument', `There is no embedding model "${name}".`, `Choose one of: ${known}.`);
}

/** The weights of `model` in `dtype`, or its best ones that run on `backend`. Throws `bad-argument`. */
export function chooseWeights(model: EmbeddingModel, backend: Backend, dtype?: string): Weights {
  const usable = model.weights.filter((w) => w.backends.includes(backend));
  const chosen = dtype === undefined ? usable[0] : usable.find((w) => w.dtype === dtype);
  if (chosen) return chosen;
  const wanted = dtype === undefined ? 'weights' : `${dtype} weights`;
  throw new SkeinError(
    'bad-argument',
    `${model.title} has no ${wanted} for ${backend}.`,
    'Choose another model, or a browser with WebGPU.',
  );
}

/** `text` as the model reads it: with the prefix of its kind. */
export function modelInput(model: EmbeddingModel, kind: TextKind, text: string): string {
  return model.prefix[kind] + text;
}

function hubModel(
  name: string,
  title: string,
  dimension: number,
  pooling: EmbeddingModel['pooling'],
  prefix: EmbeddingModel['prefix'],
  languages: string,
  files: readonly Weights[],
): EmbeddingModel {
  const repository = `Xenova/${name}`;
  return {
    name,
    title,
    repository,
    shipped: false,
    dimension,
    window: 512,
    pooling,
    prefix,
    licence: 'MIT',
    languages,
    weights: files,
  };
}

function fullAndHalf(fullMB: number, halfMB: number): Weights[] {
  return [weights('fp32', fullMB, ['webgpu', 'wasm']), weights('fp16', halfMB, ['webgpu'])];
}

function weights(dtype: Dtype, megabytes: number, backends: readonly Backend[]): Weights {
  const ending = { fp32: '', fp16: '_fp16', int8: '_int8', q8: '_quantized' }[dtype];
  return {
    dtype,
    file: `onnx/model${ending}.onnx`,
    bytes: megabytes * MB,
    backends,
    scaledByBatch: dtype === 'q8' || dtype === 'int8',
  };
}
