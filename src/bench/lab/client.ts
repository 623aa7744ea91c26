import * as Comlink from 'comlink';
import { WorkerClient } from '../../core/bridge.ts';
import type { LabApi, LabEvent } from './contract.ts';

type Args = readonly unknown[];

/** Starts the lab worker; the literal is where the bundler finds it. */
function startWorker(lifeLock: string): Worker {
  return new Worker(new URL('../../../workers/lab.worker.ts', import.meta.url), {
    type: 'module',
    name: lifeLock,
  });
}

/**
 * The lab worker as the page sees it. Every call rejects when the worker dies; the next one starts it again, and
 * listeners hear the new worker too.
 */
export function connectLab(create = startWorker): LabApi {
  const listeners = new Set<(event: LabEvent) => void>();
  const tell = Comlink.proxy((event: LabEvent) => {
    for (const listener of listeners) listener(event);
  });
  const worker = new WorkerClient<LabApi>('lab', create, (death) => {
    // The new worker is heard before anybody asks it something because of this message.
    void worker.call((remote) => remote.subscribe(tell)).catch(() => {});
    tell({ kind: 'lab-restarted', message: death.message });
  });
  return new Proxy({} as LabApi, {
    get(_, method: keyof LabApi | 'then') {
      // Not a promise, though `await` asks whether it is.
      if (method === 'then') return undefined;
      if (method === 'subscribe') {
        return async (listener: (event: LabEvent) => void) => {
          listeners.add(listener);
          await worker.call((remote) => remote.subscribe(tell));
        };
      }
      return (...args: Args) =>
        worker.call((remote) => (remote[method] as unknown as (...own: Args) => Promise<unknown>)(...args));
    },
  });
}
