import { SkeinError, throwIfAborted } from '../../core/errors.ts';
import type { Fetch } from './download-file.ts';
import { isQuotaError } from './faults.ts';
import { FileShelf, modelsIn, PART_BYTES } from './file-shelf.ts';
import { sizesOf } from './file-sizes.ts';
import type { FetchOptions, KeptModel, ModelFile, ModelFiles, PutOptions } from './model-files.ts';
import type { ModelLock } from './model-lock.ts';
import type { PartStore } from './part-store.ts';
import { type FreeBytes, noRoom } from './room.ts';

/** What `StoredModelFiles` stands on. */
export interface ModelFilesPorts {
  readonly store: PartStore;
  readonly lock: ModelLock;
  readonly fetch: Fetch;
  readonly freeBytes: FreeBytes;
  readonly pause?: (milliseconds: number) => Promise<void>;
  readonly partBytes?: number;
}

/** Files at a time: a second one fills the gaps of the first, and more would not be faster. */
const AT_A_TIME = 2;

/** A download that has just ended in another worker may hold its model for so long. */
const MOMENT_MS = 500;

/** Model files as parts in a store: see `ModelFiles`. */
export class StoredModelFiles implements ModelFiles {
  constructor(private readonly ports: ModelFilesPorts) {}

  async fetch(modelId: string, files: readonly ModelFile[], options: FetchOptions = {}): Promise<void> {
    await this.ports.lock(modelId, () => this.fetchAlone(modelId, files, options), options);
  }

  read(modelId: string, path: string): Promise<Blob | undefined> {
    return this.shelf(modelId).file(path);
  }

  async put(
    modelId: string,
    files: readonly { readonly path: string; readonly blob: Blob }[],
    { whole = false }: PutOptions = {},
  ): Promise<void> {
    const { freeBytes, lock } = this.ports;
    const needed = files.reduce((sum, { blob }) => sum + blob.size, 0);
    const free = await freeBytes();
    if (free !== undefined && needed > free) throw noRoom(needed, free, await this.list());
    await lock(modelId, async () => {
      const shelf = this.shelf(modelId);
      const before = await shelf.modelComplete();
      const complete = whole || before === undefined;
      try {
        if (complete) await shelf.setModelComplete(false);
        for (const { path, blob } of files) await putFile(shelf, path, blob);
        if (whole) await removeOthers(shelf, files);
        if (complete) await shelf.setModelComplete(true);
      } catch (error) {
        if (before === undefined) await shelf.removeAll();
        throw isQuotaError(error) ? noRoom(needed, await freeBytes(), await this.others(modelId)) : error;
      }
    });
  }

  async list(): Promise<KeptModel[]> {
    const ids = await modelsIn(this.ports.store);
    return Promise.all(ids.sort().map((modelId) => this.kept(modelId)));
  }

  async remove(modelId: string, paths?: readonly string[]): Promise<void> {
    let busy = false;
    const control = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const onWaiting = () => {
      timer = setTimeout(() => {
        busy = true;
        control.abort();
      }, MOMENT_MS);
    };
    const work = async () => {
      clearTimeout(timer);
      if (!busy) await removeFiles(this.shelf(modelId), paths);
    };
    await this.ports.lock(modelId, work, { onWaiting, signal: control.signal }).catch((error: unknown) => {
      if (!busy) throw error;
    });
    if (busy) {
      throw new SkeinError(
        'storage-blocked',
        'The files of this model are in use: another tab downloads them.',
        'Pause the download there, then delete it.',
      );
    }
  }

  private async fetchAlone(
    modelId: string,
    files: readonly ModelFile[],
    { onProgress, moreToCome = false, signal }: FetchOptions,
  ): Promise<void> {
    const shelf = this.shelf(modelId);
    const missing: ModelFile[] = [];
    for (const file of files) if (!(await isKept(shelf, file))) missing.push(file);
    throwIfAborted(signal);
    const meter = await this.meter(shelf, files, missing, onProgress, signal);
    if (missing.length === 0) {
      if (!moreToCome && (await shelf.modelComplete()) === false) await shelf.setModelComplete(true);
      return;
    }
    await this.checkRoom(meter);
    try {
      await shelf.setModelComplete(false);
      await this.download(shelf, missing, meter, signal);
      if (!moreToCome) await shelf.setModelComplete(true);
    } catch (error) {
      if (!isQuotaError(error)) throw error;
      throw noRoom(meter.missingBytes(), await this.ports.freeBytes(), await this.others(modelId));
    }
  }

  private async download(
    shelf: FileShelf,
    files: readonly ModelFile[],
    meter: Meter,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const { fetch, pause = sleep } = this.ports;
    // Downloading is no part of the page's first load.
    const { downloadFile } = await import('./download-file.ts');
    // The first file that fails stops the others; what they have is kept.
    const control = new AbortController();
    const both = signal ? AbortSignal.any([signal, control.signal]) : control.signal;
    const waiting = [...files];
    let failure: { readonly error: unknown } | undefined;
    const work = async () => {
      for (let file = waiting.shift(); file && !failure; file = waiting.shift()) {
        const { path } = file;
        const onLoaded = (bytes: number) => meter.set(path, bytes);
        try {
          await downloadFile({ shelf, file, fetch, pause, onLoaded, signal: both });
          meter.finish(path);
        } catch (error) {
          failure ??= { error };
          control.abort();
        }
      }
    };
    await Promise.all(Array.from({ length: AT_A_TIME }, work));
    if (failure) throw failure.error;
  }

  private async meter(
    shelf: FileShelf,
    files: readonly ModelFile[],
    missing: readonly ModelFile[],
    onProgress: FetchOptions['onProgress'],
    signal: AbortSignal | undefined,
  ): Promise<Meter> {
    const sizes = await sizesOf(missing, this.ports.fetch, signal);
    const meter = new Meter(onProgress);
    for (const file of files) {
      const kept = await shelf.keptBytes(file.path);
      meter.add(file.path, sizes.get(file) ?? kept, kept);
    }
    meter.report();
    return meter;
  }

  private async checkRoom(meter: Meter): Promise<void> {
    const free = await this.ports.freeBytes();
    const needed = meter.missingBytes();
    if (free !== undefined && needed > free) throw noRoom(needed, free, await this.list());
  }

  private async others(modelId: string): Promise<KeptModel[]> {
    return (await this.list()).filter((kept) => kept.modelId !== modelId);
  }

  private async kept(modelId: string): Promise<KeptModel> {
    const shelf = this.shelf(modelId);
    const sizes = await Promise.all((await shelf.paths()).map((path) => shelf.keptBytes(path)));
    const bytes = sizes.reduce((sum, size) => sum + size, 0);
    return { modelId, bytes, complete: (await shelf.modelComplete()) === true };
  }

  private shelf(modelId: string): FileShelf {
    return new FileShelf(this.ports.store, modelId, this.ports.partBytes ?? PART_BYTES);
  }
}

/** Bytes of all files of a fetch against one total that does not change. */
class Meter {
  private readonly files = new Map<string, { size: number; loaded: number }>();

  constructor(private readonly onProgress: FetchOptions['onProgress']) {}

  add(path: string, size: number, loaded: number): void {
    this.files.set(path, { size, loaded: Math.min(loaded, size) });
  }

  /** A file may turn out longer than the server said it was; the total stays what it is. */
  set(path: string, loaded: number): void {
    const file = this.files.get(path)!;
    file.loaded = Math.min(loaded, file.size);
    this.report();
  }

  finish(path: string): void {
    this.set(path, Number.POSITIVE_INFINITY);
  }

  report(): void {
    this.onProgress?.(this.sum('loaded'), this.sum('size'));
  }

  missingBytes(): number {
    return this.sum('size') - this.sum('loaded');
  }

  private sum(what: 'size' | 'loaded'): number {
    return [...this.files.values()].reduce((total, file) => total + file[what], 0);
  }
}

/** Whether a file is here whole, in the version that is asked for. */
async function isKept(shelf: FileShelf, { path, bytes, sha256 }: ModelFile): Promise<boolean> {
  const record = await shelf.record(path);
  if (!record?.complete) return false;
  const other = sha256 !== undefined && record.sha256 !== undefined && record.sha256 !== sha256;
  const wrongSize = bytes !== undefined && record.bytes !== bytes;
  const whole = !other && !wrongSize && (await shelf.file(path)) !== undefined;
  if (!whole) await shelf.removeFile(path);
  return whole;
}

async function putFile(shelf: FileShelf, path: string, blob: Blob): Promise<void> {
  await shelf.removeFile(path);
  for (let at = 0, index = 0; at < blob.size; at += shelf.partBytes, index++) {
    await shelf.writePart(path, index, blob.slice(at, at + shelf.partBytes));
  }
  await shelf.setRecord({ path, complete: true, bytes: blob.size });
}

async function removeOthers(shelf: FileShelf, files: readonly { readonly path: string }[]): Promise<void> {
  const wanted = new Set(files.map(({ path }) => path));
  for (const path of await shelf.paths()) if (!wanted.has(path)) await shelf.removeFile(path);
}

async function removeFiles(shelf: FileShelf, paths: readonly string[] | undefined): Promise<void> {
  if (!paths) return shelf.removeAll();
  if ((await shelf.modelComplete()) !== undefined) await shelf.setModelComplete(false);
  for (const path of paths) await shelf.removeFile(path);
}

function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
