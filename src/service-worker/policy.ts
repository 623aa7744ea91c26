/** Hosts of the model hub, for a model that a person chooses. */
const HUB = 'https://huggingface.co https://*.huggingface.co https://*.hf.co';
/** Where WebLLM's models have their compiled code from. */
const LIBRARIES = 'https://raw.githubusercontent.com';
/** This machine, for a language model server that a person names. (No policy can name `[::1]`.) */
const OWN_MACHINE = 'http://localhost:* http://127.0.0.1:*';

/** What differs between the places that state the policy. */
export interface PolicyPlace {
  /** Whether compiled code may be fetched from elsewhere, which an extension's pages must not run. */
  readonly libraries: boolean;
  /** Whether `frame-ancestors` counts there: not in a meta element. */
  readonly frames: boolean;
}

/**
 * What pages and their workers may do, as a Content Security Policy. `'wasm-unsafe-eval'` compiles WebAssembly and
 * nothing else. Nothing is fetched from other hosts before a person chooses or names something there.
 */
export function policy({ libraries, frames }: PolicyPlace): string {
  return [
    "default-src 'self'",
    "script-src 'self' 'wasm-unsafe-eval'",
    "worker-src 'self'",
    "style-src 'self'",
    "img-src 'self' data: blob:",
    ['connect-src', "'self'", HUB, ...(libraries ? [LIBRARIES] : []), OWN_MACHINE].join(' '),
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    ...(frames ? ["frame-ancestors 'none'"] : []),
  ].join('; ');
}

/** The site's, for a meta element. */
export const POLICY_OF_PAGE = policy({ libraries: true, frames: false });

/** The site's, as a header. */
export const POLICY_HEADER = policy({ libraries: true, frames: true });
