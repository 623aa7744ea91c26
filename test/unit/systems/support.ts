import type { NewTurn } from '../../../src/core/turn.ts';
import { normalise } from '../../../src/core/vectors.ts';
import type { Embedder, EmbedOptions } from '../../../src/embed/embedder.ts';
import type { ContextPart, Retrieval } from '../../../src/systems/system.ts';

/** Words that the toy embedder knows, a dimension each; what holds none of them lies along a dimension of its own. */
const VOCABULARY = ['apple', 'boat', 'cat', 'drum', 'egg', 'fox', 'goat'];
export const TOY_DIMENSION = VOCABULARY.length + 1;

/** Embeds by counting the words it knows, so that every cosine can be reckoned by hand. */
export class ToyEmbedder implements Embedder {
  readonly stamp = { model: 'toy', dtype: 'fp32', dimension: TOY_DIMENSION };
  /** Every text that `embed` was given. */
  readonly asked: string[] = [];
  /** Called before each `embed`. */
  onEmbed: () => void = () => {};

  async embed(texts: readonly string[], { signal }: EmbedOptions): Promise<Float32Array[]> {
    this.onEmbed();
    await Promise.resolve();
    signal?.throwIfAborted();
    this.asked.push(...texts);
    return texts.map(toyVector);
  }

  async embedTokens(texts: readonly string[]): Promise<Float32Array[]> {
    return texts.map((text) => {
      const tokens = text.toLowerCase().match(/\w+/g) ?? [];
      const rows = new Float32Array(tokens.length * TOY_DIMENSION);
      for (const [i, token] of tokens.entries()) rows.set(toyVector(token), i * TOY_DIMENSION);
      return rows;
    });
  }
}

export function toyVector(text: string): Float32Array {
  const counts = new Float32Array(TOY_DIMENSION);
  for (const word of text.toLowerCase().match(/\w+/g) ?? []) {
    const at = VOCABULARY.indexOf(word);
    if (at >= 0) counts[at]!++;
  }
  if (counts.every((count) => count === 0)) counts[TOY_DIMENSION - 1] = 1;
  return normalise(counts);
}

/** Turns that alternate, the user first. */
export function alternating(...texts: string[]): NewTurn[] {
  return texts.map((text, i) => ({ role: i % 2 === 0 ? 'user' : 'model', text }));
}

/** `count` words that no embedder or index tells from others. */
export function filler(count: number): string {
  return Array.from({ length: count }, () => 'so').join(' ');
}

export function rangesOf({ units }: Retrieval): (readonly (readonly [number, number])[])[] {
  return units.map(({ ranges }) => ranges);
}

export function turns(start: number, end: number): ContextPart {
  return { kind: 'turns', start, end };
}
