import { SkeinError } from '../../core/errors.ts';
import { LLAMA_FOLDER } from './runtime.ts';

export interface LlamaWorkerOptions {
  /** 1 runs everything on the worker's own thread. */
  readonly threads: number;
  readonly gpu: boolean;
}

/**
 * Runs `start`, in which wllama starts its worker from a blob: URL. The site's policy refuses those, so the same
 * script, which the site serves as a file, is started in its place (`scripts/vite-llama-runtime.ts`).
 * @param site Absolute URL of the site's root folder.
 * @param onFailure Called when the script can't be fetched or breaks down, now or later; wllama would wait for ever.
 */
export async function withSiteWorkers<T>(
  site: string,
  { threads, gpu }: LlamaWorkerOptions,
  onFailure: (error: SkeinError) => void,
  start: () => Promise<T>,
): Promise<T> {
  const script = new URL(`${LLAMA_FOLDER}/main.js`, site);
  script.searchParams.set('threads', String(threads > 1 ? threads : 0));
  script.searchParams.set('gpu', gpu ? '1' : '0');
  const Native = globalThis.Worker;
  class SiteWorker extends Native {
    constructor(url: string | URL, options?: WorkerOptions) {
      const ofLibrary = String(url).startsWith('blob:');
      super(ofLibrary ? script : url, options);
      if (!ofLibrary) return;
      URL.revokeObjectURL(String(url));
      this.addEventListener('error', ({ message }) => onFailure(scriptFailed(message)), { once: true });
    }
  }
  globalThis.Worker = SiteWorker;
  try {
    return await start();
  } finally {
    globalThis.Worker = Native;
  }
}

/** The event of a script that could not be fetched has no message. */
function scriptFailed(message: string | undefined): SkeinError {
  return message
    ? new SkeinError(
        'worker-died',
        `llama.cpp's worker broke down. ${message}`,
        'Ask again: it is started anew.',
      )
    : new SkeinError(
        'download-failed',
        "llama.cpp's runtime could not be fetched.",
        'Check the connection and try again; it is fetched once, 10 MB, from this site.',
      );
}
