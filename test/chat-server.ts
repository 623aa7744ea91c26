import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Plugin } from 'vite';

/** Where the tests' server tells the address of a chat server on another origin. */
export const CHAT_SERVER_PATH = '/chat-server';

/**
 * A chat server with the OpenAI protocol for browser tests. It sends half an answer and the rest when `/go-on` is
 * asked for, so that a test that gets the half before it asks has seen a stream; `/seen` lists what it was asked.
 */
export function chatServer(): Plugin {
  return {
    name: 'skein-chat-server',
    configureServer(server) {
      const listening = listen();
      server.httpServer?.on('close', () => void listening.then(({ close }) => close()));
      server.middlewares.use(CHAT_SERVER_PATH, (_, response) => {
        listening.then(({ url }) => response.end(url));
      });
    },
  };
}

async function listen(): Promise<{ url: string; close: () => void }> {
  const seen: string[] = [];
  let waiting: ServerResponse | undefined;
  const server = createServer((request, response) => {
    const { origin = '*' } = request.headers;
    response.setHeader('access-control-allow-origin', origin);
    response.setHeader('access-control-allow-headers', 'authorization, content-type');
    if (request.method === 'OPTIONS') return void response.end();
    if (request.url === '/seen') return void response.end(JSON.stringify(seen.splice(0)));
    seen.push(`${request.method} ${request.url} ${request.headers.authorization ?? ''}`.trim());
    if (request.url === '/v1/models') return void response.end(JSON.stringify({ data: [{ id: 'tiny' }] }));
    if (request.url === '/v1/chat/completions') {
      response.setHeader('content-type', 'text/event-stream');
      response.write(event('Under the '));
      response.on('close', () => seen.push(response.writableFinished ? 'finished' : 'broken off'));
      waiting = response;
      return;
    }
    waiting?.end(`${event('pot.', 'stop')}data: [DONE]\n\n`);
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  server.unref();
  const { port } = server.address() as AddressInfo;
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${port}`, close };
}

function event(content: string, finish: string | null = null): string {
  return `data: ${JSON.stringify({ choices: [{ delta: { content }, finish_reason: finish }] })}\n\n`;
}
