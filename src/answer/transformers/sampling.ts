import { SkeinError } from '../../core/errors.ts';

/** The likeliest token at temperature 0, otherwise one drawn from the softmax at that temperature. */
export function pickToken(logits: Float32Array, temperature: number, random: () => number): number {
  const best = likeliest(logits);
  if (temperature <= 0) return best;
  const highest = logits[best]!;
  const weights = Float64Array.from(logits, (logit) => Math.exp((logit - highest) / temperature));
  let left = random() * weights.reduce((sum, weight) => sum + weight, 0);
  for (const [token, weight] of weights.entries()) {
    left -= weight;
    if (left < 0) return token;
  }
  return best;
}

/** Natural logarithms of the probabilities of `tokens`, in their order. */
export function logProbabilities(logits: Float32Array, tokens: readonly number[]): number[] {
  const highest = logits[likeliest(logits)]!;
  const log = Math.log(logits.reduce((sum, logit) => sum + Math.exp(logit - highest), 0));
  return tokens.map((token) => logits[token]! - highest - log);
}

function likeliest(logits: Float32Array): number {
  let best = -1;
  for (let token = 0; token < logits.length; token++) {
    if (best < 0 ? !Number.isNaN(logits[token]) : logits[token]! > logits[best]!) best = token;
  }
  if (best >= 0) return best;
  throw new SkeinError('model-broken', 'The model computes no numbers.', 'Delete it and load it again.');
}
