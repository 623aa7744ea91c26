import { SkeinError } from '../../core/errors.ts';

/** A request or a body that ended early; worth another try behind what has come. */
export class BrokenOff extends Error {
  override readonly name = 'BrokenOff';
}

/** What came is not what it should be; nothing of it is kept. */
export function notTheFile(url: string, why: string, cause?: unknown): SkeinError {
  return new SkeinError(
    'integrity-failed',
    `The model file ${url} is not what it should be: ${why}. It was removed.`,
    'Download it again; if that does not help, the source is damaged or has changed.',
    { cause },
  );
}

/** The error of a server's answer that is no file. */
export function refused(url: string, status: number): SkeinError {
  const remedy =
    status === 401 || status === 403
      ? 'The source gives this model only to people who are signed in there. Choose another one.'
      : 'Try again later, or choose another model.';
  return new SkeinError('download-failed', `${url} could not be had (status ${status}).`, remedy);
}

export function unreachable(url: string, cause: unknown): SkeinError {
  const offline = globalThis.navigator?.onLine === false;
  return offline
    ? new SkeinError(
        'offline',
        `This device is offline: ${url} can't be fetched.`,
        'Go on when it is online.',
        {
          cause,
        },
      )
    : new SkeinError(
        'download-failed',
        `${url} could not be fetched: the connection failed, or the source refuses this page.`,
        'Check the connection and go on; what has come is kept.',
        { cause },
      );
}

export function isQuotaError(error: unknown): boolean {
  return error instanceof Error && error.name === 'QuotaExceededError';
}

/** Servers of single-page sites answer a missing file with their page. Throws `integrity-failed` for one. */
export async function checkNotPage(url: string, start: Blob): Promise<void> {
  const text = (await start.slice(0, 64).text()).trimStart().toLowerCase();
  if (text.startsWith('<!doctype') || text.startsWith('<html')) throw notTheFile(url, 'it is a web page');
}
