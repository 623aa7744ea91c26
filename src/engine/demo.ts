import { SkeinError } from '../core/errors.ts';
import type { NewTurn } from '../core/turn.ts';
import { type EmbedderStamp, stampKey } from '../embed/embedder.ts';
import { siteBase } from '../runtime/site.ts';

/** The bundled thread, as `npm run build:demo` writes it. */
export interface DemoThread {
  readonly name: string;
  /** The embedder that made the vectors. */
  readonly stamp: EmbedderStamp;
  readonly questions: readonly string[];
  readonly turns: readonly NewTurn[];
}

export interface Demo {
  readonly thread: DemoThread;
  /** Ready-made vectors, one a turn; undefined when they are of another embedder than `stamp`. */
  vectorsFor(stamp: EmbedderStamp): Promise<((turn: number) => Float32Array | undefined) | undefined>;
}

/** Fetches the demo thread from the site itself. Rejects with `model-missing` when the site lacks it. */
export async function fetchDemo(signal?: AbortSignal): Promise<Demo> {
  const thread = (await (await get('demo/thread.json', signal)).json()) as DemoThread;
  return {
    thread,
    async vectorsFor(stamp) {
      if (stampKey(stamp) !== stampKey(thread.stamp)) return undefined;
      const bytes = await (await get('demo/vectors.f32', signal)).arrayBuffer();
      const { dimension } = thread.stamp;
      if (bytes.byteLength !== thread.turns.length * dimension * 4) return undefined;
      const rows = new Float32Array(bytes);
      return (turn) =>
        turn < thread.turns.length ? rows.slice(turn * dimension, (turn + 1) * dimension) : undefined;
    },
  };
}

async function get(path: string, signal?: AbortSignal): Promise<Response> {
  const response = await fetch(new URL(path, siteBase()), { signal }).catch((cause: unknown) => {
    if (signal?.aborted) throw new SkeinError('aborted', 'The work was stopped.');
    throw new SkeinError('offline', `The file ${path} could not be fetched.`, 'Check the connection.', {
      cause,
    });
  });
  if (response.ok) return response;
  throw new SkeinError('model-missing', `The site has no ${path} (${response.status}).`, 'Reload the page.');
}
