import * as Comlink from 'comlink';
import { WorkerClient } from '../../core/bridge.ts';
import type { ReplayApi } from './contract.ts';

/** Starts the replay worker; the literal is where the bundler finds it. */
function startWorker(lifeLock: string): Worker {
  return new Worker(new URL('../../../workers/replay.worker.ts', import.meta.url), {
    type: 'module',
    name: lifeLock,
  });
}

/** The replay worker as the page sees it; it starts with the first call. */
export function connectReplay(): ReplayApi {
  const worker = new WorkerClient<ReplayApi>('replay', startWorker);
  return {
    describe: (source) => worker.call((remote) => remote.describe(source)),
    run: (request, onProgress, signal) =>
      worker.call((remote, own) => remote.run(request, Comlink.proxy(onProgress), own), signal),
    describeHistories: (file) => worker.call((remote) => remote.describeHistories(file)),
    runHistories: (request, onProgress, signal) =>
      worker.call((remote, own) => remote.runHistories(request, Comlink.proxy(onProgress), own), signal),
  };
}
