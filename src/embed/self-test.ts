import { SkeinError } from '../core/errors.ts';
import { dot } from '../core/vectors.ts';
import type { EmbeddingModel, Weights } from './registry.ts';
import { type Encoder, TransformersEmbedder } from './transformers/transformers-embedder.ts';

/** Least cosine of a vector and its reference. The shipped int8 weights reach 0.9994 against float32. */
export const LEAST_COSINE = 0.999;
/** Least cosine between runs of weights whose activations are scaled by batch, which padding disturbs. */
export const LEAST_COSINE_SCALED = 0.97;
/** Word pieces above which a fused attention has been seen to go wrong on WebGPU. */
const LONG = 60;
/** What the texts of this file are padded to, in tokens: more than any of them has. */
const PADDED_TO = 128;

export interface Reference {
  readonly text: string;
  readonly wordPieces: number;
  readonly vector: readonly number[];
}

/** Texts for models without stored vectors: a question, its answer of over 60 word pieces, something else. */
const QUESTION = 'Where is the spare key?';
const UNRELATED = 'The invoice is due on Monday.';
const ANSWER = `The spare key is under the blue flowerpot by the back door, where it has been since the summer in which we
lost the old one at the lake and had to wait for two hours in the rain until the neighbour came home with the copy that
she had kept for us; please put it back there after you have used it, because the cleaner needs it every Thursday.`;

/**
 * Compares a loaded model with stored vectors: a short text alone, then the same in one batch with a text of
 * more than 60 word pieces, to whose length it is padded. Returns the least cosine; rejects with `self-test-failed`.
 */
export async function testAgainstReferences(
  model: EmbeddingModel,
  weights: Weights,
  encoder: Encoder,
  references: readonly Reference[],
): Promise<number> {
  const short = references.find((r) => r.wordPieces >= 8 && r.wordPieces <= 20);
  const long = references.find((r) => r.wordPieces > LONG && r.wordPieces <= model.window);
  if (!short || !long) throw failed(model, 'its stored vectors lack a short and a long text');
  const embed = (texts: readonly string[], columns: number) =>
    embedder(model, weights, encoder, columns).embed(texts, { kind: 'passage' });
  const [alone] = await embed([short.text], 1);
  const [padded, whole] = await embed([short.text, long.text], long.wordPieces);
  const stored = Float32Array.from(short.vector);
  return leastOf(
    model,
    LEAST_COSINE,
    [alone!, padded!, whole!],
    [stored, stored, Float32Array.from(long.vector)],
  );
}

/**
 * For a model without stored vectors: each text alone must agree with itself in a padded batch and, where
 * `other` (the same weights on another backend) is given, with that; and a question must be nearer to its
 * answer than to something else. Returns the least cosine of equals; rejects with `self-test-failed`.
 */
export async function testAgainstItself(
  model: EmbeddingModel,
  weights: Weights,
  encoder: Encoder,
  other?: Encoder,
): Promise<number> {
  const texts = [QUESTION, ANSWER, UNRELATED];
  const vectors = await embedBothWays(model, weights, encoder, texts);
  const [question, answer, unrelated] = vectors as [Float32Array, Float32Array, Float32Array];
  if (!(dot(question, answer) > dot(question, unrelated))) throw failed(model, 'its vectors make no sense');
  const alone = vectors.slice(0, texts.length);
  const threshold = weights.scaledByBatch ? LEAST_COSINE_SCALED : LEAST_COSINE;
  const least = leastOf(model, threshold, vectors.slice(texts.length), alone);
  if (!other) return least;
  const others = (await embedBothWays(model, weights, other, texts)).slice(0, texts.length);
  return Math.min(least, leastOf(model, threshold, alone, others));
}

/** Vectors of the texts each run alone, then of the texts in one padded batch. */
async function embedBothWays(
  model: EmbeddingModel,
  weights: Weights,
  encoder: Encoder,
  texts: readonly string[],
): Promise<Float32Array[]> {
  const options = { kind: 'passage' } as const;
  const alone: Float32Array[] = [];
  for (const text of texts)
    alone.push(...(await embedder(model, weights, encoder, 1).embed([text], options)));
  return [...alone, ...(await embedder(model, weights, encoder, PADDED_TO).embed(texts, options))];
}

/** An embedder that runs all texts of a call in one batch, padded to a multiple of `lengthStep` tokens. */
function embedder(model: EmbeddingModel, { dtype }: Weights, encoder: Encoder, lengthStep: number) {
  const batching = { lengthStep, maxUnits: 64, tokenBudget: Number.POSITIVE_INFINITY };
  return new TransformersEmbedder(model, encoder, { dtype, longTexts: 'parts', batching });
}

function leastOf(
  model: EmbeddingModel,
  threshold: number,
  vectors: readonly Float32Array[],
  expected: readonly Float32Array[],
): number {
  const least = Math.min(...vectors.map((vector, i) => dot(vector, expected[i]!)));
  // Written so that NaN fails too.
  if (!(least >= threshold)) {
    throw failed(
      model,
      `a vector agrees to ${least.toFixed(4)} with the right one, at least ${threshold} is needed`,
    );
  }
  return least;
}

function failed(model: EmbeddingModel, why: string): SkeinError {
  return new SkeinError(
    'self-test-failed',
    `${model.title} computes wrong vectors here: ${why}.`,
    'Reload the page, update the browser, or choose another model.',
  );
}
