import { type ErrorCode, SkeinError } from '../../core/errors.ts';

/** A kind of failure: what gives it away in web-llm's words, and what a person can do. */
interface Kind {
  readonly code: ErrorCode;
  readonly sign: RegExp;
  readonly says: string;
  readonly remedy: string;
}

const OTHER_MODEL = 'Choose a model that runs without it: transformers.js and GGUF models also run on WASM.';

/** The first that fits counts. Names of error classes and messages of web-llm 0.2.86, TVM's runtime and browsers. */
const KINDS: readonly Kind[] = [
  {
    code: 'no-shader-f16',
    sign: /ShaderF16Support|shader-f16|'f16'|\bf16\b.*(not|extension|feature)/i,
    says: "This device's GPU has no 16-bit floats (shader-f16), which the model needs.",
    remedy: 'Choose its build with 32-bit arithmetic (q4f32).',
  },
  {
    code: 'no-webgpu',
    sign: /WebGPUNot(Available|Found)|compatible GPU|Cannot initialize runtime|FeatureSupport|requestAdapter/i,
    says: 'This browser offers no WebGPU that the model can use.',
    remedy: OTHER_MODEL,
  },
  {
    code: 'prompt-too-long',
    sign: /ContextWindowSizeExceeded/,
    says: 'The prompt is longer than the window of the model.',
    remedy: 'Recall fewer episodes, or choose a model with a larger window.',
  },
  {
    code: 'out-of-memory',
    sign: /out.of.memory|OutOfMemory|allocation failed|bad_alloc|could not allocate/i,
    says: 'There is not enough memory for this model.',
    remedy: 'Close other tabs, or choose a smaller model.',
  },
  {
    code: 'device-lost',
    sign: /DeviceLost|device (was|is) lost|lost device|A valid external Instance reference no longer exists/i,
    says: 'The browser took the GPU away from the model.',
    remedy: 'Ask again: the model is loaded anew. If it goes on, choose a smaller model.',
  },
  {
    code: 'model-missing',
    sign: /ModelNotLoaded|SpecifiedModelNotFound|ModelNotFound/,
    says: 'No model is loaded.',
    remedy: 'Load one first.',
  },
];

/**
 * What web-llm rejected with as a SkeinError that names `place`. It rejects with errors, with objects, and across a
 * worker with plain strings ("CompileError: ..."). What is none of the known kinds gets `otherwise`: while a model
 * loads, that is a fault of its files.
 */
export function fromWebLlm(
  error: unknown,
  place: string,
  otherwise: 'model-broken' | 'internal',
): SkeinError {
  if (error instanceof SkeinError) return error;
  const words = wordsOf(error);
  const kind = KINDS.find(({ sign }) => sign.test(words));
  if (kind)
    return new SkeinError(kind.code, `${place}: ${kind.says} (${words})`, kind.remedy, { cause: error });
  return otherwise === 'model-broken'
    ? new SkeinError(
        'model-broken',
        `${place} could not be started: its files do not fit together or are damaged. (${words})`,
        'Its files on this device were removed: load it again, or choose another model.',
        { cause: error },
      )
    : new SkeinError('internal', `${place} failed. (${words})`, 'Ask again, or load the model anew.', {
        cause: error,
      });
}

/** The error of a call that needs a model when none is loaded. */
export function noModel(): SkeinError {
  return new SkeinError('model-missing', 'No language model is loaded.', 'Load one first.');
}

function wordsOf(error: unknown): string {
  if (error instanceof Error) return `${error.name}: ${error.message}`;
  if (typeof error === 'string') return error;
  const message = (error as { message?: unknown } | null)?.message;
  return typeof message === 'string' ? message : String(error);
}
