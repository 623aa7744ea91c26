import { abortedError, SkeinError } from '../../core/errors.ts';

/** What the browser rejected a call with, by the name of its DOMException, as what a person can act on. */
export function promptApiFailure(error: unknown): SkeinError {
  if (error instanceof SkeinError) return error;
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  const failed = (code: SkeinError['code'], text: string, remedy: string) =>
    new SkeinError(code, `${text} ${message}`.trim(), remedy, { cause: error });
  switch (name) {
    case 'AbortError':
      return abortedError();
    case 'QuotaExceededError':
      return failed('prompt-too-long', "The prompt passes the browser model's window.", 'Recall less.');
    case 'NotAllowedError':
      return failed(
        'model-missing',
        'The browser does not let this page use its model now.',
        'Choose the model again with a click: the browser starts the download only then.',
      );
    case 'NetworkError':
      return failed(
        'download-failed',
        "The browser's model could not be fetched.",
        'Check the connection and try again.',
      );
    case 'NotSupportedError':
      return failed(
        'model-missing',
        "The browser's model can't do this.",
        'Write in English, Spanish, Japanese, German or French, or choose another model.',
      );
    case 'NotReadableError':
      return failed(
        'model-broken',
        'The browser held the answer back.',
        'Ask in another way, or choose another model.',
      );
    case 'InvalidStateError':
      return failed('worker-died', 'The browser has ended its model.', 'Choose the model again.');
    default:
      return failed('model-broken', "The browser's model failed.", 'Try again, or choose another model.');
  }
}
