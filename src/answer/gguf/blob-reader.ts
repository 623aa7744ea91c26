import { SkeinError } from '../../core/errors.ts';

/** Bytes that are fetched at a time. */
const WINDOW = 1 << 20;

/**
 * Reads little-endian values one after the other from a file too large for memory. What lies beyond its end, or
 * past `limit` bytes, is an error that names the place (`bad-file`).
 */
export class BlobReader {
  private window = new DataView(new ArrayBuffer(0));
  private windowStart = 0;
  private position = 0;
  private readonly decoder = new TextDecoder();

  /** @param limit Most bytes that are read; skipping costs nothing. */
  constructor(
    private readonly blob: Blob,
    private readonly name: string,
    private readonly limit: number,
  ) {}

  get offset(): number {
    return this.position;
  }

  async u8(): Promise<number> {
    return (await this.take(1)).getUint8(0);
  }
  async i8(): Promise<number> {
    return (await this.take(1)).getInt8(0);
  }
  async u16(): Promise<number> {
    return (await this.take(2)).getUint16(0, true);
  }
  async i16(): Promise<number> {
    return (await this.take(2)).getInt16(0, true);
  }
  async u32(): Promise<number> {
    return (await this.take(4)).getUint32(0, true);
  }
  async i32(): Promise<number> {
    return (await this.take(4)).getInt32(0, true);
  }
  async f32(): Promise<number> {
    return (await this.take(4)).getFloat32(0, true);
  }
  async f64(): Promise<number> {
    return (await this.take(8)).getFloat64(0, true);
  }
  /** Exact up to 2^53; what is larger is rounded, and larger than any file. */
  async u64(): Promise<number> {
    return Number((await this.take(8)).getBigUint64(0, true));
  }
  async i64(): Promise<number> {
    return Number((await this.take(8)).getBigInt64(0, true));
  }

  /** A string behind its length; one longer than `longest` is an error. */
  async text(what: string, longest: number): Promise<string> {
    const bytes = await this.u64();
    this.checkRoom(bytes, what);
    if (bytes > longest) throw this.broken(`${what} has ${bytes} bytes`);
    const { buffer, byteOffset } = await this.take(bytes);
    return this.decoder.decode(new Uint8Array(buffer, byteOffset, bytes));
  }

  /** Passes over `count` texts. There are hundreds of thousands in a vocabulary: no promise for each. */
  async skipTexts(count: number, what: string): Promise<void> {
    for (let left = count; left > 0; left--) {
      const at = this.position - this.windowStart;
      const inWindow = at >= 0 && at + 8 <= this.window.byteLength;
      const bytes = inWindow ? Number(this.window.getBigUint64(at, true)) : await this.u64();
      if (inWindow) this.position += 8;
      this.skip(bytes, what);
      if (this.position > this.limit) throw this.tooLong();
    }
  }

  skip(bytes: number, what: string): void {
    this.checkRoom(bytes, what);
    this.position += bytes;
  }

  broken(reason: string): SkeinError {
    return new SkeinError(
      'bad-file',
      `${this.name}, byte ${this.position}: ${reason}.`,
      'Get the file again; it is damaged or no GGUF file that is known here.',
    );
  }

  private tooLong(): SkeinError {
    return this.broken(`its header is longer than ${this.limit} bytes`);
  }

  private checkRoom(bytes: number, what: string): void {
    if (this.position + bytes > this.blob.size) {
      throw this.broken(`${what} needs ${bytes} bytes, and the file ends at byte ${this.blob.size}`);
    }
  }

  private async take(bytes: number): Promise<DataView> {
    this.checkRoom(bytes, 'a value');
    const end = this.position + bytes;
    if (end > this.limit) throw this.tooLong();
    if (this.position < this.windowStart || end > this.windowStart + this.window.byteLength) {
      const slice = this.blob.slice(this.position, this.position + Math.max(bytes, WINDOW));
      this.window = new DataView(await slice.arrayBuffer());
      this.windowStart = this.position;
    }
    const view = new DataView(this.window.buffer, this.position - this.windowStart, bytes);
    this.position = end;
    return view;
  }
}
