import { SkeinError } from '../../core/errors.ts';

/** Signs in llama.cpp's log and the runtime's messages, the first that fits counts. */
const SIGNS: readonly (readonly [RegExp, (message: string) => SkeinError])[] = [
  [
    /unknown model architecture: '?([^'\n]*)/,
    (message) =>
      new SkeinError(
        'model-broken',
        `llama.cpp, as it is built here, does not know this kind of model: ${/architecture: '?([^'\n]*)/.exec(message)?.[1]}.`,
        'Choose another model.',
      ),
  ],
  [
    /device (was |is )?lost|lost device/i,
    (message) =>
      new SkeinError(
        'device-lost',
        `The GPU device was lost. ${brief(message)}`,
        'The model is loaded again when you ask.',
      ),
  ],
  [
    /out of memory|OOM|failed to allocate|bad_alloc|cannot allocate|cannot enlarge memory|memory allocation/i,
    (message) =>
      new SkeinError(
        'out-of-memory',
        `There is not enough memory for this model. ${brief(message)}`,
        'Close other tabs, or choose a smaller model.',
      ),
  ],
  [
    /corrupted|incomplete|not within the file bounds|invalid magic|tensors expected/i,
    (message) =>
      new SkeinError(
        'integrity-failed',
        `The model's file is damaged. ${brief(message)}`,
        'Get it again, and drop it here anew.',
      ),
  ],
  [
    /(fetching|loading) of the wasm failed|compileerror|version does not match/i,
    (message) =>
      new SkeinError(
        'download-failed',
        `llama.cpp's runtime could not be fetched. ${brief(message)}`,
        'Check the connection and reload the page.',
      ),
  ],
];

/** `error` of llama.cpp, whose message holds the last lines of its log, as what a person can act on. */
export function llamaFailure(error: unknown): SkeinError {
  if (error instanceof SkeinError) return error;
  const message = error instanceof Error ? error.message : String(error);
  const [, explain] = SIGNS.find(([sign]) => sign.test(message)) ?? [];
  return (
    explain?.(message) ??
    new SkeinError(
      'model-broken',
      `llama.cpp failed. ${brief(message)}`,
      'Load the model again, or choose another one.',
      {
        cause: error,
      },
    )
  );
}

/** The log's line that tells the cause: the first that speaks of an error, or else the first. */
function brief(message: string): string {
  const lines = message.split('\n');
  return (lines.find((line) => /error|abort/i.test(line)) ?? lines[0]!).trim().slice(0, 300);
}
