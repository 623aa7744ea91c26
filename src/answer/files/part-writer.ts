import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { checkNotPage } from './faults.ts';
import type { FileShelf } from './file-shelf.ts';

/** WebCrypto can't hash a stream, so that a file of gigabytes would have to be in memory for it. */
type Hasher = ReturnType<typeof sha256.create>;

/** Bytes hashed before the page gets its turn: some ten milliseconds. */
const HASH_STEP = 2 ** 20;

/** Takes a file's bytes as they come, keeps them in parts of one size, and hashes them where a hash is stated. */
export class PartWriter {
  private readonly hasher: Hasher | undefined;
  private buffered: Uint8Array<ArrayBuffer>[] = [];
  private bufferedBytes = 0;
  private index = 0;
  /** Bytes of the file that are kept or buffered. */
  bytes = 0;

  constructor(
    private readonly shelf: FileShelf,
    private readonly path: string,
    private readonly url: string,
    hashed: boolean,
  ) {
    this.hasher = hashed ? sha256.create() : undefined;
  }

  /** Goes on behind parts that are kept already. */
  async resume(parts: readonly Blob[]): Promise<void> {
    for (const part of parts) {
      if (this.hasher) await this.hash(part);
      this.bytes += part.size;
      this.index++;
    }
  }

  async push(chunk: Uint8Array<ArrayBuffer>): Promise<void> {
    this.hasher?.update(chunk);
    this.bytes += chunk.length;
    let rest = chunk;
    while (this.bufferedBytes + rest.length >= this.shelf.partBytes) {
      const room = this.shelf.partBytes - this.bufferedBytes;
      this.buffer(rest.subarray(0, room));
      rest = rest.subarray(room);
      await this.flush();
    }
    if (rest.length > 0) this.buffer(rest);
  }

  /** Keeps the last part; the SHA-256 of the whole where one was asked for. */
  async end(): Promise<string | undefined> {
    if (this.bufferedBytes > 0) await this.flush();
    return this.hasher && bytesToHex(this.hasher.digest());
  }

  private buffer(bytes: Uint8Array<ArrayBuffer>): void {
    this.buffered.push(bytes);
    this.bufferedBytes += bytes.length;
  }

  private async flush(): Promise<void> {
    const part = new Blob(this.buffered);
    if (this.index === 0) await checkNotPage(this.url, part);
    await this.shelf.writePart(this.path, this.index++, part);
    this.buffered = [];
    this.bufferedBytes = 0;
  }

  private async hash(part: Blob): Promise<void> {
    for (let at = 0; at < part.size; at += HASH_STEP) {
      this.hasher?.update(new Uint8Array(await part.slice(at, at + HASH_STEP).arrayBuffer()));
    }
  }
}
