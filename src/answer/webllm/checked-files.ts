import { md5 } from '@noble/hashes/legacy.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { SkeinError, throwIfAborted } from '../../core/errors.ts';
import { yieldToEvents } from '../../core/yield.ts';
import type { ModelFiles } from '../files/model-files.ts';
import { damaged } from './chat-config.ts';

const MD5_SLICE = 2 ** 20;

export type Bytes = Uint8Array<ArrayBuffer>;

/** What a file must be, as far as anybody states it. */
export interface Expected {
  readonly path: string;
  readonly bytes?: number;
  readonly md5?: string;
  /** True where a stated hash was checked as the file came. */
  readonly proven: boolean;
}

export interface CheckOptions {
  readonly onBytes?: (done: number, total: number) => void;
  readonly signal?: AbortSignal;
}

/** Kept beside a model's files after their first check: the SHA-256 of each. */
export const CHECKSUMS = 'skein-checksums.json';

/**
 * The files of one model on this device, each checked before anybody gets its bytes: at first against what is stated
 * of it, and later against the hash that was written down then. A file that fails is removed. Errors:
 * `integrity-failed` names the file; `model-missing` where one is gone.
 */
export class CheckedFiles {
  private readonly sizes = new Map<string, number>();
  private readonly checked = new Set<string>();
  private hashes: Readonly<Record<string, string>> = {};

  private constructor(
    private readonly files: ModelFiles,
    private readonly modelId: string,
    private readonly expected: readonly Expected[],
  ) {}

  static async open(
    files: ModelFiles,
    modelId: string,
    expected: readonly Expected[],
    { onBytes = () => {}, signal }: CheckOptions = {},
  ): Promise<CheckedFiles> {
    const checked = new CheckedFiles(files, modelId, expected);
    await checked.measure();
    checked.hashes = await readHashes(files, modelId);
    const known = expected.every(({ path }) => path in checked.hashes);
    if (!known) await checked.checkAll(onBytes, signal);
    return checked;
  }

  get totalBytes(): number {
    return [...this.sizes.values()].reduce((sum, size) => sum + size, 0);
  }

  has(path: string): boolean {
    return this.sizes.has(path);
  }

  /** The bytes of a file as they were when it was first checked. */
  async read(path: string): Promise<Bytes> {
    const bytes = await this.bytesOf(path);
    if (!this.checked.has(path) && (await sha256(bytes)) !== this.hashes[path]) {
      throw await this.refuse(path, 'its contents have changed since it was loaded');
    }
    this.checked.add(path);
    return bytes;
  }

  /** Removes the file and gives the error that says why. */
  async refuse(path: string, why: string, cause?: unknown): Promise<SkeinError> {
    await this.files.remove(this.modelId, [path, CHECKSUMS]);
    return damaged(path, why, cause);
  }

  /** Removes the files of which nobody stated a hash: one of them is wrong where the model can't be started. */
  async removeUnproven(): Promise<void> {
    const unproven = this.expected.filter(({ proven, md5 }) => !proven && md5 === undefined);
    await this.files.remove(this.modelId, [...unproven.map(({ path }) => path), CHECKSUMS]);
  }

  private async measure(): Promise<void> {
    for (const { path, bytes } of this.expected) {
      const { size } = await kept(this.files, this.modelId, path);
      if (bytes !== undefined && size !== bytes) {
        throw await this.refuse(path, `it has ${size} bytes instead of ${bytes}`);
      }
      this.sizes.set(path, size);
    }
  }

  private async checkAll(
    onBytes: (done: number, total: number) => void,
    signal?: AbortSignal,
  ): Promise<void> {
    const hashes: Record<string, string> = {};
    let done = 0;
    for (const { path, md5: stated } of this.expected) {
      throwIfAborted(signal);
      const bytes = await this.bytesOf(path);
      if (stated !== undefined && (await md5Of(bytes)) !== stated) {
        throw await this.refuse(path, 'its contents are not those that the model lists');
      }
      hashes[path] = await sha256(bytes);
      this.checked.add(path);
      done += bytes.length;
      onBytes(done, this.totalBytes);
    }
    this.hashes = hashes;
    await this.files.put(this.modelId, [{ path: CHECKSUMS, blob: new Blob([JSON.stringify(hashes)]) }]);
  }

  private async bytesOf(path: string): Promise<Bytes> {
    return new Uint8Array(await (await kept(this.files, this.modelId, path)).arrayBuffer());
  }
}

/** A file that is kept. Rejects with `model-missing` where it is not. */
export async function kept(files: ModelFiles, modelId: string, path: string): Promise<Blob> {
  const blob = await files.read(modelId, path);
  if (blob) return blob;
  throw new SkeinError(
    'model-missing',
    `${path} of ${modelId} is not on this device.`,
    'Load the model again.',
  );
}

async function readHashes(files: ModelFiles, modelId: string): Promise<Record<string, string>> {
  const blob = await files.read(modelId, CHECKSUMS);
  return blob ? (JSON.parse(await blob.text()) as Record<string, string>) : {};
}

/** In slices: a page may be checking, too, and half a gigabyte takes seconds. */
async function md5Of(bytes: Bytes): Promise<string> {
  const hash = md5.create();
  for (let at = 0; at < bytes.length; at += MD5_SLICE) {
    hash.update(bytes.subarray(at, at + MD5_SLICE));
    await yieldToEvents();
  }
  return bytesToHex(hash.digest());
}

async function sha256(bytes: Bytes): Promise<string> {
  return bytesToHex(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)));
}
