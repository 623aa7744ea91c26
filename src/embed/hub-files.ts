import {
  broken,
  checkNotPage,
  type Fetch,
  type Files,
  fetchBytes,
  type OnBytes,
} from '../runtime/verified-files.ts';
import { CONFIG_FILES, type EmbeddingModel, type Weights } from './registry.ts';

/** Cache API cache that holds the files of hub models, keyed by their URLs. */
export const HUB_CACHE = 'skein-models';

const HUB = 'https://huggingface.co/';

/** A hub model whose files are kept on this device. */
export interface CachedModel {
  readonly repository: string;
  readonly bytes: number;
}

/**
 * Files of a hub model: kept ones first, the others from the hub. A file is kept only when it arrived whole
 * and looks like what it is. `kept` is false where the device had no room to keep one.
 */
export async function fetchHubFiles(
  model: EmbeddingModel,
  weights: Weights,
  fetch: Fetch,
  onBytes: OnBytes,
  signal?: AbortSignal,
): Promise<{ files: Files; kept: boolean }> {
  const cache = await openCache();
  let kept = cache !== undefined;
  const files = new Map<string, Uint8Array<ArrayBuffer>>();
  for (const name of [...CONFIG_FILES, weights.file]) {
    const url = baseOf(model.repository) + name;
    const hit = await cache?.match(url);
    if (hit) {
      const bytes = new Uint8Array(await hit.arrayBuffer());
      onBytes(bytes.length);
      files.set(name, bytes);
      continue;
    }
    const bytes = await fetchBytes(url, fetch, onBytes, signal);
    checkKind(url, bytes);
    files.set(name, bytes);
    // A full disk is no reason to refuse a model that is already in memory: the caller is told.
    const stored = await cache
      ?.put(url, new Response(bytes, { headers: { 'content-length': `${bytes.length}` } }))
      .then(
        () => true,
        () => false,
      );
    kept = kept && stored === true;
  }
  return { files, kept };
}

/** Deletes what is kept of a hub model. */
export async function forgetHubModel(repository: string): Promise<void> {
  const cache = await openCache();
  for (const request of (await cache?.keys()) ?? []) {
    if (request.url.startsWith(baseOf(repository))) await cache?.delete(request);
  }
}

/** The hub models kept on this device, with their sizes. */
export async function listCachedModels(): Promise<CachedModel[]> {
  const cache = await openCache();
  const bytes = new Map<string, number>();
  for (const request of (await cache?.keys()) ?? []) {
    const repository = request.url.slice(HUB.length).split('/resolve/')[0]!;
    const length = Number((await cache!.match(request))?.headers.get('content-length') ?? 0);
    bytes.set(repository, (bytes.get(repository) ?? 0) + length);
  }
  return [...bytes].map(([repository, total]) => ({ repository, bytes: total }));
}

function baseOf(repository: string): string {
  return `${HUB}${repository}/resolve/main/`;
}

async function openCache(): Promise<Cache | undefined> {
  return typeof caches === 'undefined' ? undefined : caches.open(HUB_CACHE).catch(() => undefined);
}

/** First field of every ONNX file: its IR version, a protobuf varint under tag 1. */
const ONNX_START = 0x08;

function checkKind(url: string, bytes: Uint8Array): void {
  checkNotPage(url, bytes);
  if (url.endsWith('.onnx') && bytes[0] !== ONNX_START) throw broken(url, 'it is no ONNX model');
  if (!url.endsWith('.json')) return;
  try {
    JSON.parse(new TextDecoder().decode(bytes));
  } catch (cause) {
    throw broken(url, 'it is no JSON', cause);
  }
}
