import type { PartStore } from './part-store.ts';

/** Size of all parts of a file but its last one: what a pause may lose, and what is in memory at a time. */
export const PART_BYTES = 8 * 2 ** 20;

/** What is known of a file that is kept, or of one that is being fetched. */
export interface FileRecord {
  readonly path: string;
  /** True once all parts are there and were checked. */
  readonly complete: boolean;
  /** Of a complete file. */
  readonly bytes?: number;
  readonly sha256?: string;
  /** The server's name for this version, where it gives one: parts of two versions are never mixed. */
  readonly version?: string;
}

/**
 * One model's files as parts in a store. Parts come first and the record that calls them complete last, so that a
 * tab killed at any moment leaves no file that looks whole and is not.
 */
export class FileShelf {
  constructor(
    private readonly store: PartStore,
    private readonly modelId: string,
    readonly partBytes: number = PART_BYTES,
  ) {}

  /** True after a fetch of this model ended well, false while one is unfinished; undefined: nothing is here. */
  async modelComplete(): Promise<boolean | undefined> {
    return (await this.readJson<{ complete: boolean }>(modelKey(this.modelId)))?.complete;
  }

  async setModelComplete(complete: boolean): Promise<void> {
    await this.writeJson(modelKey(this.modelId), { complete });
  }

  record(path: string): Promise<FileRecord | undefined> {
    return this.readJson<FileRecord>(fileKey(this.modelId, path));
  }

  async setRecord(record: FileRecord): Promise<void> {
    await this.writeJson(fileKey(this.modelId, record.path), record);
  }

  async writePart(path: string, index: number, bytes: Blob): Promise<void> {
    await this.store.write(partKey(this.modelId, path, index), bytes);
  }

  /** The parts of a file from its first one on, up to the first that is missing. */
  async parts(path: string): Promise<Blob[]> {
    const found: Blob[] = [];
    for (;;) {
      const part = await this.store.read(partKey(this.modelId, path, found.length));
      if (!part) return found;
      found.push(part);
    }
  }

  /** A complete file; undefined where it is not, or where the browser has cleared some of it. */
  async file(path: string): Promise<Blob | undefined> {
    const record = await this.record(path);
    if (!record?.complete) return undefined;
    const blob = new Blob(await this.parts(path));
    return blob.size === record.bytes ? blob : undefined;
  }

  /** Bytes of a file that are here, whether it is complete or not. */
  async keptBytes(path: string): Promise<number> {
    const record = await this.record(path);
    if (record?.complete) return record.bytes ?? 0;
    return sizeOf(await this.parts(path));
  }

  async removeFile(path: string): Promise<void> {
    const own = fileKey(this.modelId, path);
    const keys = await this.store.keys();
    await this.store.remove(keys.filter((key) => key === own || key.startsWith(`${own}/`)));
  }

  async removeAll(): Promise<void> {
    const own = modelKey(this.modelId);
    const keys = await this.store.keys();
    await this.store.remove(keys.filter((key) => key === own || key.startsWith(`${own}/`)));
  }

  /** Paths of all files of which something is here. */
  async paths(): Promise<string[]> {
    const own = modelKey(this.modelId);
    const paths = new Set<string>();
    for (const key of await this.store.keys()) {
      const [model, path] = key.split('/');
      if (model === own && path) paths.add(decodeURIComponent(path));
    }
    return [...paths];
  }

  private async readJson<T>(key: string): Promise<T | undefined> {
    const blob = await this.store.read(key);
    return blob && (JSON.parse(await blob.text()) as T);
  }

  private async writeJson(key: string, value: unknown): Promise<void> {
    await this.store.write(key, new Blob([JSON.stringify(value)]));
  }
}

/** Ids of the models of which something is in `store`. */
export async function modelsIn(store: PartStore): Promise<string[]> {
  const keys = await store.keys();
  return [...new Set(keys.map((key) => decodeURIComponent(key.split('/')[0]!)))];
}

export function sizeOf(parts: readonly Blob[]): number {
  return parts.reduce((sum, part) => sum + part.size, 0);
}

function modelKey(modelId: string): string {
  return encodeURIComponent(modelId);
}

function fileKey(modelId: string, path: string): string {
  return `${modelKey(modelId)}/${encodeURIComponent(path)}`;
}

function partKey(modelId: string, path: string, index: number): string {
  return `${fileKey(modelId, path)}/${index}`;
}
