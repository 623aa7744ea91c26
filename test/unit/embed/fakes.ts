import type { Platform } from '../../../src/embed/platform.ts';
import type { Backend, EmbeddingModel } from '../../../src/embed/registry.ts';
import type { Reference } from '../../../src/embed/self-test.ts';
import type { Encoder } from '../../../src/embed/transformers/transformers-embedder.ts';
import type { Gpu } from '../../../src/runtime/gpu.ts';

export const DIMENSION = 384;

/** A token a letter; spaces are left out, capitals begin words. */
const letters = {
  encode: (text: string) => [...text.replaceAll(/\s/g, '')].map((c) => 10 + (c.codePointAt(0)! % 90)),
  before: [1],
  after: [2],
  pad: 0,
  startsWord: (id: number) => id % 2 === 0,
};

/** An encoder whose state of a token depends on its id alone, so that pooled vectors can be reckoned by hand. */
export class FakeEncoder implements Encoder {
  readonly tokenizer = letters;
  readonly shapes: [number, number][] = [];
  disposed = false;
  constructor(private readonly disturb: (states: Float32Array) => void = () => {}) {}

  async run(ids: BigInt64Array, mask: BigInt64Array, rows: number, columns: number): Promise<Float32Array> {
    this.shapes.push([rows, columns]);
    const states = new Float32Array(rows * columns * DIMENSION);
    // A padded position gets a state that would spoil any mean it enters.
    ids.forEach((id, i) => {
      states[i * DIMENSION + (Number(id) % DIMENSION)] = mask[i] === 1n ? 1 : 1000;
    });
    this.disturb(states);
    return states;
  }

  async dispose(): Promise<void> {
    this.disposed = true;
  }
}

/** The unit vector that `FakeEncoder` gives for a text that fits the window. */
export function fakeVector(text: string): Float32Array {
  const vector = new Float32Array(DIMENSION);
  for (const id of [1, ...letters.encode(text), 2]) vector[id]! += 1;
  const length = Math.hypot(...vector);
  return vector.map((x) => x / length);
}

export const fakeReferences: Reference[] = ['short text', 'a long text '.repeat(10)].map((text) => ({
  text,
  wordPieces: letters.encode(text).length + 2,
  vector: Array.from(fakeVector(text)),
}));

export interface FakeOptions {
  readonly gpu: Gpu['kind'];
  readonly encoders: Partial<Record<Backend, () => Encoder>>;
  readonly references?: Reference[];
}

/** A platform without network or runtime, which keeps what was asked of it. */
export class FakePlatform implements Platform {
  readonly created: Backend[] = [];
  readonly forgotten: string[] = [];
  constructor(private readonly options: FakeOptions) {}

  async detectGpu(): Promise<Gpu> {
    const { gpu } = this.options;
    return gpu === 'none' ? { kind: gpu } : { kind: gpu, halfFloats: false };
  }

  async fetchModel(model: EmbeddingModel, _: unknown, onBytes: (loaded: number, total: number) => void) {
    onBytes(40, 100);
    onBytes(100, 100);
    const texts = this.options.references ?? fakeReferences;
    const bytes = new TextEncoder().encode(JSON.stringify({ texts }));
    return { files: new Map(model.shipped ? [['reference-vectors.json', bytes]] : []) };
  }

  async prepareRuntime(_: Backend, onBytes: (loaded: number, total: number) => void): Promise<void> {
    onBytes(50, 50);
  }

  async createEncoder(_: EmbeddingModel, __: unknown, backend: Backend): Promise<Encoder> {
    this.created.push(backend);
    return this.options.encoders[backend]!();
  }

  async forgetModel(model: EmbeddingModel): Promise<void> {
    this.forgotten.push(model.name);
  }
}
