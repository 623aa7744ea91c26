import { createHash } from 'node:crypto';
import type { Fetch } from '../../../src/answer/files/download-file.ts';
import type { ModelFile } from '../../../src/answer/files/model-files.ts';

export interface Served {
  body: Uint8Array<ArrayBuffer>;
  type?: string;
  etag?: string;
  /** Ignores ranges and sends everything. */
  noRanges?: boolean;
  /** Breaks the connection after this many bytes of each answer. */
  breakAfter?: number;
  status?: number;
  /** Says no size to HEAD. */
  noLength?: boolean;
}

const CHUNK = 1000;

/** A server of model files that answers ranges, breaks off and lies as it is told. */
export class FakeServer {
  readonly files = new Map<string, Served>();
  /** "GET a.bin 4096-" and the like, in order. */
  readonly log: string[] = [];
  online = true;
  /** Called with the bytes sent of each answer, after each chunk. */
  onSent: (path: string, bytes: number) => void = () => {};

  readonly fetch: Fetch = async (url, init) => {
    const path = new URL(url).pathname.slice(1);
    const range = new Headers(init.headers).get('range')?.replace('bytes=', '');
    this.log.push([init.method ?? 'GET', path, ...(range ? [range] : [])].join(' '));
    init.signal?.throwIfAborted();
    if (!this.online) throw new TypeError('Failed to fetch');
    const file = this.files.get(path);
    if (!file) return new Response('no', { status: 404 });
    if (file.status) return new Response('no', { status: file.status });
    const headers = new Headers({ 'content-type': file.type ?? 'application/octet-stream' });
    if (file.etag) headers.set('etag', file.etag);
    if (init.method === 'HEAD') {
      if (!file.noLength) headers.set('content-length', `${file.body.length}`);
      return new Response(null, { headers });
    }
    const from = range && !file.noRanges ? Number(range.split('-')[0]) : 0;
    if (from >= file.body.length && from > 0) return new Response(null, { status: 416 });
    if (from > 0) {
      headers.set('content-range', `bytes ${from}-${file.body.length - 1}/${file.body.length}`);
    }
    const body = this.stream(path, file, from, init.signal ?? undefined);
    return new Response(body, { status: from > 0 ? 206 : 200, headers });
  };

  serve(path: string, bytes: number, extra: Partial<Served> = {}): Served {
    const body = Uint8Array.from({ length: bytes }, (_, i) => (i * 31 + path.length) % 251);
    const served: Served = { body, ...extra };
    this.files.set(path, served);
    return served;
  }

  file(path: string, state: { size?: boolean; hash?: boolean } = {}): ModelFile {
    const { body } = this.files.get(path)!;
    return {
      path,
      url: `https://models.test/${path}`,
      ...(state.size !== false && { bytes: body.length }),
      ...(state.hash !== false && { sha256: createHash('sha256').update(body).digest('hex') }),
    };
  }

  private stream(path: string, { body, breakAfter }: Served, from: number, signal?: AbortSignal) {
    let sent = 0;
    return new ReadableStream<Uint8Array>(
      {
        pull: (controller) => {
          if (signal?.aborted) return controller.error(signal.reason);
          if (breakAfter !== undefined && sent >= breakAfter)
            return controller.error(new TypeError('cut off'));
          const chunk = body.slice(from + sent, from + sent + CHUNK);
          if (chunk.length === 0) return controller.close();
          sent += chunk.length;
          controller.enqueue(chunk);
          this.onSent(path, sent);
        },
      },
      { highWaterMark: 0 },
    );
  }
}
