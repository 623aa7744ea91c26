import { SkeinError } from '../../core/errors.ts';
import type { KeptModel } from './model-files.ts';

/** Bytes that this site may still store; undefined where the browser does not tell. */
export type FreeBytes = () => Promise<number | undefined>;

export const browserFreeBytes: FreeBytes = async () => {
  try {
    const { usage, quota } = await navigator.storage.estimate();
    return usage === undefined || quota === undefined ? undefined : Math.max(0, quota - usage);
  } catch {
    return undefined;
  }
};

/** The error of a full device, with the largest models that could go. */
export function noRoom(
  neededBytes: number,
  free: number | undefined,
  others: readonly KeptModel[],
): SkeinError {
  const allowed = free === undefined ? '' : `, and the browser allows this site ${megabytes(free)} more`;
  const largest = [...others].sort((a, b) => b.bytes - a.bytes).slice(0, 3);
  const models = largest.map(({ modelId, bytes }) => `${modelId} (${megabytes(bytes)})`).join(', ');
  return new SkeinError(
    'quota',
    `There is no room for ${megabytes(neededBytes)} of model files${allowed}.`,
    models === ''
      ? 'Free some space on this device, then go on: what has come is kept.'
      : `Delete a model that is kept here: ${models}. Then go on: what has come is kept.`,
  );
}

function megabytes(bytes: number): string {
  return bytes >= 1e9 ? `${(bytes / 1e9).toFixed(1)} GB` : `${Math.ceil(bytes / 1e6)} MB`;
}
