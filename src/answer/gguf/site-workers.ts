import { SkeinError } from '../../core/errors.ts';
import { LLAMA_FOLDER } from './runtime.ts';

export interface LlamaWorkerOptions {
  /** 1 runs everything on the worker's own thread. */
  readonly threads: number;
  readonly gpu: boolean;
}

/**
 * Runs `start`, in which wllama starts its worker from a blob: URL. The site's policy refuses those, so the same
 * script, which the site serves as a file, is started in its place (`scripts/vite-llama-runtime.ts`). A script that
 * can't be fetched rejects; wllama would wait for it for ever.
 * @param site Absolute URL of the site's root folder.
 */
export async function withSiteWorkers<T>(
  site: string,
  { threads, gpu }: LlamaWorkerOptions,
  start: () => Promise<T>,
): Promise<T> {
  const script = new URL(`${LLAMA_FOLDER}/main.js`, site);
  script.searchParams.set('threads', String(threads > 1 ? threads : 0));
  script.searchParams.set('gpu', gpu ? '1' : '0');
  const failure = Promise.withResolvers<never>();
  const Native = globalThis.Worker;
  class SiteWorker extends Native {
    constructor(url: string | URL, options?: WorkerOptions) {
      const ofLibrary = String(url).startsWith('blob:');
      super(ofLibrary ? script : url, options);
      if (!ofLibrary) return;
      URL.revokeObjectURL(String(url));
      this.addEventListener('error', (event) => failure.reject(scriptFailed(event.message)), { once: true });
    }
  }
  globalThis.Worker = SiteWorker;
  try {
    return await Promise.race([start(), failure.promise]);
  } finally {
    globalThis.Worker = Native;
  }
}

function scriptFailed(message: string): SkeinError {
  return new SkeinError(
    'download-failed',
    `llama.cpp's runtime could not be started. ${message ?? ''}`.trim(),
    'Check the connection and try again; it is fetched once, 10 MB, from this site.',
  );
}
