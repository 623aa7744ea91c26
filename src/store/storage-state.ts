import type { ThreadRecord } from './records.ts';

/** What the browser tells of this site's storage. */
export interface StorageState {
  /** 0 where the browser does not tell. */
  readonly usedBytes: number;
  /** 0 where the browser does not tell. */
  readonly quotaBytes: number;
  /** False means that the browser may clear the data, as Safari does after seven days without a visit. */
  readonly persisted: boolean;
}

/** The browser's StorageManager, as far as it is there: old browsers and plain HTTP lack it. */
export type StorageApi = Partial<Pick<StorageManager, 'estimate' | 'persisted' | 'persist'>>;

/** The storage's state now. A figure that the browser refuses is 0, never an error. */
export async function readStorageState(
  storage: StorageApi | undefined = browserStorage(),
): Promise<StorageState> {
  const [estimate, persisted] = await Promise.all([
    orElse<StorageEstimate>(() => storage?.estimate?.(), {}),
    orElse(() => storage?.persisted?.(), false),
  ]);
  return { usedBytes: estimate.usage ?? 0, quotaBytes: estimate.quota ?? 0, persisted };
}

/**
 * Asks the browser to keep the data until the person deletes it, and resolves with whether it does. Only a window
 * can ask, not a worker; some browsers ask the person.
 */
export async function requestPersistence(
  storage: StorageApi | undefined = browserStorage(),
): Promise<boolean> {
  if (await orElse(() => storage?.persisted?.(), false)) return true;
  return orElse(() => storage?.persist?.(), false);
}

/** About how many bytes a thread takes: its vectors exactly, its text from the token estimate. */
export function estimateThreadBytes(thread: ThreadRecord): number {
  const vectors = thread.ingested * (thread.stamp?.dimension ?? 0) * Float32Array.BYTES_PER_ELEMENT;
  return vectors + Math.round(thread.tokens * BYTES_PER_TOKEN) + thread.turns * BYTES_PER_TURN;
}

/** English text has about 4.6 bytes a token at 1.3 tokens a word. */
const BYTES_PER_TOKEN = 4.6;
/** Key, index entry and field names of a stored turn. */
const BYTES_PER_TURN = 120;

function browserStorage(): StorageApi | undefined {
  return globalThis.navigator?.storage;
}

async function orElse<T>(ask: () => Promise<T> | undefined, fallback: T): Promise<T> {
  try {
    return (await ask()) ?? fallback;
  } catch {
    // Refused (private browsing, an opaque origin): to the caller the same as not being told.
    return fallback;
  }
}
