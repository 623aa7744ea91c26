/** Where the hub keeps WebLLM's models, and where the libraries compiled for them are. */
export const MODEL_HOST = 'https://huggingface.co/';
export const LIBRARY_HOST =
  'https://raw.githubusercontent.com/mlc-ai/binary-mlc-llm-libs/main/web-llm-models/';

/** What @mlc-ai/web-llm says of one of its models; made by `scripts/webllm-models.ts`. */
export interface Prebuilt {
  /** Below `MODEL_HOST`. */
  readonly repository: string;
  /** Path of the compiled library below `LIBRARY_HOST`. */
  readonly library: string;
  /** Graphics memory that the package states, in MiB. */
  readonly memoryMb: number;
  readonly contextWindow: number;
}

/** What is known of a family of WebLLM models beyond the package's own list. */
export interface Family {
  /** Names in the package's list, without the quantisation that follows. */
  readonly name: string;
  readonly title: string;
  /** In millions. */
  readonly parameters: number;
  readonly licence: string;
  readonly note: string;
  /** The builds offered, of those in the package's list: weights of 4 bits or whole, arithmetic of 16 or 32. */
  readonly builds: readonly Build[];
}

/** How weights are stored and in which floats the GPU computes; the `f16` builds need shader-f16. */
export type Build = 'q4f16_1' | 'q4f32_1' | 'q0f16' | 'q0f32';

const BOTH: readonly Build[] = ['q4f16_1', 'q4f32_1'];

const TINY =
  'Repeats a fact that stands before it; confuses people and dates, and is near chance at hard choices.';
const SMALL = 'Answers plain questions from recalled turns; weak at putting several of them together.';
const MIDDLE =
  'Follows instructions and joins several turns; still misses fine points. A laptop GPU runs it.';
const LARGE = 'The best answers of this list. It wants a graphics card with memory to spare.';

/**
 * The WebLLM models that the picker offers, small ones first. Parameters and licences are those on the models' cards.
 */
export const FAMILIES: readonly Family[] = [
  {
    name: 'SmolLM2-135M-Instruct',
    title: 'SmolLM2 135M',
    parameters: 135,
    licence: 'Apache-2.0',
    note: TINY,
    builds: ['q0f16', 'q0f32'],
  },
  {
    name: 'SmolLM2-360M-Instruct',
    title: 'SmolLM2 360M',
    parameters: 362,
    licence: 'Apache-2.0',
    note: TINY,
    builds: BOTH,
  },
  {
    name: 'Qwen2.5-0.5B-Instruct',
    title: 'Qwen2.5 0.5B',
    parameters: 494,
    licence: 'Apache-2.0',
    note: SMALL,
    builds: BOTH,
  },
  {
    name: 'Qwen3-0.6B',
    title: 'Qwen3 0.6B',
    parameters: 596,
    licence: 'Apache-2.0',
    note: SMALL,
    builds: BOTH,
  },
  {
    name: 'gemma3-1b-it',
    title: 'Gemma 3 1B',
    parameters: 1000,
    licence: 'Gemma terms of use',
    note: SMALL,
    builds: ['q4f16_1'],
  },
  {
    name: 'Llama-3.2-1B-Instruct',
    title: 'Llama 3.2 1B',
    parameters: 1236,
    licence: 'Llama 3.2 community licence',
    note: SMALL,
    builds: BOTH,
  },
  {
    name: 'Qwen2.5-1.5B-Instruct',
    title: 'Qwen2.5 1.5B',
    parameters: 1544,
    licence: 'Apache-2.0',
    note: SMALL,
    builds: BOTH,
  },
  {
    name: 'SmolLM2-1.7B-Instruct',
    title: 'SmolLM2 1.7B',
    parameters: 1711,
    licence: 'Apache-2.0',
    note: SMALL,
    builds: BOTH,
  },
  {
    name: 'Qwen3-1.7B',
    title: 'Qwen3 1.7B',
    parameters: 1721,
    licence: 'Apache-2.0',
    note: SMALL,
    builds: BOTH,
  },
  {
    name: 'gemma-2-2b-it',
    title: 'Gemma 2 2B',
    parameters: 2614,
    licence: 'Gemma terms of use',
    note: `One of the paper's models. ${MIDDLE}`,
    builds: BOTH,
  },
  {
    name: 'Qwen2.5-3B-Instruct',
    title: 'Qwen2.5 3B',
    parameters: 3086,
    licence: 'Qwen research licence (no commercial use)',
    note: MIDDLE,
    builds: BOTH,
  },
  {
    name: 'Llama-3.2-3B-Instruct',
    title: 'Llama 3.2 3B',
    parameters: 3213,
    licence: 'Llama 3.2 community licence',
    note: MIDDLE,
    builds: BOTH,
  },
  {
    name: 'Phi-3.5-mini-instruct',
    title: 'Phi 3.5 mini',
    parameters: 3821,
    licence: 'MIT',
    note: MIDDLE,
    builds: BOTH,
  },
  {
    name: 'Phi-4-mini-instruct',
    title: 'Phi 4 mini',
    parameters: 3836,
    licence: 'MIT',
    note: MIDDLE,
    builds: BOTH,
  },
  {
    name: 'Qwen3-4B',
    title: 'Qwen3 4B',
    parameters: 4022,
    licence: 'Apache-2.0',
    note: MIDDLE,
    builds: BOTH,
  },
  {
    name: 'Qwen2.5-7B-Instruct',
    title: 'Qwen2.5 7B',
    parameters: 7616,
    licence: 'Apache-2.0',
    note: LARGE,
    builds: BOTH,
  },
  { name: 'Qwen3-8B', title: 'Qwen3 8B', parameters: 8191, licence: 'Apache-2.0', note: LARGE, builds: BOTH },
  {
    name: 'gemma-2-9b-it',
    title: 'Gemma 2 9B',
    parameters: 9242,
    licence: 'Gemma terms of use',
    note: `The paper's Gemma2 rows were made with this model. ${LARGE}`,
    builds: BOTH,
  },
];

/** The name of a build in the package's list, which is also its model id here. */
export function prebuiltName(family: Family, build: Build): string {
  return `${family.name}-${build}-MLC`;
}
