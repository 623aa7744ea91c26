import type { EmbeddedResource } from 'voy-search';
import { seededRandom } from '../../core/random.ts';

/** voy splits its tree on one axis after the other: with so many, it never comes to an axis that is empty. */
const MIN_AXES = 64;

/** Far below the difference of two scores that matter, far above what float32 can tell apart near 1. */
const JITTER = 1e-6;

/**
 * A vector as voy's tree holds it: on every axis shifted a little, by an amount that depends on `point` only.
 *
 * voy panics when more than 32 vectors have the same value on the axis it splits on: vectors with zeros in common,
 * quantised ones. No two points agree on an axis this way. Removing a point needs the same numbers again.
 */
export function treePoint(point: number, vector: Float32Array): EmbeddedResource {
  const random = seededRandom(point);
  const axes = Math.max(vector.length, MIN_AXES);
  const embeddings = Array.from({ length: axes }, (_, axis) =>
    Math.fround((vector[axis] ?? 0) + JITTER * (2 * random() - 1)),
  );
  return { id: String(point), title: '', url: '', embeddings };
}
