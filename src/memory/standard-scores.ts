/**
 * Standard scores (mean 0, deviation 1) among the values that `eligible` marks; 0 for the others, and for all where
 * nothing differs.
 */
export function standardScores(values: Float64Array, eligible: Uint8Array): Float64Array {
  const { count, mean, deviation } = momentsOf(values, eligible);
  const out = new Float64Array(values.length);
  if (count === 0 || !(deviation > 0)) return out;
  for (let i = 0; i < out.length; i++) if (eligible[i] !== 0) out[i] = (values[i]! - mean) / deviation;
  return out;
}

/**
 * Weighs signals against one another: each becomes standard scores, times its weight, and the whole is scaled so that
 * the sum over signals has deviation `weight`. What is returned is each signal's share of that sum.
 */
export function blend<Name extends string>(
  signals: Readonly<Record<Name, Float64Array>>,
  weights: Readonly<Record<NoInfer<Name>, number>>,
  eligible: Uint8Array,
  weight: number,
): Record<Name, Float64Array> {
  const names = Object.keys(signals) as Name[];
  const shares = names.map((name) => standardScores(signals[name], eligible));
  const sum = new Float64Array(eligible.length);
  shares.forEach((share, s) => {
    scale(share, weights[names[s]!]);
    for (let i = 0; i < sum.length; i++) sum[i]! += share[i]!;
  });
  const { deviation } = momentsOf(sum, eligible);
  for (const share of shares) scale(share, deviation > 0 ? weight / deviation : 0);
  return Object.fromEntries(names.map((name, s) => [name, shares[s]!])) as Record<Name, Float64Array>;
}

function scale(values: Float64Array, factor: number): void {
  for (let i = 0; i < values.length; i++) values[i]! *= factor;
}

function momentsOf(values: Float64Array, eligible: Uint8Array) {
  let count = 0;
  let sum = 0;
  for (let i = 0; i < values.length; i++) {
    if (eligible[i] === 0) continue;
    count++;
    sum += values[i]!;
  }
  const mean = sum / count;
  let squares = 0;
  for (let i = 0; i < values.length; i++) if (eligible[i] !== 0) squares += (values[i]! - mean) ** 2;
  return { count, mean, deviation: Math.sqrt(squares / count) };
}
