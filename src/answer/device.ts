import { isSoftware } from '../runtime/gpu.ts';
import { mayFetch } from '../runtime/page-policy.ts';
import { browserFreeBytes } from './files/room.ts';
import type { AnswerModel } from './models.ts';
import { LIBRARY_HOST } from './webllm/families.ts';

/** The graphics processor as WebGPU shows it. */
export interface DeviceGpu {
  /** Computed by the processor: right, but far too slow for a language model of size. */
  readonly software: boolean;
  readonly shaderF16: boolean;
  /** Most bytes of one buffer. */
  readonly maxBufferBytes: number;
}

/** What this device has for language models; undefined where the browser does not tell. */
export interface Device {
  readonly gpu: DeviceGpu | undefined;
  /** The browser rounds it and stops at 8 GB, or tells nothing. */
  readonly memoryBytes: number | undefined;
  readonly cores: number | undefined;
  /** WASM runs on several threads only in a page that is isolated from other sites. */
  readonly isolated: boolean;
  /** Bytes that this site may still store. */
  readonly freeBytes: number | undefined;
  /** Whether the page may fetch the compiled code that WebLLM's models bring; left out: it may. */
  readonly foreignCode?: boolean;
}

/** Whether a model runs here, and why or why not in a sentence. */
export interface Fit {
  readonly verdict: 'fits' | 'may-not-fit' | 'cannot-run';
  readonly reason: string;
}

const GIB = 2 ** 30;
/** Browsers tell no more than this, so a device that says so may have any more. */
const MOST_TOLD = 8 * GIB;
/** Above this a model crowds out the rest of a device whose memory is not known. */
const SAFE_UNTOLD = 3 * GIB;
/** WebLLM asks for buffers of this size and makes do with smaller ones where weights allow. */
const USUAL_BUFFER = GIB;
/** What 32-bit WASM can address. */
const WASM_MEMORY = 4 * GIB;
/** More than this share of the memory leaves too little for the browser and the system. */
const SHARE = 0.75;

/** Asks the browser what this device has. Never rejects: what can't be asked is not there. */
export async function detectDevice(): Promise<Device> {
  const { memory, cores } = hardware();
  const [gpu, freeBytes] = await Promise.all([detectDeviceGpu(), browserFreeBytes()]);
  return {
    gpu,
    memoryBytes: memory,
    cores,
    isolated: globalThis.crossOriginIsolated === true,
    freeBytes,
    foreignCode: mayFetch(LIBRARY_HOST),
  };
}

/** Whether `model` runs on `device`; `kept`: its files are on the device already. */
export function fits(model: AnswerModel, device: Device, kept = false): Fit {
  return (
    cannotRun(model, device) ??
    mayNotFit(model, device, kept) ?? { verdict: 'fits', reason: whereItRuns(model, device) }
  );
}

function cannotRun(
  { engine, needs }: AnswerModel,
  { gpu, memoryBytes, foreignCode }: Device,
): Fit | undefined {
  const no = (reason: string): Fit => ({ verdict: 'cannot-run', reason });
  if (engine === 'webllm' && foreignCode === false) {
    return no('It brings compiled code of its own, and this page runs no code from elsewhere.');
  }
  if (needs.webgpu && !gpu) return no('It needs WebGPU, which this browser does not offer here.');
  if (needs.shaderF16 && gpu && !gpu.shaderF16) {
    return no('It needs shader-f16, which this graphics processor lacks. Choose a build without it.');
  }
  if (memoryBytes !== undefined && memoryBytes < MOST_TOLD && needs.memoryBytes > memoryBytes) {
    return no(`It takes ${gib(needs.memoryBytes)} of memory, and this device has ${gib(memoryBytes)}.`);
  }
  return undefined;
}

function mayNotFit(model: AnswerModel, device: Device, kept: boolean): Fit | undefined {
  const { needs, bytes } = model;
  const { gpu, memoryBytes, freeBytes } = device;
  const perhaps = (reason: string): Fit => ({ verdict: 'may-not-fit', reason });
  if (!kept && freeBytes !== undefined && bytes > freeBytes) {
    return perhaps(
      `It needs ${onDisk(bytes)} of storage, and the browser allows this site ${onDisk(freeBytes)} more. Delete something first.`,
    );
  }
  if (needs.webgpu && gpu?.software) {
    return perhaps('WebGPU is computed by the processor here: an answer would take very long.');
  }
  const told = memoryBytes !== undefined && memoryBytes < MOST_TOLD;
  if (needs.memoryBytes > (told ? memoryBytes * SHARE : SAFE_UNTOLD)) {
    return perhaps(
      told
        ? `It takes ${gib(needs.memoryBytes)} of the ${gib(memoryBytes)} that this device has.`
        : `It takes ${gib(needs.memoryBytes)} of memory; the browser does not tell whether there is as much.`,
    );
  }
  if (needs.webgpu && gpu && gpu.maxBufferBytes < USUAL_BUFFER && needs.memoryBytes > USUAL_BUFFER) {
    return perhaps(
      `This graphics processor gives buffers of ${gib(gpu.maxBufferBytes)} at most, which may be too small for it.`,
    );
  }
  if (!needs.webgpu && needs.memoryBytes > WASM_MEMORY) {
    return perhaps('It is larger than what WASM can usually address (4 GB).');
  }
  return undefined;
}

function whereItRuns({ needs, source }: AnswerModel, { gpu, cores, isolated }: Device): string {
  if (source.kind === 'browser') return 'This browser brings it.';
  if (source.kind === 'endpoint') return 'It runs outside this tab.';
  if (needs.webgpu) return 'It runs on the graphics processor.';
  if (gpu && !gpu.software) return 'It runs on the graphics processor, or else on the processor.';
  if (!isolated) return 'It runs on the processor, on one thread: this page is not isolated.';
  return cores === undefined ? 'It runs on the processor.' : `It runs on the processor (${cores} cores).`;
}

async function detectDeviceGpu(): Promise<DeviceGpu | undefined> {
  const gpu = typeof navigator === 'undefined' ? undefined : navigator.gpu;
  const adapter = await gpu?.requestAdapter({ powerPreference: 'high-performance' }).catch(() => null);
  if (!adapter) return undefined;
  return {
    software: isSoftware(adapter.info),
    shaderF16: adapter.features.has('shader-f16'),
    maxBufferBytes: adapter.limits.maxBufferSize,
  };
}

function hardware(): { memory: number | undefined; cores: number | undefined } {
  if (typeof navigator === 'undefined') return { memory: undefined, cores: undefined };
  // Only Chromium tells the memory, in GiB.
  const { deviceMemory } = navigator as Navigator & { deviceMemory?: number };
  return {
    memory: deviceMemory === undefined ? undefined : deviceMemory * GIB,
    cores: navigator.hardwareConcurrency || undefined,
  };
}

/** Memory as devices are sold with it: "0.9 GB" of 1,024 MB each. */
function gib(bytes: number): string {
  return `${(bytes / GIB).toFixed(1)} GB`;
}

/** Files as the rest of the page counts them: "98 MB", "1.3 GB" of 1,000 MB each. */
function onDisk(bytes: number): string {
  return bytes < 1e9 ? `${Math.round(bytes / 1e6)} MB` : `${(bytes / 1e9).toFixed(1)} GB`;
}
