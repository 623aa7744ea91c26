import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Plugin } from 'vite';
import { LLAMA_FOLDER, LLAMA_VERSION } from '../src/answer/gguf/runtime.ts';

const PACKAGE = dirname(createRequire(import.meta.url).resolve('@wllama/wllama/package.json'));

/**
 * Serves llama.cpp's WASM build below the site and emits it in a build. The package @wllama/wllama puts the scripts
 * of its workers together at run time and starts them from blob: URLs, which the site's policy forbids. The same
 * scripts, from the same package, are put together here and served as files; `src/answer/gguf/site-workers.ts`
 * starts these instead.
 */
export function llamaRuntime(): Plugin {
  return {
    name: 'skein-llama-runtime',
    configureServer(server) {
      server.middlewares.use((request, response, next) => {
        const path = new URL(request.url ?? '/', 'http://localhost').pathname;
        const name = FILES.find((file) => path.endsWith(`/${LLAMA_FOLDER}/${file}`));
        if (!name) return next();
        contents(name).then((bytes) => {
          response.setHeader('content-type', name.endsWith('.wasm') ? 'application/wasm' : 'text/javascript');
          response.setHeader('content-length', bytes.length);
          // A worker of an isolated page must be isolated itself.
          response.setHeader('cross-origin-embedder-policy', 'require-corp');
          response.end(bytes);
        }, next);
      });
    },
    async generateBundle() {
      for (const name of FILES) {
        this.emitFile({ type: 'asset', fileName: `${LLAMA_FOLDER}/${name}`, source: await contents(name) });
      }
    },
  };
}

const FILES = ['main.js', 'thread.js', 'wllama.wasm', 'LICENCE'];

async function contents(name: string): Promise<Buffer> {
  const { version } = JSON.parse(await readFile(join(PACKAGE, 'package.json'), 'utf8'));
  if (version !== LLAMA_VERSION)
    throw new Error(`@wllama/wllama is ${version}: update src/answer/gguf/runtime.ts.`);
  if (name === 'wllama.wasm') return readFile(join(PACKAGE, 'esm/wasm/wllama.wasm'));
  if (name === 'LICENCE') return readFile(join(PACKAGE, 'LICENCE'));
  const module = await readFile(join(PACKAGE, 'src/wasm/wllama.js'), 'utf8');
  if (name === 'thread.js') return Buffer.from(WITHOUT_JSPI + module);
  const main = await readFile(join(PACKAGE, 'src/workers-code/llama-cpp.js'), 'utf8');
  const asFunction = replaceOnce(module, 'var Module', 'var ___Module');
  return Buffer.from(
    [WITHOUT_JSPI, OPTIONS, `function wModuleInit() { ${asFunction}; return Module; }`, main].join('\n'),
  );
}

/** Where a browser can't suspend WASM, its marks are passed over: nothing asynchronous is called then. */
const WITHOUT_JSPI = `
if (!WebAssembly.Suspending) {
  WebAssembly.Suspending = function (call) { return call; };
  WebAssembly.promising = (call) => async (...values) => call(...values);
}
`;

/** What the package writes into the script, read from its address; its threads are the site's file, too. */
const OPTIONS = `
const RUN_OPTIONS = {
  pathConfig: { 'wllama.wasm': new URL('wllama.wasm', location.href).href },
  nbThread: Number(new URL(location.href).searchParams.get('threads')),
  compat: false,
};
if (new URL(location.href).searchParams.get('gpu') === '0') {
  Object.defineProperty(WorkerNavigator.prototype, 'gpu', { get: () => ({ requestAdapter: async () => null }) });
}
{
  const SiteWorker = self.Worker;
  self.Worker = function (_, options) { return new SiteWorker(new URL('thread.js', location.href), options); };
}
`;

function replaceOnce(text: string, what: string, by: string): string {
  if (!text.includes(what)) throw new Error(`@wllama/wllama has changed: its module has no "${what}".`);
  return text.replace(what, by);
}
