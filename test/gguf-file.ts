import { createReadStream, existsSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import type { Plugin } from 'vite';
import { GGUF_PATH } from './gguf-path.ts';

/** Serves the GGUF file that SKEIN_GGUF names to browser tests, with its name in a header; without one the path is missing. */
export function ggufUnderTest(): Plugin {
  return {
    name: 'skein-gguf-under-test',
    configureServer(server) {
      server.middlewares.use(GGUF_PATH, (request, response) => {
        const file = process.env.SKEIN_GGUF;
        if (!file || !existsSync(file)) {
          response.statusCode = 404;
          return void response.end();
        }
        response.setHeader('content-length', statSync(file).size);
        response.setHeader('x-file-name', basename(file));
        if (request.method === 'HEAD') return void response.end();
        createReadStream(file).pipe(response);
      });
    },
  };
}
