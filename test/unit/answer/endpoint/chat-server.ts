import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request as the server saw it. */
export interface Seen {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Record<string, unknown>;
}

export type Answer = (request: Seen, response: ServerResponse) => void | Promise<void>;

/** A real HTTP server on this machine that answers as a test says, and remembers what it was asked. */
export class ChatServer {
  readonly seen: Seen[] = [];
  private constructor(
    private readonly server: ReturnType<typeof createServer>,
    readonly url: string,
  ) {}

  static async start(routes: Readonly<Record<string, Answer>>): Promise<ChatServer> {
    const server = createServer(async (request, response) => {
      const text = (await request.toArray()).join('');
      const seen: Seen = {
        method: request.method!,
        path: request.url!,
        headers: request.headers,
        body: text ? JSON.parse(text) : {},
      };
      self.seen.push(seen);
      const route = routes[seen.path];
      if (!route) return void sendJson(response, { error: { message: 'no such path' } }, 404);
      await route(seen, response);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const self = new ChatServer(server, `http://127.0.0.1:${port}`);
    return self;
  }

  chats(): Seen[] {
    return this.seen.filter(({ path }) => path === '/v1/chat/completions');
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

export function sendJson(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

/** Sends the pieces as they are, each as a chunk of its own. */
export async function sendStream(
  response: ServerResponse,
  chunks: readonly (string | Uint8Array)[],
): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const chunk of chunks) {
    response.write(chunk);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  response.end();
}

/** One event of a chat stream. */
export function delta(content: string, finish: string | null = null): string {
  return `data: ${JSON.stringify({ choices: [{ delta: { content }, finish_reason: finish }] })}\n\n`;
}

export const MODELS: Answer = (_, response) =>
  sendJson(response, { data: [{ id: 'tiny', owned_by: 'someone' }] });
