/**
 * Whoever moves or erases captured turns holds this lock, whichever page it is: a late step of a page that lost the
 * lead ends before the next page begins.
 */
const LOCK = 'skein-inbox';

export async function withInboxLock<T>(work: () => Promise<T>): Promise<T> {
  return (await navigator.locks.request(LOCK, work)) as T;
}
