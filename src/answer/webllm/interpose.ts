import { throwIfAborted } from '../../core/errors.ts';
import type { CheckedFiles } from './checked-files.ts';
import { LIBRARY } from './package-list.ts';

/**
 * Addresses under which web-llm looks for the model's files while it loads. No request is ever sent to them: they are
 * answered out of our own store, so nothing unchecked reaches web-llm and nothing is kept twice.
 */
export const MODEL_URL = 'https://webllm.skein.invalid/resolve/main/';
export const LIBRARY_URL = `${MODEL_URL}${LIBRARY}`;

/** Names of the caches that web-llm opens. */
const WEB_LLM_CACHES = 'webllm/';

/** What stands in for the browser while a model loads. */
export interface StandIn {
  readonly files: CheckedFiles;
  /** Called when a file was handed out, with the bytes of all that were. */
  readonly onBytes?: (bytes: number) => void;
  /** Called with the GPU device that web-llm asked for: it keeps it to itself. */
  readonly onDevice: (device: GPUDevice) => void;
  readonly signal?: AbortSignal;
}

/** Why a file could not be handed out; web-llm loses such errors on their way. */
export interface Outcome {
  failure?: unknown;
}

/**
 * Runs `work` with web-llm's caches served from `files`, and with an eye on the GPU device it opens. Everything else
 * that is done with caches meanwhile goes to the real ones. One at a time in a worker.
 */
export async function standingIn<T>(
  { files, onBytes, onDevice, signal }: StandIn,
  work: (outcome: Outcome) => Promise<T>,
): Promise<T> {
  const outcome: Outcome = {};
  let handedOut = 0;
  const cache = cacheOf(files, async (path) => {
    try {
      throwIfAborted(signal);
      const bytes = await files.read(path);
      throwIfAborted(signal);
      handedOut += bytes.length;
      onBytes?.(handedOut);
      return bytes.buffer;
    } catch (error) {
      outcome.failure ??= error;
      throw error;
    }
  });
  const restore = [replaceCaches(cache), watchDevices(onDevice)];
  try {
    return await work(outcome);
  } finally {
    for (const undo of restore) undo();
  }
}

/** The methods of a Cache that web-llm calls. */
type CacheLike = Pick<Cache, 'match' | 'add' | 'keys'>;

function cacheOf(files: CheckedFiles, read: (path: string) => Promise<ArrayBuffer>): CacheLike {
  const pathOf = (request: RequestInfo | URL) => {
    const url = request instanceof Request ? request.url : String(request);
    return url.startsWith(MODEL_URL) ? url.slice(MODEL_URL.length) : url;
  };
  return {
    // web-llm matches twice and reads once: the bytes are read when they are asked for.
    match: async (request) => {
      const path = pathOf(request);
      if (!files.has(path)) return undefined;
      const arrayBuffer = () => read(path);
      const json = async () => JSON.parse(new TextDecoder().decode(await arrayBuffer()));
      return { arrayBuffer, json } as Response;
    },
    add: async (request) => {
      throw new TypeError(`${pathOf(request)} is not among the model's files.`);
    },
    keys: async () => [],
  };
}

function replaceCaches(cache: CacheLike): () => void {
  const real = globalThis.caches;
  const own = Object.getOwnPropertyDescriptor(globalThis, 'caches');
  const standIn: CacheStorage = {
    open: async (name) => (name.startsWith(WEB_LLM_CACHES) ? (cache as Cache) : real.open(name)),
    has: (name) => real.has(name),
    delete: (name) => real.delete(name),
    keys: () => real.keys(),
    match: (request, options) => real.match(request, options),
  };
  Object.defineProperty(globalThis, 'caches', { configurable: true, value: standIn });
  return () => {
    if (own) Object.defineProperty(globalThis, 'caches', own);
    else Reflect.deleteProperty(globalThis, 'caches');
  };
}

function watchDevices(onDevice: (device: GPUDevice) => void): () => void {
  const { prototype } = GPUAdapter;
  const { requestDevice } = prototype;
  prototype.requestDevice = async function (this: GPUAdapter, descriptor?: GPUDeviceDescriptor) {
    const device = await requestDevice.call(this, descriptor);
    onDevice(device);
    return device;
  };
  return () => {
    prototype.requestDevice = requestDevice;
  };
}
