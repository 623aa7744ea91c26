/**
 * What the page and its workers may do. `'wasm-unsafe-eval'` compiles WebAssembly and nothing else. The hosts are
 * those of the model hub and of WebLLM's compiled libraries, for a model that a person chooses, and this machine's
 * own, for a language model server that a person names; nothing is fetched from them before that. (No policy can
 * name `[::1]`.)
 */
const POLICY: Readonly<Record<string, string>> = {
  'default-src': "'self'",
  'script-src': "'self' 'wasm-unsafe-eval'",
  'worker-src': "'self'",
  'style-src': "'self'",
  'img-src': "'self' data: blob:",
  'connect-src':
    "'self' https://huggingface.co https://*.huggingface.co https://*.hf.co https://raw.githubusercontent.com http://localhost:* http://127.0.0.1:*",
  'object-src': "'none'",
  'base-uri': "'none'",
  'form-action': "'none'",
};

/** The Content Security Policy for a meta element. */
export const POLICY_OF_PAGE = format(POLICY);

/** The same as a header, where `frame-ancestors` counts too. */
export const POLICY_HEADER = format({ ...POLICY, 'frame-ancestors': "'none'" });

function format(policy: Readonly<Record<string, string>>): string {
  return Object.entries(policy)
    .map(([directive, sources]) => `${directive} ${sources}`)
    .join('; ');
}
