import { SkeinError } from '../../core/errors.ts';
import type { GgufHeader } from './header.ts';

const MIB = 1 << 20;
/** The WASM build's memory ends here, whatever the device has. */
const HEAP = 4096 * MIB;
/** Of the runtime itself: its code, the vocabulary, the buffers of a batch. */
const RUNTIME = 256 * MIB;
/** Keys and values take no more than this: a longer window would be too slow to fill, anyway. */
const MAX_CACHE = 1024 * MIB;
/** The library reads each file through one array, which browsers end at 2 GiB. */
export const MAX_PART = 2 ** 31 - 1;
const MIN_WINDOW = 512;
const MAX_WINDOW = 32_768;
/** Where the header doesn't say what a token takes: as much as models of 7 to 8 billion parameters. */
const TYPICAL_CACHE = 128 << 10;

/** What a model takes while it runs. */
export interface GgufMemory {
  /** Tokens of prompt and answer together. */
  readonly contextWindow: number;
  readonly bytes: number;
}

/**
 * The longest window that model and device allow: the model's own, cut so that the file, the keys and values of all
 * its tokens and the runtime fit into WASM's 4 GiB, and the keys and values into a quarter of the device's memory.
 * Throws `out-of-memory` when not even a short one fits.
 * @param fileBytes All parts together.
 */
export function memoryOf(header: GgufHeader, fileBytes: number, deviceBytes = 8192 * MIB): GgufMemory {
  const perToken = header.cacheBytesPerToken ?? TYPICAL_CACHE;
  const room = Math.min(MAX_CACHE, deviceBytes / 4, HEAP - RUNTIME - fileBytes);
  const fitting = Math.floor(room / perToken / 256) * 256;
  const contextWindow = Math.min(header.contextLength ?? 4096, fitting, MAX_WINDOW);
  if (contextWindow < Math.min(MIN_WINDOW, header.contextLength ?? MIN_WINDOW)) {
    throw new SkeinError(
      'out-of-memory',
      `A model of ${Math.ceil(fileBytes / MIB)} MiB leaves no room in the ${HEAP / MIB} MiB that WASM can address.`,
      'Choose one with fewer parameters or a stronger quantisation.',
    );
  }
  return { contextWindow, bytes: fileBytes + contextWindow * perToken + RUNTIME };
}

/** Throws `out-of-memory` for a file that must be split first. */
export function checkPart(name: string, bytes: number): void {
  if (bytes <= MAX_PART) return;
  throw new SkeinError(
    'out-of-memory',
    `${name} is larger than 2 GiB, the most that one file may have here.`,
    `Split it with llama.cpp's tool (llama-gguf-split --split-max-size 1G ${name} part) and drop all parts.`,
  );
}
