import { abortedError, throwIfAborted } from '../../core/errors.ts';
import { Mutex } from '../../core/mutex.ts';

export interface LockOptions {
  /** Called when somebody else holds the lock, before waiting for it. */
  readonly onWaiting?: () => void;
  readonly signal?: AbortSignal;
}

/** Runs `work` while nobody else, in this tab or another, works on the files of model `modelId`. */
export type ModelLock = <T>(modelId: string, work: () => Promise<T>, options?: LockOptions) => Promise<T>;

/** One Web Lock a model. Where the browser has none, tabs are on their own. */
export const webModelLock: ModelLock = async <T>(
  modelId: string,
  work: () => Promise<T>,
  { onWaiting, signal }: LockOptions = {},
): Promise<T> => {
  const { locks } = navigator;
  if (!locks) return work();
  const name = `skein-model-files-${modelId}`;
  const taken: { result: T } | undefined = await locks.request(name, { ifAvailable: true }, async (lock) =>
    lock ? { result: await work() } : undefined,
  );
  if (taken) return taken.result;
  onWaiting?.();
  let begun = false;
  const begin = () => {
    begun = true;
    return work();
  };
  return locks.request(name, { signal }, begin).catch((error: unknown) => {
    // A wait that was given up; what happens inside `work` has errors of its own.
    throw begun || !signal?.aborted ? error : abortedError();
  });
};

/** Locks of this process alone, for tests and for Node. */
export function memoryModelLock(): ModelLock {
  const held = new Map<string, { mutex: Mutex; users: number }>();
  return async (modelId, work, { onWaiting, signal } = {}) => {
    const entry = held.get(modelId) ?? { mutex: new Mutex(), users: 0 };
    held.set(modelId, entry);
    if (entry.users++ > 0) onWaiting?.();
    try {
      let begun = false;
      const done = entry.mutex.run(() => {
        throwIfAborted(signal);
        begun = true;
        return work();
      });
      const givenUp = new Promise<never>((_, reject) => {
        signal?.addEventListener('abort', () => begun || reject(abortedError()));
      });
      return await Promise.race([done, givenUp]);
    } finally {
      if (--entry.users === 0) held.delete(modelId);
    }
  };
}
