import { BlobReader } from './blob-reader.ts';
import { FILE_TYPES, TENSOR_BLOCKS } from './types.ts';

/** What the header of a GGUF file tells. */
export interface GgufHeader {
  readonly architecture: string;
  readonly name?: string;
  readonly licence?: string;
  /** Such as `Q4_K_M`. */
  readonly quantisation?: string;
  /** Of this file; one part of several holds a part of them. */
  readonly parameters: number;
  /** Tokens of prompt and answer together that the model was trained for. */
  readonly contextLength?: number;
  /** Bytes that the keys and values of one token take, as 16-bit numbers; undefined where the header doesn't tell. */
  readonly cacheBytesPerToken?: number;
  /** Without a template of its own a model was not made for chats, and its prompts are laid out as ChatML. */
  readonly hasChatTemplate: boolean;
  /** Files that the model is split into. */
  readonly parts: number;
}

type Scalar = number | string | boolean;
/** Arrays are kept where they are short lists of numbers (heads by layer), and counted otherwise. */
type Value = Scalar | readonly number[] | undefined;

// Larger than the largest vocabularies with their merges (some 15 MB), smaller than what a browser chokes on.
const MAX_HEADER = 64 << 20;
const MAX_KEYS = 10_000;
const MAX_TENSORS = 100_000;
const MAX_NAME = 64 << 10;
const MAX_TEXT = 1 << 20;
const MAX_KEPT_NUMBERS = 1024;
const MAX_DIMENSIONS = 8;

/**
 * Reads the header of a GGUF file of versions 2 and 3, and checks that the file is long enough for the tensors it
 * names. Rejects with `bad-file` and the place: no GGUF file, a damaged header, a file that was cut off.
 */
export async function readGgufHeader(blob: Blob, name = 'The file'): Promise<GgufHeader> {
  const reader = new BlobReader(blob, name, MAX_HEADER);
  if (blob.size < 24 || (await reader.u32()) !== 0x46554747) throw reader.broken('this is no GGUF file');
  const version = await reader.u32();
  if (version !== 2 && version !== 3) throw reader.broken(`GGUF version ${version} is not known`);
  const tensors = await reader.u64();
  const keys = await reader.u64();
  if (tensors > MAX_TENSORS) throw reader.broken(`${tensors} tensors`);
  if (keys > MAX_KEYS) throw reader.broken(`${keys} keys`);
  const values = new Map<string, Value>();
  for (let i = 0; i < keys; i++) {
    const key = await reader.text(`key ${i + 1}`, MAX_NAME);
    values.set(key, await readValue(reader, await reader.u32(), `"${key.slice(0, 80)}"`));
  }
  const parameters = await readTensors(reader, tensors, blob.size, alignmentOf(values));
  return headerOf(values, parameters, reader);
}

async function readValue(reader: BlobReader, type: number, what: string): Promise<Value> {
  if (type !== ARRAY) return readScalar(reader, type, what);
  const elements = await reader.u32();
  const count = await reader.u64();
  const bytes = BYTES[elements];
  if (bytes !== undefined && count > MAX_KEPT_NUMBERS) {
    reader.skip(bytes * count, what);
    return undefined;
  }
  if (elements === STRING) {
    await reader.skipTexts(count, what);
    return undefined;
  }
  if (elements === ARRAY) throw reader.broken(`${what} is a list of lists`);
  const numbers: number[] = [];
  for (let i = 0; i < count; i++) {
    const value = await readScalar(reader, elements, what);
    if (typeof value === 'number') numbers.push(value);
  }
  return numbers;
}

const STRING = 8;
const ARRAY = 9;
/** Bytes of the types of fixed size. */
const BYTES: Readonly<Record<number, number>> = {
  0: 1,
  1: 1,
  2: 2,
  3: 2,
  4: 4,
  5: 4,
  6: 4,
  7: 1,
  10: 8,
  11: 8,
  12: 8,
};

async function readScalar(reader: BlobReader, type: number, what: string): Promise<Scalar> {
  switch (type) {
    case 0:
      return reader.u8();
    case 1:
      return reader.i8();
    case 2:
      return reader.u16();
    case 3:
      return reader.i16();
    case 4:
      return reader.u32();
    case 5:
      return reader.i32();
    case 6:
      return reader.f32();
    case 7:
      return (await reader.u8()) !== 0;
    case STRING:
      return reader.text(what, MAX_TEXT);
    case 10:
      return reader.u64();
    case 11:
      return reader.i64();
    case 12:
      return reader.f64();
    default:
      throw reader.broken(`${what} has the unknown type ${type}`);
  }
}

function alignmentOf(values: ReadonlyMap<string, Value>): number {
  const alignment = values.get('general.alignment');
  return typeof alignment === 'number' && alignment > 0 ? alignment : 32;
}

/** Number of values in all tensors; each must end before the file does. */
async function readTensors(
  reader: BlobReader,
  count: number,
  fileBytes: number,
  alignment: number,
): Promise<number> {
  let parameters = 0;
  let dataBytes = 0;
  for (let i = 0; i < count; i++) {
    const name = `tensor "${(await reader.text(`tensor ${i + 1}`, MAX_NAME)).slice(0, 80)}"`;
    const dimensions = await reader.u32();
    if (dimensions > MAX_DIMENSIONS) throw reader.broken(`${name} has ${dimensions} dimensions`);
    let values = 1;
    for (let d = 0; d < dimensions; d++) values *= await reader.u64();
    const [blockValues, blockBytes] = TENSOR_BLOCKS[await reader.u32()] ?? [1, 0];
    const offset = await reader.u64();
    dataBytes = Math.max(dataBytes, offset + Math.ceil(values / blockValues) * blockBytes);
    parameters += values;
  }
  const end = Math.ceil(reader.offset / alignment) * alignment + dataBytes;
  if (dataBytes > 0 && end > fileBytes) {
    throw reader.broken(`the file was cut off: it has ${fileBytes} bytes and should have ${end}`);
  }
  return parameters;
}

function headerOf(values: ReadonlyMap<string, Value>, parameters: number, reader: BlobReader): GgufHeader {
  const text = (key: string) => {
    const value = values.get(key);
    return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
  };
  const count = (key: string) => {
    const value = values.get(key);
    return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : undefined;
  };
  const fileType = values.get('general.file_type');
  const architecture = text('general.architecture');
  if (!architecture) throw reader.broken('it does not say the architecture of its model');
  return {
    architecture,
    name: text('general.name'),
    licence: text('general.license'),
    quantisation: typeof fileType === 'number' ? FILE_TYPES[fileType] : undefined,
    parameters,
    contextLength: count(`${architecture}.context_length`),
    cacheBytesPerToken: cacheBytes(architecture, values, count),
    hasChatTemplate: text('tokenizer.chat_template') !== undefined,
    parts: count('split.count') ?? 1,
  };
}

function cacheBytes(
  architecture: string,
  values: ReadonlyMap<string, Value>,
  count: (key: string) => number | undefined,
): number | undefined {
  const key = (name: string) => `${architecture}.${name}`;
  const layers = count(key('block_count'));
  const heads = count(key('attention.head_count'));
  const width = count(key('embedding_length'));
  const listed = values.get(key('attention.head_count_kv'));
  const perHead = heads && width ? width / heads : undefined;
  const keyLength = count(key('attention.key_length')) ?? perHead;
  const valueLength = count(key('attention.value_length')) ?? perHead;
  if (!layers || !keyLength || !valueLength) return undefined;
  const cached = Array.isArray(listed)
    ? listed.reduce((a: number, b: number) => a + b, 0)
    : layers * (count(key('attention.head_count_kv')) ?? heads ?? 0);
  return cached > 0 ? cached * (keyLength + valueLength) * 2 : undefined;
}
