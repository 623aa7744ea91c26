import { SkeinError } from '../../core/errors.ts';

const MAX_THREADS = 8;

/** Half the processor's threads: the others share its cores, and threads that wait for a busy core hold up all. */
export function threads(): number {
  if (!globalThis.crossOriginIsolated) return 1;
  return Math.max(1, Math.min(MAX_THREADS, Math.floor((navigator.hardwareConcurrency || 1) / 2)));
}

/** In bytes; undefined where the browser doesn't tell. */
export function deviceMemory(): number | undefined {
  const { deviceMemory: gib } = navigator as { deviceMemory?: number };
  return gib === undefined ? undefined : gib * 2 ** 30;
}

/** Throws where the browser can't run the WASM build at all. */
export function checkBrowser(): void {
  try {
    new WebAssembly.Memory({ address: 'i64', initial: 1n } as unknown as WebAssembly.MemoryDescriptor);
  } catch {
    throw new SkeinError(
      'model-broken',
      "This browser's WebAssembly has no 64-bit memory, which llama.cpp needs.",
      'Use a new Chrome, Edge or Firefox, or choose a model of another engine.',
    );
  }
}
