/** Builds small GGUF files, right and wrong ones. */
export class GgufWriter {
  private readonly bytes: number[] = [];

  static header(version = 3, tensors = 0, keys = 0): GgufWriter {
    return new GgufWriter().raw('GGUF').u32(version).u64(tensors).u64(keys);
  }

  raw(text: string): this {
    this.bytes.push(...new TextEncoder().encode(text));
    return this;
  }
  u32(value: number): this {
    return this.push(4, (view) => view.setUint32(0, value, true));
  }
  u64(value: number | bigint): this {
    return this.push(8, (view) => view.setBigUint64(0, BigInt(value), true));
  }
  text(value: string): this {
    return this.u64(new TextEncoder().encode(value).length).raw(value);
  }
  textKey(key: string, value: string): this {
    return this.text(key).u32(8).text(value);
  }
  countKey(key: string, value: number): this {
    return this.text(key).u32(4).u32(value);
  }
  textsKey(key: string, values: readonly string[]): this {
    this.text(key).u32(9).u32(8).u64(values.length);
    for (const value of values) this.text(value);
    return this;
  }
  countsKey(key: string, values: readonly number[]): this {
    this.text(key).u32(9).u32(4).u64(values.length);
    for (const value of values) this.u32(value);
    return this;
  }
  tensor(name: string, shape: readonly number[], type: number, offset: number): this {
    this.text(name).u32(shape.length);
    for (const size of shape) this.u64(size);
    return this.u32(type).u64(offset);
  }

  /** The file, with `data` bytes of tensors behind the header. */
  blob(data = 0): Blob {
    const padded = Math.ceil(this.bytes.length / 32) * 32;
    const file = new Uint8Array(data === 0 ? this.bytes.length : padded + data);
    file.set(this.bytes);
    return new Blob([file]);
  }

  private push(size: number, write: (view: DataView) => void): this {
    const view = new DataView(new ArrayBuffer(size));
    write(view);
    this.bytes.push(...new Uint8Array(view.buffer));
    return this;
  }
}

/** A llama of two layers and four heads: a tensor of 64 values as F32 and one as Q8_0. */
export function tinyLlama(
  changes: { architecture?: string; template?: boolean; parts?: number } = {},
): GgufWriter {
  const { architecture = 'llama', template = true, parts = 1 } = changes;
  const file = GgufWriter.header(3, 2, template ? 12 : 11)
    .textKey('general.architecture', architecture)
    .textKey('general.name', 'Tiny Llama')
    .textKey('general.license', 'apache-2.0')
    .countKey('general.file_type', 15)
    .countKey(`${architecture}.context_length`, 2048)
    .countKey(`${architecture}.block_count`, 2)
    .countKey(`${architecture}.embedding_length`, 64)
    .countKey(`${architecture}.attention.head_count`, 4)
    .countKey(`${architecture}.attention.head_count_kv`, 2)
    .textsKey(
      'tokenizer.ggml.tokens',
      Array.from({ length: 3000 }, (_, i) => `token ${i}`),
    )
    .countKey('split.count', parts);
  if (template) file.textKey('tokenizer.chat_template', '{{ messages }}');
  return file.tensor('a', [8, 8], 0, 0).tensor('b', [64], 8, 256);
}

/** Bytes of its tensors: 64 floats, and two blocks of 32 bytes and a scale each. */
export const TINY_DATA = 256 + 2 * 34;
