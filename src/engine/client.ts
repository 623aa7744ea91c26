import * as Comlink from 'comlink';
import { WorkerClient } from '../core/bridge.ts';
import type { EngineApi, EngineEvent } from './contract.ts';

type Method = keyof EngineApi;

/** Starts the engine worker; the literal is where the bundler finds it. */
function startWorker(lifeLock: string): Worker {
  return new Worker(new URL('../../workers/engine.worker.ts', import.meta.url), {
    type: 'module',
    name: lifeLock,
  });
}

/** Calls that read or write files in full, and may be handed a signal as their last argument. */
type Args = readonly unknown[];

/**
 * The engine worker as the page sees it. Every call can be aborted where the contract says so, rejects when the
 * worker dies, and the next one starts it again: listeners hear the new worker too.
 */
export function connectEngine(create = startWorker): {
  api: EngineApi;
  restart(): void;
  /** Ends the worker; nobody listens any more, so that only a next call starts another. */
  stop(): void;
} {
  const listeners = new Set<(event: EngineEvent) => void>();
  const tell = Comlink.proxy((event: EngineEvent) => {
    for (const listener of listeners) listener(event);
  });
  const worker = new WorkerClient<EngineApi>('engine', create, (death) => {
    if (listeners.size === 0) return;
    tell({ kind: 'engine-restarted', message: death.message });
    void api.subscribe(() => {}).catch(() => {});
  });
  const api = new Proxy({} as EngineApi, {
    get(_, method: Method | 'then') {
      // Not a promise, though `await` asks whether it is.
      if (method === 'then') return undefined;
      return method === 'subscribe' ? subscribe : (...args: Args) => call(worker, method, args);
    },
  });
  const subscribe = async (listener: (event: EngineEvent) => void): Promise<void> => {
    listeners.add(listener);
    await worker.call((remote) => remote.subscribe(tell));
  };
  const stop = () => {
    listeners.clear();
    worker.restart();
  };
  return { api, restart: () => worker.restart(), stop };
}

function call(worker: WorkerClient<EngineApi>, method: Method, args: Args): Promise<unknown> {
  const signal = args.at(-1) instanceof AbortSignal ? (args.at(-1) as AbortSignal) : undefined;
  const plain = signal ? args.slice(0, -1) : args;
  return worker.call((remote, own) => {
    const run = remote[method] as unknown as (...args: Args) => Promise<unknown>;
    return signal ? run(...plain, own) : run(...plain);
  }, signal);
}
