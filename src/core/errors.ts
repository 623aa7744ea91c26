/** Everything that can go wrong in a way that a person can act on. */
export type ErrorCode =
  // input
  | 'bad-file'
  | 'unknown-format'
  | 'empty-thread'
  | 'bad-argument'
  // validity of an evaluation (LSREP)
  | 'future-evidence'
  | 'reference-leak'
  // embedding and models
  | 'model-missing'
  | 'model-broken'
  | 'self-test-failed'
  | 'no-webgpu'
  | 'no-shader-f16'
  | 'download-failed'
  | 'integrity-failed'
  | 'device-lost'
  | 'prompt-too-long'
  // a language model server of one's own
  | 'unreachable'
  | 'unauthorised'
  | 'rate-limited'
  | 'wrong-dimension'
  | 'stamp-mismatch'
  // storage
  | 'storage-blocked'
  | 'storage-closed'
  | 'storage-newer'
  | 'storage-unavailable'
  | 'quota'
  | 'not-found'
  | 'read-only'
  | 'busy'
  // workers
  | 'worker-died'
  | 'aborted'
  | 'offline'
  | 'out-of-memory'
  | 'internal';

/**
 * An error with a cause that code can test (`code`), a message that names the place,
 * and `remedy`: what the person can do about it.
 */
export class SkeinError extends Error {
  override readonly name = 'SkeinError';
  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly remedy: string = '',
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** The error that an aborted call rejects with. */
export function abortedError(): SkeinError {
  return new SkeinError('aborted', 'The work was stopped.', 'Start it again to go on.');
}

/** Throws `abortedError` once `signal` is aborted. */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw abortedError();
}

/** `error` as a SkeinError; what is none becomes `internal` and keeps its message. */
export function toSkeinError(error: unknown, code: ErrorCode = 'internal'): SkeinError {
  if (error instanceof SkeinError) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new SkeinError(code, message, '', { cause: error });
}
