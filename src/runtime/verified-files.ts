import { abortedError, SkeinError, throwIfAborted } from '../core/errors.ts';
import { chunksOf } from '../core/streams.ts';
import type { KeptFiles } from './kept-files.ts';

export type Bytes = Uint8Array<ArrayBuffer>;

/** Files by name, whole and checked. */
export type Files = ReadonlyMap<string, Bytes>;

/** Called with bytes that have arrived since the last call. */
export type OnBytes = (bytes: number) => void;

export type Fetch = (url: string, init: { signal?: AbortSignal }) => Promise<Response>;

interface Listed {
  readonly bytes: number;
  readonly sha256: string;
}

export interface Manifest {
  readonly files: Readonly<Record<string, Listed>>;
}

const RETRY = 'Load it again; if that does not help, the site is not set up completely.';

/** The manifest of a folder that the site serves. Rejects with `model-missing`, `model-broken` or `offline`. */
export async function fetchManifest(base: string, fetch: Fetch, signal?: AbortSignal): Promise<Manifest> {
  const url = `${base}manifest.json`;
  const text = new TextDecoder().decode(await fetchBytes(url, fetch, () => {}, signal));
  try {
    return JSON.parse(text) as Manifest;
  } catch (cause) {
    throw broken(url, text.trimStart().startsWith('<') ? 'it is a web page' : 'it is no JSON', cause);
  }
}

/**
 * Files that a manifest lists, from `kept` or else fetched, with length and hash of each checked. Errors name the
 * file.
 */
export async function fetchListed(
  base: string,
  names: readonly string[],
  manifest: Manifest,
  fetch: Fetch,
  onBytes: OnBytes,
  signal?: AbortSignal,
  kept?: KeptFiles,
): Promise<Files> {
  const load = async (name: string) => {
    const expected = manifest.files[name];
    const url = base + name;
    if (!expected)
      throw new SkeinError('model-missing', `The manifest of ${base} does not list ${name}.`, RETRY);
    const found = await kept?.read(url, expected.sha256);
    if (found && (await fault(found, expected)) === undefined) {
      onBytes(found.length);
      return [name, found] as const;
    }
    const bytes = await fetchBytes(url, fetch, onBytes, signal);
    checkNotPage(url, bytes);
    const why = await fault(bytes, expected);
    if (why !== undefined) throw broken(url, why);
    await kept?.keep(url, expected.sha256, bytes);
    return [name, bytes] as const;
  };
  return new Map(await Promise.all(names.map(load)));
}

/** What tells the bytes from those a manifest lists. */
async function fault(bytes: Bytes, expected: Listed): Promise<string | undefined> {
  if (bytes.length !== expected.bytes) return `it has ${bytes.length} bytes instead of ${expected.bytes}`;
  // Without a secure context there is no hashing; length and the model's own self-test remain.
  const differs = globalThis.crypto?.subtle && (await sha256(bytes)) !== expected.sha256;
  return differs ? 'its contents are not the published ones' : undefined;
}

/** The body of `url`. Rejects with `model-missing`, `model-broken` (it broke off), `offline` or `aborted`. */
export async function fetchBytes(
  url: string,
  fetch: Fetch,
  onBytes: OnBytes,
  signal?: AbortSignal,
): Promise<Bytes> {
  const response = await fetch(url, { signal }).catch((cause: unknown) => {
    throw signal?.aborted
      ? abortedError()
      : new SkeinError('offline', `${url} could not be fetched.`, 'Check the connection and try again.', {
          cause,
        });
  });
  if (!response.ok || !response.body) {
    throw new SkeinError(
      'model-missing',
      `The model file ${url} is missing (status ${response.status}).`,
      RETRY,
    );
  }
  const chunks: Uint8Array[] = [];
  try {
    for await (const chunk of chunksOf(response.body)) {
      throwIfAborted(signal);
      chunks.push(chunk);
      onBytes(chunk.length);
    }
  } catch (cause) {
    throwIfAborted(signal);
    throw broken(url, 'it broke off while it was loading', cause);
  }
  return joined(chunks);
}

/** Throws `model-broken` where the bytes are an HTML page, which dev servers send for a missing file. */
export function checkNotPage(url: string, bytes: Uint8Array): void {
  const start = new TextDecoder().decode(bytes.subarray(0, 64)).trimStart().toLowerCase();
  if (start.startsWith('<!doctype') || start.startsWith('<html')) throw broken(url, 'it is a web page');
}

export function broken(url: string, why: string, cause?: unknown): SkeinError {
  return new SkeinError('model-broken', `The model file ${url} is broken: ${why}.`, RETRY, { cause });
}

function joined(chunks: readonly Uint8Array[]): Bytes {
  const out = new Uint8Array(chunks.reduce((n, c) => n + c.length, 0));
  let at = 0;
  for (const chunk of chunks) {
    out.set(chunk, at);
    at += chunk.length;
  }
  return out;
}

async function sha256(bytes: Bytes): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return Array.from(hash, (b) => b.toString(16).padStart(2, '0')).join('');
}
