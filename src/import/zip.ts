import { inflateSync } from 'fflate';
import { SkeinError } from '../core/errors.ts';
import type { ImportFile } from './contract.ts';

/** One file in a ZIP, as its directory describes it. */
export interface ZipMember {
  readonly name: string;
  readonly compressedSize: number;
  readonly size: number;
  readonly method: number;
  readonly encrypted: boolean;
  readonly crc: number;
  readonly headerOffset: number;
}

/** What unpacking may cost at most; a ZIP that asks for more is refused. */
export const zipLimits = {
  members: 200_000,
  directoryBytes: 128 * 1024 * 1024,
  memberBytes: 500 * 1024 * 1024,
  /** Unpacked bytes for each packed one, in members of more than `ratioFrom` bytes. Chats stay below 50. */
  ratio: 300,
  ratioFrom: 16 * 1024 * 1024,
} as const;

const END_SIGNATURE = 0x06054b50;
const END_SIZE = 22;
const ZIP64_END_SIGNATURE = 0x06064b50;
const ZIP64_LOCATOR_SIGNATURE = 0x07064b50;
const ZIP64_LOCATOR_SIZE = 20;
const MEMBER_SIGNATURE = 0x02014b50;
const MEMBER_SIZE = 46;
const LOCAL_SIGNATURE = 0x04034b50;
const LOCAL_SIZE = 30;
const UNKNOWN_32 = 0xffffffff;
const STORED = 0;
const DEFLATED = 8;

/** True when `head`, the first bytes of a file, are those of a ZIP. */
export function isZip(head: Uint8Array): boolean {
  const [p, k, a, b] = head;
  return p === 0x50 && k === 0x4b && ((a === 3 && b === 4) || (a === 5 && b === 6));
}

/** The files in a ZIP, read from its directory alone. Throws `bad-file` when the ZIP is damaged or cut off. */
export async function listZip(file: ImportFile): Promise<ZipMember[]> {
  const { count, offset, size } = await findDirectory(file);
  if (count > zipLimits.members || size > zipLimits.directoryBytes) {
    throw damaged(`it lists ${count} files, which is more than this program opens`);
  }
  const view = await readView(file, offset, offset + size);
  const members: ZipMember[] = [];
  let at = 0;
  for (let i = 0; i < count; i++) {
    if (at + MEMBER_SIZE > view.byteLength || view.getUint32(at, true) !== MEMBER_SIGNATURE) {
      throw damaged(`entry ${i + 1} of its directory can't be read`);
    }
    const nameLength = view.getUint16(at + 28, true);
    const extraLength = view.getUint16(at + 30, true);
    const end = at + MEMBER_SIZE + nameLength + extraLength + view.getUint16(at + 32, true);
    if (end > view.byteLength) throw damaged(`entry ${i + 1} of its directory is cut off`);
    const member = readMember(view, at, nameLength, extraLength);
    if (!member.name.endsWith('/')) members.push(member);
    at = end;
  }
  return members;
}

/** The unpacked bytes of one member. Throws `bad-file` when it is damaged, encrypted or unreasonably large. */
export async function readZipMember(file: ImportFile, member: ZipMember): Promise<Uint8Array<ArrayBuffer>> {
  if (member.encrypted)
    throw new SkeinError('bad-file', 'It is encrypted.', 'Unpack it with its password first.');
  if (member.method !== STORED && member.method !== DEFLATED) {
    throw new SkeinError(
      'bad-file',
      `Its packing method ${member.method} is unknown.`,
      'Unpack the ZIP first.',
    );
  }
  const { size, compressedSize } = member;
  const isBomb = size > zipLimits.ratioFrom && size > compressedSize * zipLimits.ratio;
  if (size > zipLimits.memberBytes || isBomb) throw tooLarge();
  const header = await readView(file, member.headerOffset, member.headerOffset + LOCAL_SIZE);
  if (header.byteLength < LOCAL_SIZE || header.getUint32(0, true) !== LOCAL_SIGNATURE) {
    throw damaged('the place of this member holds something else');
  }
  const start = member.headerOffset + LOCAL_SIZE + header.getUint16(26, true) + header.getUint16(28, true);
  const packed = await readBytes(file, start, start + compressedSize);
  if (packed.length !== compressedSize) throw damaged('this member is cut off');
  const bytes = member.method === STORED ? packed : inflate(packed, member.size);
  if (bytes.length !== size || crc32(bytes) !== member.crc) {
    throw damaged("this member's checksum or size does not match");
  }
  return bytes;
}

interface Directory {
  readonly count: number;
  readonly offset: number;
  readonly size: number;
}

async function findDirectory(file: ImportFile): Promise<Directory> {
  // The end record is followed by a comment of at most 65,535 bytes.
  const tailStart = Math.max(0, file.size - END_SIZE - 0xffff);
  const tail = await readView(file, tailStart, file.size);
  for (let at = tail.byteLength - END_SIZE; at >= 0; at--) {
    if (tail.getUint32(at, true) !== END_SIGNATURE) continue;
    const directory = {
      count: tail.getUint16(at + 10, true),
      size: tail.getUint32(at + 12, true),
      offset: tail.getUint32(at + 16, true),
    };
    const needs64 =
      directory.count === 0xffff || directory.size === UNKNOWN_32 || directory.offset === UNKNOWN_32;
    return needs64 ? ((await findDirectory64(file, tail, at)) ?? directory) : directory;
  }
  throw damaged('its directory is missing; the file may be cut off');
}

async function findDirectory64(
  file: ImportFile,
  tail: DataView,
  end: number,
): Promise<Directory | undefined> {
  const locator = end - ZIP64_LOCATOR_SIZE;
  if (locator < 0 || tail.getUint32(locator, true) !== ZIP64_LOCATOR_SIGNATURE) return undefined;
  const offset = Number(tail.getBigUint64(locator + 8, true));
  const record = await readView(file, offset, offset + 56);
  if (record.byteLength < 56 || record.getUint32(0, true) !== ZIP64_END_SIGNATURE) {
    throw damaged('its directory is missing; the file may be cut off');
  }
  return {
    count: Number(record.getBigUint64(32, true)),
    size: Number(record.getBigUint64(40, true)),
    offset: Number(record.getBigUint64(48, true)),
  };
}

function readMember(view: DataView, at: number, nameLength: number, extraLength: number): ZipMember {
  const nameStart = at + MEMBER_SIZE;
  const large = readLargeSizes(view, nameStart + nameLength, extraLength);
  const size32 = (offset: number) => {
    const value = view.getUint32(at + offset, true);
    return value === UNKNOWN_32 ? (large.shift() ?? value) : value;
  };
  // The order of the 64-bit fields is fixed: size, compressed size, offset.
  const size = size32(24);
  const compressedSize = size32(20);
  const headerOffset = size32(42);
  return {
    name: new TextDecoder().decode(new Uint8Array(view.buffer, view.byteOffset + nameStart, nameLength)),
    size,
    compressedSize,
    headerOffset,
    method: view.getUint16(at + 10, true),
    encrypted: (view.getUint16(at + 8, true) & 1) === 1,
    crc: view.getUint32(at + 16, true),
  };
}

/** The 64-bit values of the ZIP64 extra field, in their order. */
function readLargeSizes(view: DataView, start: number, length: number): number[] {
  const values: number[] = [];
  for (let at = start; at + 4 <= start + length; ) {
    const end = Math.min(at + 4 + view.getUint16(at + 2, true), start + length);
    if (view.getUint16(at, true) === 1) {
      for (let v = at + 4; v + 8 <= end; v += 8) values.push(Number(view.getBigUint64(v, true)));
    }
    at = end;
  }
  return values;
}

/** Unpacks into exactly the space that the directory claims, so that a false claim can't fill the memory. */
function inflate(packed: Uint8Array, size: number): Uint8Array<ArrayBuffer> {
  try {
    return inflateSync(packed, { out: new Uint8Array(size) });
  } catch (error) {
    throw damaged(`this member can't be unpacked (${error instanceof Error ? error.message : error})`);
  }
}

async function readBytes(file: ImportFile, start: number, end: number): Promise<Uint8Array<ArrayBuffer>> {
  if (file.slice) return new Uint8Array(await file.slice(start, end).arrayBuffer());
  return new Uint8Array(await file.arrayBuffer()).slice(start, end);
}

async function readView(file: ImportFile, start: number, end: number): Promise<DataView> {
  return new DataView((await readBytes(file, start, end)).buffer);
}

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  return crc;
});

function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) crc = CRC_TABLE[(crc ^ byte) & 0xff]! ^ (crc >>> 8);
  return (crc ^ 0xffffffff) >>> 0;
}

function damaged(detail: string): SkeinError {
  return new SkeinError('bad-file', `The ZIP is damaged: ${detail}.`, 'Download it again.');
}

function tooLarge(): SkeinError {
  return new SkeinError(
    'bad-file',
    'Unpacked it would be far larger than a chat export is, which may be a trap (a ZIP bomb).',
    'If you trust it, unpack it yourself and import the JSON files.',
  );
}
