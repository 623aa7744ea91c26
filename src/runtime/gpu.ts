/** What WebGPU has to offer here. */
export type Gpu =
  | { readonly kind: 'none' }
  /** Computed by the processor: right, but far slower than WASM. */
  | { readonly kind: 'software'; readonly halfFloats: boolean }
  | { readonly kind: 'hardware'; readonly halfFloats: boolean };

const SOFTWARE_NAMES = /swiftshader|llvmpipe|lavapipe|software|basic render/i;

/**
 * Asks the browser for a WebGPU adapter. Never rejects: what can't be asked is not there. The runtime waits for
 * the GPU through JSPI, so a browser without it counts as one without WebGPU.
 */
export async function detectGpu(): Promise<Gpu> {
  if (!('Suspending' in WebAssembly)) return { kind: 'none' };
  const gpu = typeof navigator === 'undefined' ? undefined : navigator.gpu;
  const adapter = await gpu?.requestAdapter({ powerPreference: 'high-performance' }).catch(() => null);
  if (!adapter) return { kind: 'none' };
  const kind = isSoftware(adapter.info) ? 'software' : 'hardware';
  return { kind, halfFloats: adapter.features.has('shader-f16') };
}

/** Whether an adapter is computed by the processor. */
export function isSoftware(info: GPUAdapterInfo): boolean {
  const { vendor, architecture, device, description } = info;
  return info.isFallbackAdapter || SOFTWARE_NAMES.test([vendor, architecture, device, description].join(' '));
}
