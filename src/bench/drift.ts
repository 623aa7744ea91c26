import { centroid, dot } from '../core/vectors.ts';
import type { Embedder } from '../embed/embedder.ts';
import type { Batch } from './builder.ts';
import { mean } from './statistics.ts';

/** How like a turn is to the turns before it, inside a dialogue and where one begins. */
export interface Drift {
  readonly inside: number;
  readonly atBoundary: number;
}

/** Turns that the centroid is taken over, as in TSIM. */
const RECENT = 4;

/**
 * Mean cosine of a turn and the centroid of the (at most four) turns before it: what a threshold on semantic drift
 * has to tell apart with this embedder. Inside a dialogue only its own turns count as before.
 */
export async function driftOf({ turns, boundaries }: Batch, embedder: Embedder): Promise<Drift> {
  const vectors = await embedder.embed(
    turns.map(({ text }) => text),
    { kind: 'passage' },
  );
  const starts = new Set(boundaries);
  const inside: number[] = [];
  const atBoundary: number[] = [];
  let dialogue = 0;
  for (let turn = 1; turn < turns.length; turn++) {
    const opens = starts.has(turn);
    const before = vectors.slice(Math.max(dialogue, turn - RECENT), turn);
    const cosine = dot(vectors[turn]!, centroid(before, embedder.stamp.dimension));
    (opens ? atBoundary : inside).push(cosine);
    if (opens) dialogue = turn;
  }
  return { inside: mean(inside), atBoundary: mean(atBoundary) };
}
