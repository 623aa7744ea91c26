import { SkeinError } from '../core/errors.ts';
import type { Embedder } from '../embed/embedder.ts';

/** Token vectors kept at most, in bytes; the texts asked for longest ago go first. */
const KEPT_BYTES = 256 * 2 ** 20;

/**
 * Late interaction (as in ColBERT) with the loaded sentence encoder: how well a text answers a question is the
 * mean, over the question's tokens, of the best cosine with any token of the text.
 */
export class LateInteraction {
  private readonly kept = new Map<string, Float32Array>();
  private bytes = 0;

  /** Throws `bad-argument` when the embedder gives no token vectors. */
  constructor(private readonly embedder: Embedder) {
    if (embedder.embedTokens) return;
    throw new SkeinError('bad-argument', `${embedder.stamp.model} gives no token vectors to rerank with.`);
  }

  /** One score a text, at most 1. */
  async score(question: string, texts: readonly string[], signal?: AbortSignal): Promise<number[]> {
    const [query] = await this.embedder.embedTokens!([question], { kind: 'query', signal });
    const rows = await this.tokensOf(texts, signal);
    return rows.map((text) => meanOfBest(query!, text, this.embedder.stamp.dimension));
  }

  private async tokensOf(texts: readonly string[], signal?: AbortSignal): Promise<Float32Array[]> {
    const missing = [...new Set(texts)].filter((text) => !this.kept.has(text));
    const made = await this.embedder.embedTokens!(missing, { kind: 'passage', signal });
    const fresh = new Map(missing.map((text, i) => [text, made[i]!]));
    const rows = texts.map((text) => fresh.get(text) ?? this.kept.get(text)!);
    for (const [i, text] of texts.entries()) this.keep(text, rows[i]!);
    return rows;
  }

  private keep(text: string, rows: Float32Array): void {
    if (this.kept.delete(text)) this.bytes -= rows.byteLength;
    this.kept.set(text, rows);
    this.bytes += rows.byteLength;
    for (const [oldest, { byteLength }] of this.kept) {
      if (this.bytes <= KEPT_BYTES) break;
      this.kept.delete(oldest);
      this.bytes -= byteLength;
    }
  }
}

/**
 * The mean, over the rows of `query`, of the best product with a row of `text`. Four rows of the text are taken at a
 * time: each product is summed in the same order as alone, but the processor can work at the four together.
 */
function meanOfBest(query: Float32Array, text: Float32Array, dimension: number): number {
  const inFours = text.length - (text.length % (4 * dimension));
  let sum = 0;
  for (let q = 0; q < query.length; q += dimension) {
    let best = -1;
    for (let t = 0; t < inFours; t += 4 * dimension) {
      best = Math.max(best, bestOfFour(query, q, text, t, dimension));
    }
    for (let t = inFours; t < text.length; t += dimension) {
      let product = 0;
      for (let i = 0; i < dimension; i++) product += query[q + i]! * text[t + i]!;
      if (product > best) best = product;
    }
    sum += best;
  }
  return query.length === 0 ? 0 : (sum * dimension) / query.length;
}

function bestOfFour(
  a: Float32Array,
  from: number,
  b: Float32Array,
  first: number,
  dimension: number,
): number {
  const [second, third, fourth] = [first + dimension, first + 2 * dimension, first + 3 * dimension];
  let one = 0;
  let two = 0;
  let three = 0;
  let four = 0;
  for (let i = 0; i < dimension; i++) {
    const value = a[from + i]!;
    one += value * b[first + i]!;
    two += value * b[second + i]!;
    three += value * b[third + i]!;
    four += value * b[fourth + i]!;
  }
  return Math.max(one, two, three, four);
}
