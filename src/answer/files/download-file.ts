import { abortedError, SkeinError, throwIfAborted } from '../../core/errors.ts';
import { BrokenOff, isQuotaError, notTheFile, refused, unreachable } from './faults.ts';
import { type FileShelf, sizeOf } from './file-shelf.ts';
import type { ModelFile } from './model-files.ts';
import { PartWriter } from './part-writer.ts';

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export interface Download {
  readonly shelf: FileShelf;
  readonly file: ModelFile;
  readonly fetch: Fetch;
  /** Bytes of this file that are here; less than before where it had to begin anew. */
  readonly onLoaded: (bytes: number) => void;
  readonly signal?: AbortSignal;
  /** Waits before another try. */
  readonly pause: (milliseconds: number) => Promise<void>;
}

/** Tries in a row that bring no new byte before a download gives up. */
const TRIES = 3;
const FIRST_WAIT_MS = 1000;

/**
 * Downloads one file, behind the parts that are here where the server sends ranges. Rejects with `download-failed`,
 * `offline`, `integrity-failed` (the file is removed then), `aborted` (what came stays) or `QuotaExceededError`.
 */
export async function downloadFile(download: Download): Promise<void> {
  let reached = -1;
  for (let tries = 1; ; tries++) {
    const writer = await writerBehindKept(download);
    if (writer.bytes > reached) tries = 1;
    reached = Math.max(reached, writer.bytes);
    try {
      await attempt(download, writer);
      return;
    } catch (error) {
      if (download.signal?.aborted) throw abortedError();
      const offline = globalThis.navigator?.onLine === false;
      if (!(error instanceof BrokenOff) || offline || tries >= TRIES) throw await lastWord(download, error);
    }
    await download.pause(FIRST_WAIT_MS * tries);
    throwIfAborted(download.signal);
  }
}

/** What a download that gives up rejects with. A file that is not what it should be is removed. */
async function lastWord({ shelf, file }: Download, error: unknown): Promise<unknown> {
  const broken = error instanceof BrokenOff;
  const known = broken && error.cause instanceof SkeinError ? error.cause : error;
  if (known instanceof SkeinError && known.code === 'integrity-failed') await shelf.removeFile(file.path);
  return known instanceof BrokenOff ? unreachable(file.url, known.cause) : known;
}

/** A writer that stands behind the whole parts of this version of the file; the others are removed. */
async function writerBehindKept({ shelf, file, onLoaded }: Download): Promise<PartWriter> {
  const { path, url, sha256, bytes } = file;
  const record = await shelf.record(path);
  const kept = record && !record.complete && record.sha256 === sha256 ? await shelf.parts(path) : [];
  const whole = kept.filter(({ size }) => size === shelf.partBytes);
  const usable = bytes === undefined || whole.length * shelf.partBytes <= bytes ? whole : [];
  if (usable.length === 0) await shelf.removeFile(path);
  const writer = new PartWriter(shelf, path, url, sha256 !== undefined);
  await writer.resume(usable);
  onLoaded(writer.bytes);
  return writer;
}

async function attempt(download: Download, writer: PartWriter): Promise<void> {
  const { shelf, file, signal } = download;
  const { path, url, sha256 } = file;
  throwIfAborted(signal);
  let total = file.bytes;
  if (writer.bytes === 0 || writer.bytes !== total) {
    const answer = await request(download, writer.bytes);
    if (writer.bytes === 0) {
      await stored(shelf.setRecord({ path, complete: false, sha256, version: answer.version }));
    }
    total ??= answer.total;
    await receive(download, writer, answer);
  }
  const hash = await stored(writer.end());
  const { bytes } = writer;
  if (total !== undefined && bytes !== total) {
    const wrong = notTheFile(url, `it has ${bytes} bytes instead of ${total}`);
    throw bytes < total ? new BrokenOff('it ended early', { cause: wrong }) : wrong;
  }
  if (hash !== sha256?.toLowerCase()) {
    throw notTheFile(url, 'its contents are not the published ones (SHA-256)');
  }
  if (sizeOf(await shelf.parts(path)) !== bytes) throw new BrokenOff('the browser cleared some of it');
  const version = (await shelf.record(path))?.version;
  await stored(shelf.setRecord({ path, complete: true, bytes, sha256, version }));
}

interface Answer {
  readonly body: ReadableStream<Uint8Array<ArrayBuffer>>;
  /** Bytes at the body's start that are kept already. */
  readonly skip: number;
  /** Bytes of the whole file, where the server says so for certain. */
  readonly total: number | undefined;
  readonly version: string | undefined;
}

async function request(download: Download, from: number): Promise<Answer> {
  const { shelf, file, fetch, signal } = download;
  const { path, url } = file;
  const headers = from > 0 ? { range: `bytes=${from}-` } : undefined;
  // The browser's own cache would hold a second copy.
  const response = await fetch(url, { cache: 'no-store', headers, signal }).catch((cause: unknown) => {
    throw new BrokenOff('no answer', { cause });
  });
  const { status, body } = response;
  const version = response.headers.get('etag') ?? undefined;
  const known = from > 0 ? (await shelf.record(path))?.version : undefined;
  const otherVersion = known !== undefined && version !== undefined && known !== version;
  // All of it again, and nothing tells whether it is the same: what is kept is of no use.
  const untold = status === 200 && !file.sha256 && (known === undefined || version === undefined);
  const range = /^bytes (\d+)-\d+\/(\d+)$/.exec(response.headers.get('content-range') ?? '');
  const otherRange = status === 206 && range !== null && Number(range[1]) !== from;
  if (from > 0 && (status === 416 || otherVersion || otherRange || untold)) {
    await body?.cancel();
    await shelf.removeFile(path);
    throw new BrokenOff('the file has changed');
  }
  if (status >= 500 || status === 429) throw new BrokenOff('a busy server', { cause: refused(url, status) });
  if (!response.ok || !body) throw refused(url, status);
  if (response.headers.get('content-type')?.startsWith('text/html')) {
    await body.cancel();
    throw notTheFile(url, 'it is a web page');
  }
  return {
    body,
    // A server without ranges sends all of it again.
    skip: status === 206 ? 0 : from,
    total: range ? Number(range[2]) : undefined,
    version,
  };
}

async function receive(
  { file, onLoaded, signal }: Download,
  writer: PartWriter,
  { body, skip }: Answer,
): Promise<void> {
  const reader = body.getReader();
  let toSkip = skip;
  try {
    for (;;) {
      const { done, value } = await reader.read().catch((cause: unknown) => {
        throw new BrokenOff('the body ended early', { cause });
      });
      throwIfAborted(signal);
      if (done) return;
      const news = value.subarray(Math.min(toSkip, value.length));
      toSkip -= value.length - news.length;
      if (news.length > 0) await stored(writer.push(news));
      onLoaded(writer.bytes);
      // Longer than stated: what follows need not be had to know that it is wrong.
      if (file.bytes !== undefined && writer.bytes > file.bytes) return;
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

/** A full disk stays what it is; the caller knows what could be freed. */
async function stored<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof SkeinError || isQuotaError(error)) throw error;
    throw new SkeinError(
      'storage-unavailable',
      `The browser did not store a part of the model: ${error instanceof Error ? error.message : error}.`,
      'Leave private browsing, or free some space, and go on.',
      { cause: error },
    );
  }
}
