import type { Voy } from 'voy-search';
import { SkeinError, toSkeinError } from '../../core/errors.ts';

type Glue = typeof import('voy-search/voy_search_bg.js');

/** The name under which voy's module asks for its bindings. */
const GLUE_IMPORT = './voy_search_bg.js';

/**
 * voy's WebAssembly instance, of which its bindings know one at a time for all trees.
 *
 * A panic inside voy leaves the instance in an unknown state, and with it every tree. `run` replaces it by a
 * fresh one then and raises `generation`: a tree made under another generation is lost and must be rebuilt.
 */
export class VoyRuntime {
  private memory: WebAssembly.Memory | undefined;
  private panic = '';
  private made = 0;

  private constructor(
    private readonly module: WebAssembly.Module,
    private readonly glue: Glue,
  ) {
    this.restart();
  }

  /**
   * The one runtime of this thread, loaded on first use, which keeps voy out of whatever the caller loads first.
   * @param readWasm gives the bytes of `voy-search/voy_search_bg.wasm`, read from disk or fetched.
   * Errors: those of `readWasm`, and `bad-file` when the bytes are no such module; the next call tries again.
   */
  static load(readWasm: () => Promise<BufferSource>): Promise<VoyRuntime> {
    loaded ??= instantiate(readWasm, (module, glue) => new VoyRuntime(module, glue)).catch((error) => {
      loaded = undefined;
      throw error;
    });
    return loaded;
  }

  /** Counts the instances made so far; a tree belongs to the one it was made under. */
  get generation(): number {
    return this.made;
  }

  /** Bytes of memory voy holds, for all trees together. */
  get bytes(): number {
    return this.memory?.buffer.byteLength ?? 0;
  }

  /** An empty tree of the current generation. */
  createTree(): Voy {
    return new this.glue.Voy();
  }

  /** Runs `work` with trees of the current generation; any failure is a VoyPanic, after a fresh start. */
  run<T>(work: () => T): T {
    try {
      return work();
    } catch (cause) {
      const reason = this.panic || toSkeinError(cause).message;
      this.restart();
      throw new VoyPanic(reason, { cause });
    }
  }

  private restart(): void {
    const instance = new WebAssembly.Instance(this.module, { [GLUE_IMPORT]: this.imports() });
    // The bindings keep views of the old memory until its buffer is detached, which growing by nothing does.
    this.memory?.grow(0);
    this.memory = instance.exports.memory as WebAssembly.Memory;
    this.glue.__wbg_set_wasm(instance.exports);
    this.panic = '';
    this.made++;
  }

  /** voy's bindings, with the one that prints a panic on the console replaced by one that keeps its message. */
  private imports(): WebAssembly.ModuleImports {
    const imports: WebAssembly.ModuleImports = { ...this.glue } as unknown as WebAssembly.ModuleImports;
    for (const name of Object.keys(imports)) {
      if (!name.startsWith('__wbg_error_')) continue;
      imports[name] = (at: number, length: number) => {
        const text = new TextDecoder().decode(new Uint8Array(this.memory!.buffer, at, length));
        this.panic = text.split('\n\nStack:')[0]!.trim();
      };
    }
    return imports;
  }
}

let loaded: Promise<VoyRuntime> | undefined;

async function instantiate(
  readWasm: () => Promise<BufferSource>,
  create: (module: WebAssembly.Module, glue: Glue) => VoyRuntime,
): Promise<VoyRuntime> {
  const [wasm, glue] = await Promise.all([readWasm(), import('voy-search/voy_search_bg.js')]);
  try {
    return create(await WebAssembly.compile(wasm), glue);
  } catch (cause) {
    throw new SkeinError(
      'bad-file',
      `voy_search_bg.wasm cannot be used: ${toSkeinError(cause).message}`,
      'Reload the page, or use the flat index.',
      { cause },
    );
  }
}

/** voy failed in a way that cost its instance. */
export class VoyPanic extends Error {
  override readonly name = 'VoyPanic';
}
