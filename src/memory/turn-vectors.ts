import type { Turn } from '../core/turn.ts';
import type { Embedder } from '../embed/embedder.ts';
import type { ThreadStore } from '../store/thread-store.ts';

export interface TurnVectorOptions {
  readonly signal?: AbortSignal;
  /** Called with the number of turns that have their vector. */
  readonly onProgress?: (done: number) => void;
  /** A ready-made vector of a turn, in place of embedding it; undefined: embed it. */
  readonly vectorOf?: (turn: number) => Float32Array | undefined;
}

/**
 * One vector a turn: given, stored before for the same text under the embedder's stamp, or embedded now.
 * Erased turns have none.
 */
export async function vectorsOfTurns(
  turns: readonly Turn[],
  store: ThreadStore,
  embedder: Embedder,
  { vectorOf, signal, onProgress }: TurnVectorOptions,
): Promise<(Float32Array | undefined)[]> {
  const given = turns.map((turn) => vectorOf?.(turn.index));
  const unknown = turns.filter((turn, i) => !given[i] && !turn.erased);
  const texts = [...new Set(unknown.map((turn) => turn.text))];
  const found = await store.findVectors(texts, embedder.stamp);
  const missing = texts.filter((_, i) => !found[i]);
  const embedded = await embedder.embed(missing, {
    kind: 'passage',
    signal,
    onProgress: (done) => onProgress?.(turns.length - missing.length + done),
  });
  const byText = new Map<string, Float32Array>();
  for (const [i, text] of texts.entries()) if (found[i]) byText.set(text, found[i]);
  for (const [i, text] of missing.entries()) byText.set(text, embedded[i]!);
  return turns.map((turn, i) => given[i] ?? (turn.erased ? undefined : byText.get(turn.text)));
}
