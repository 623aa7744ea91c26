import { chunksOf } from '../core/streams.ts';
import { BACKUP_MAGIC } from './backup-lines.ts';

/**
 * Whether `bytes`, the beginning of a file, are that of a backup, packed or not. A packed file needs its first
 * 1,024 bytes, or all of them when it is smaller.
 */
export async function isBackup(bytes: Uint8Array<ArrayBuffer>): Promise<boolean> {
  const start = isGzip(bytes) ? await unpackedStart(bytes) : bytes;
  return new TextDecoder().decode(start.subarray(0, BACKUP_MAGIC.length)) === BACKUP_MAGIC;
}

/** The lines of a packed or plain file, without line ends. `onBytes` is told how much of the file is read. */
export async function* readLines(
  file: Blob,
  onBytes: (read: number) => void = () => {},
): AsyncGenerator<string> {
  const start = new Uint8Array(await file.slice(0, 2).arrayBuffer());
  const counted = file.stream().pipeThrough(byteCounter(onBytes));
  const text = (isGzip(start) ? unpack(counted) : counted).pipeThrough(new TextDecoderStream());
  let rest = '';
  for await (const piece of chunksOf(text)) {
    const lines = (rest + piece).split('\n');
    rest = lines.pop()!;
    yield* lines;
  }
  if (rest !== '') yield rest;
}

/** Packs `lines`, each with a line end, into a file; they are asked for as fast as they are packed. */
export async function packLines(lines: AsyncGenerator<string>): Promise<Blob> {
  let failure: { readonly error: unknown } | undefined;
  const stream = new ReadableStream<string>({
    async pull(controller) {
      try {
        const { piece, done } = await nextPiece(lines);
        controller.enqueue(piece);
        if (done) controller.close();
      } catch (error) {
        failure = { error };
        throw error;
      }
    },
    async cancel() {
      await lines.return(undefined);
    },
  });
  const packed = stream.pipeThrough(new TextEncoderStream()).pipeThrough(new CompressionStream('gzip'));
  try {
    return await new Response(packed, { headers: { 'Content-Type': 'application/gzip' } }).blob();
  } catch (error) {
    // A Response hides why its stream failed.
    throw failure ? failure.error : error;
  }
}

/** Small lines go together: a stream's step costs more than a line. */
async function nextPiece(lines: AsyncGenerator<string>): Promise<{ piece: string; done: boolean }> {
  let piece = '';
  while (piece.length < PIECE) {
    const { done, value } = await lines.next();
    if (done) return { piece, done };
    piece += `${value}\n`;
  }
  return { piece, done: false };
}

const PIECE = 65_536;

function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

/**
 * Unpacks as far as the bytes go. An error at the end throws away what the consumer has not read yet; the empty
 * chunk waits until it has read everything, so a file that was cut off still gives all that is in it.
 */
function unpack(packed: ReadableStream<Uint8Array<ArrayBuffer>>): ReadableStream<Uint8Array<ArrayBuffer>> {
  const guarded = packed.pipeThrough(
    new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      flush: (controller) => controller.enqueue(new Uint8Array(0)),
    }),
  );
  return guarded.pipeThrough(new DecompressionStream('gzip'));
}

async function unpackedStart(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const reader = unpack(new Blob([bytes]).stream()).getReader();
  try {
    return (await reader.read()).value ?? new Uint8Array(0);
  } catch {
    // Damaged from the start: then it is no backup.
    return new Uint8Array(0);
  } finally {
    reader.cancel().catch(() => {});
  }
}

function byteCounter(
  onBytes: (read: number) => void,
): TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> {
  let read = 0;
  return new TransformStream({
    transform(chunk, controller) {
      read += chunk.byteLength;
      onBytes(read);
      controller.enqueue(chunk);
    },
  });
}
