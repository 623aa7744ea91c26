import { orOutOfMemory } from '../checks.ts';
import { KERNEL_BASE64 } from './kernel.generated.ts';
import type { ScanKernel } from './scan-kernel.ts';

const PAGE_BYTES = 65_536;

/** What src/index/kernel/scan.ts exports; addresses, lengths and steps as it says. */
interface KernelExports {
  readonly memory: WebAssembly.Memory;
  scan: ScanKernel['scan'];
  highest: ScanKernel['highest'];
  add: ScanKernel['add'];
  capped: ScanKernel['capped'];
  saturate: ScanKernel['saturate'];
}

/** The smallest module with a SIMD instruction in it: a function that returns i8x16.splat(0). */
const SIMD_PROBE = Uint8Array.of(
  ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00], // header
  ...[0x01, 0x05, 0x01, 0x60, 0x00, 0x01, 0x7b], // type: () -> v128
  ...[0x03, 0x02, 0x01, 0x00], // one function of it
  ...[0x0a, 0x08, 0x01, 0x06, 0x00, 0x41, 0x00, 0xfd, 0x0f, 0x0b], // i32.const 0, i8x16.splat, end
);

let module: WebAssembly.Module | undefined;

/** Whether this place can run the kernel: it knows WebAssembly SIMD, and no policy forbids compiling. */
export function simdWorks(): boolean {
  if (typeof WebAssembly === 'undefined' || !WebAssembly.validate(SIMD_PROBE)) return false;
  try {
    compiled();
    return true;
  } catch {
    // A page without 'wasm-unsafe-eval' refuses: the plain kernel gives the same scores there.
    return false;
  }
}

/** The WebAssembly kernel; its memory is the module's own and grows in place. */
export function createSimdKernel(): ScanKernel {
  const { memory, ...sums } = new WebAssembly.Instance(compiled()).exports as unknown as KernelExports;
  let floats = new Float32Array(memory.buffer);
  return {
    kind: 'simd',
    get floats() {
      return floats;
    },
    reserve(length) {
      if (length <= floats.length) return;
      const pages = Math.ceil((length * 4 - memory.buffer.byteLength) / PAGE_BYTES);
      orOutOfMemory(length, () => memory.grow(pages));
      floats = new Float32Array(memory.buffer);
    },
    scan: (rows, count, stride, query, step, out) =>
      sums.scan(rows * 4, count, stride * 4, query * 4, step * 4, out * 4),
    highest: (rows, count, stride, length, values, full, out) =>
      sums.highest(rows * 4, count, stride * 4, length * 4, values * 4, full, out * 4),
    add: (row, length, factor, out) => sums.add(row * 4, length * 4, factor, out * 4),
    capped: (values, length) => sums.capped(values * 4, length * 4),
    saturate: (values, length, norms, weight, out) =>
      sums.saturate(values * 4, length * 4, norms * 4, weight, out * 4),
  };
}

function compiled(): WebAssembly.Module {
  module ??= new WebAssembly.Module(Uint8Array.from(atob(KERNEL_BASE64), (char) => char.charCodeAt(0)));
  return module;
}
