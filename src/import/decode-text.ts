import { SkeinError } from '../core/errors.ts';

export interface DecodedText {
  readonly text: string;
  /** What had to be guessed or replaced, as a sentence for the report. */
  readonly note?: string;
}

/**
 * Bytes of a text file as text without byte order mark: UTF-8, UTF-16 in either order (with a mark or without),
 * or, when they are neither, Windows-1252 with a note. Throws `bad-file` for what is no text at all.
 */
export function decodeText(bytes: Uint8Array): DecodedText {
  const utf16 = utf16Order(bytes);
  if (utf16) return { text: new TextDecoder(utf16).decode(bytes) };
  if (bytes.subarray(0, 4096).includes(0)) {
    throw new SkeinError('bad-file', 'This is not a text file.', 'Choose a JSON, JSONL, text or ZIP file.');
  }
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
  }
  // JSON is UTF-8 by its standard, so there a wrong byte is damage; old text files are often Windows-1252.
  const isJson = /^\s*[{[]/.test(new TextDecoder().decode(bytes.subarray(0, 64)));
  return isJson
    ? { text: new TextDecoder().decode(bytes), note: 'bytes that are not UTF-8 were replaced by U+FFFD' }
    : {
        text: new TextDecoder('windows-1252').decode(bytes),
        note: 'read as Windows-1252, since it is not UTF-8',
      };
}

function utf16Order(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  const head = bytes.subarray(0, 512);
  const zeros = [0, 0];
  head.forEach((byte, i) => {
    if (byte === 0) zeros[i % 2]!++;
  });
  // Most characters of most texts have one zero byte, always on the same side; few have one on the other.
  const [even, odd] = zeros as [number, number];
  if (odd > head.length / 4 && even < odd / 4) return 'utf-16le';
  if (even > head.length / 4 && odd < even / 4) return 'utf-16be';
  return undefined;
}
