/** Named pieces of bytes on this device, each stored whole or not at all. */
export interface PartStore {
  /** Bytes of the piece without reading them into memory, or undefined. */
  read(key: string): Promise<Blob | undefined>;
  /** Rejects with a `QuotaExceededError` where there is no room. */
  write(key: string, bytes: Blob): Promise<void>;
  remove(keys: readonly string[]): Promise<void>;
  /** Every key there is. */
  keys(): Promise<string[]>;
}

/** Pieces in memory, for tests and for Node. */
export class MemoryPartStore implements PartStore {
  private readonly parts = new Map<string, Blob>();

  async read(key: string): Promise<Blob | undefined> {
    return this.parts.get(key);
  }

  async write(key: string, bytes: Blob): Promise<void> {
    this.parts.set(key, bytes);
  }

  async remove(keys: readonly string[]): Promise<void> {
    for (const key of keys) this.parts.delete(key);
  }

  async keys(): Promise<string[]> {
    return [...this.parts.keys()];
  }
}
