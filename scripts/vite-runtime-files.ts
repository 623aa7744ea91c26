import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { defaultClientConditions, type Plugin } from 'vite';

/**
 * Builds of ONNX Runtime that the site serves: plain for WASM, and `jspi`, which can wait for WebGPU inside a call.
 * The third, `asyncify`, waits where a browser lacks JSPI; it is slower and too large (26.9 MB) for common static hosts.
 */
const VARIANTS = ['', '.jspi'];
const NAMES = VARIANTS.flatMap((v) => [`ort-wasm-simd-threaded${v}.mjs`, `ort-wasm-simd-threaded${v}.wasm`]);
const FOLDER = 'runtime';

/**
 * Serves the WASM runtime of the embedder under `runtime/` in dev and emits it in a build, with a manifest of
 * lengths and hashes, so that nothing comes from a CDN and progress is counted in true bytes.
 */
export function runtimeFiles(): Plugin {
  return {
    name: 'skein-runtime-files',
    config: () => ({
      // Otherwise the bundler also inlines the loader and emits its own copy of the WASM file.
      resolve: { conditions: ['onnxruntime-web-use-extern-wasm', ...defaultClientConditions] },
      optimizeDeps: { include: ['@huggingface/transformers', 'comlink'] },
    }),
    configureServer(server) {
      server.middlewares.use((request, response, next) => {
        const path = new URL(request.url ?? '/', 'http://localhost').pathname;
        const [, name] = path.match(/\/runtime\/([\w.-]+)$/) ?? [];
        if (!name || ![...NAMES, 'manifest.json'].includes(name)) return next();
        contents(name).then((bytes) => {
          response.setHeader('content-type', contentType(name));
          response.setHeader('content-length', bytes.length);
          response.end(bytes);
        }, next);
      });
    },
    async generateBundle() {
      for (const name of [...NAMES, 'manifest.json']) {
        this.emitFile({ type: 'asset', fileName: `${FOLDER}/${name}`, source: await contents(name) });
      }
    },
  };
}

async function contents(name: string): Promise<Buffer> {
  return name === 'manifest.json' ? Buffer.from(await manifest()) : readFile(pathOf(name));
}

function pathOf(name: string): string {
  const transformers = createRequire(import.meta.url).resolve('@huggingface/transformers');
  return createRequire(transformers).resolve(`onnxruntime-web/${name}`);
}

async function manifest(): Promise<string> {
  const entries = NAMES.map(async (name) => {
    const bytes = await readFile(pathOf(name));
    return [name, { bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') }];
  });
  return JSON.stringify({ files: Object.fromEntries(await Promise.all(entries)) });
}

function contentType(name: string): string {
  if (name.endsWith('.wasm')) return 'application/wasm';
  return name.endsWith('.mjs') ? 'text/javascript' : 'application/json';
}
