import { md5 } from '@noble/hashes/legacy.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { SkeinError, throwIfAborted } from '../../core/errors.ts';
import type { ModelFiles } from '../files/model-files.ts';
import { damaged } from './chat-config.ts';

export type Bytes = Uint8Array<ArrayBuffer>;

/** What a file must be, as far as the model itself says. */
export interface Expected {
  readonly path: string;
  readonly bytes?: number;
  readonly md5?: string;
  /** Why the contents can't be right, or undefined. */
  readonly fault?: (bytes: Bytes) => string | undefined;
}

/** Kept beside a model's files after their first check: the SHA-256 of each. */
export const CHECKSUMS = 'skein-checksums.json';

/**
 * The files of one model on this device, each checked before anybody gets its bytes. At first they are held against
 * what the model states, and their hashes are written down; later ones are held against those hashes. Errors:
 * `integrity-failed` names the file; `model-missing` where one is gone.
 */
export class CheckedFiles {
  private readonly checked = new Set<string>();

  private constructor(
    private readonly files: ModelFiles,
    private readonly modelId: string,
    private readonly sizes: ReadonlyMap<string, number>,
    private hashes: Readonly<Record<string, string>>,
  ) {}

  /** Checks `expected`; `onBytes` counts as in `totalBytes`. */
  static async open(
    files: ModelFiles,
    modelId: string,
    expected: readonly Expected[],
    { onBytes, signal }: { onBytes?: (done: number, total: number) => void; signal?: AbortSignal } = {},
  ): Promise<CheckedFiles> {
    const sizes = new Map<string, number>();
    for (const { path, bytes } of expected) {
      const { size } = await kept(files, modelId, path);
      if (bytes !== undefined && size !== bytes)
        throw damaged(path, `it has ${size} bytes instead of ${bytes}`);
      sizes.set(path, size);
    }
    const hashes = await readHashes(files, modelId);
    const checked = new CheckedFiles(files, modelId, sizes, hashes ?? {});
    const complete = hashes !== undefined && expected.every(({ path }) => path in hashes);
    if (!complete) await checked.checkAll(expected, onBytes ?? (() => {}), signal);
    return checked;
  }

  get totalBytes(): number {
    return [...this.sizes.values()].reduce((sum, size) => sum + size, 0);
  }

  has(path: string): boolean {
    return this.sizes.has(path);
  }

  /** The bytes of a file that was opened, as they were when it was checked. */
  async read(path: string): Promise<Bytes> {
    const bytes = await bytesOf(await kept(this.files, this.modelId, path));
    if (!this.checked.has(path) && (await sha256(bytes)) !== this.hashes[path]) {
      throw damaged(path, 'its contents are no longer those that were loaded');
    }
    this.checked.add(path);
    return bytes;
  }

  private async checkAll(
    expected: readonly Expected[],
    onBytes: (done: number, total: number) => void,
    signal?: AbortSignal,
  ): Promise<void> {
    const hashes: Record<string, string> = {};
    let done = 0;
    for (const one of expected) {
      throwIfAborted(signal);
      const bytes = await bytesOf(await kept(this.files, this.modelId, one.path));
      const fault = one.fault?.(bytes) ?? digestFault(bytes, one);
      if (fault !== undefined) throw damaged(one.path, fault);
      hashes[one.path] = await sha256(bytes);
      this.checked.add(one.path);
      done += bytes.length;
      onBytes(done, this.totalBytes);
    }
    this.hashes = hashes;
    await this.files.put(this.modelId, [{ path: CHECKSUMS, blob: new Blob([JSON.stringify(hashes)]) }]);
  }
}

/** The text of a file that is kept. Rejects with `model-missing` where it is not. */
export async function readText(files: ModelFiles, modelId: string, path: string): Promise<string> {
  return (await kept(files, modelId, path)).text();
}

/** Why these can't be the bytes of a compiled library. */
export function libraryFault(bytes: Bytes): string | undefined {
  return bytesToHex(bytes.subarray(0, 4)) === '0061736d' ? undefined : 'it is no WebAssembly';
}

async function readHashes(files: ModelFiles, modelId: string): Promise<Record<string, string> | undefined> {
  const blob = await files.read(modelId, CHECKSUMS);
  return blob && (JSON.parse(await blob.text()) as Record<string, string>);
}

function digestFault(bytes: Bytes, expected: Expected): string | undefined {
  if (expected.md5 === undefined || bytesToHex(md5(bytes)) === expected.md5) return undefined;
  return 'its contents are not those that the model lists';
}

async function kept(files: ModelFiles, modelId: string, path: string): Promise<Blob> {
  const blob = await files.read(modelId, path);
  if (blob) return blob;
  throw new SkeinError(
    'model-missing',
    `${path} of ${modelId} is not on this device.`,
    'Load the model again.',
  );
}

async function bytesOf(blob: Blob): Promise<Bytes> {
  return new Uint8Array(await blob.arrayBuffer());
}

async function sha256(bytes: Bytes): Promise<string> {
  return bytesToHex(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)));
}
