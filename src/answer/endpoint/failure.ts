import { SkeinError } from '../../core/errors.ts';

/** What a server said about a failure, as far as it could be read. */
export interface ServerError {
  readonly message: string;
  /** `code` and `type` of the error object: servers put the kind into either. */
  readonly kinds: readonly string[];
}

/** The error object of an answer, or undefined when there is none. OpenAI's, llama.cpp's, vLLM's and Ollama's shapes. */
export function serverError(answer: unknown): ServerError | undefined {
  if (!isRecord(answer)) return undefined;
  const error = answer.error ?? (answer.object === 'error' ? answer : undefined);
  if (typeof error === 'string') return { message: error, kinds: [] };
  if (!isRecord(error)) return undefined;
  const kinds = [error.code, error.type].filter((kind) => typeof kind === 'string');
  return { message: typeof error.message === 'string' ? error.message : 'no reason', kinds };
}

/** What a person can do about a failed request; `status` is 0 for an error inside a stream. */
export function endpointFailure(origin: string, status: number, error: ServerError): SkeinError {
  const said = `${origin} says: ${error.message.slice(0, 500)}`;
  if (isTooLong(error)) {
    return new SkeinError(
      'prompt-too-long',
      said,
      'Recall less, or start the server with a larger context and state it here.',
    );
  }
  switch (status) {
    case 401:
    case 403:
      return new SkeinError('unauthorised', said, 'Type the key that the server was started with.');
    case 404:
      return new SkeinError(
        'model-missing',
        said,
        'Choose a model of the list, or load it in the server. The address must be that of the server, such as http://localhost:8080.',
      );
    case 429:
      return new SkeinError('rate-limited', said, 'Wait until the server is free, then try again.');
    case 503:
      return new SkeinError(
        'rate-limited',
        said,
        'The server is still loading or busy: try again in a while.',
      );
    default:
      return new SkeinError(
        'download-failed',
        status ? `${said} (HTTP ${status})` : said,
        "Look at the server's own output for the reason.",
      );
  }
}

/** No answer at all: a browser does not say whether nothing listens or the server refuses pages (CORS). */
export function unreachable(origin: string, cause: unknown): SkeinError {
  const page = typeof location === 'undefined' ? undefined : location.origin;
  const cors = page
    ? ` It must also accept requests of this page: llama-server does by itself, Ollama with OLLAMA_ORIGINS=${page}, LM Studio with "lms server start --cors", vLLM by itself. Allow the page to reach this device if the browser asks.`
    : '';
  return new SkeinError(
    'unreachable',
    `No answer from ${origin}.`,
    `Start the server and check the port.${cors}`,
    { cause },
  );
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isTooLong({ message, kinds }: ServerError): boolean {
  return (
    kinds.some((kind) => /context_length_exceeded|exceed_context_size/.test(kind)) ||
    /maximum context length|exceeds? the (available |model's )?context|context (length|size|window) (is )?exceeded|prompt is too long/i.test(
      message,
    )
  );
}
