/**
 * Standard scores (mean 0, deviation 1) among the values that `eligible` marks; 0 for the others, and for all where
 * nothing differs.
 */
export function standardScores(values: Float64Array, eligible: Uint8Array): Float64Array {
  const out = new Float64Array(values.length);
  addScaled(out, values, eligible, standardising(values, eligible, 1));
  return out;
}

/** Signals weighed against one another (see `blend`). */
export interface Blend<Name extends string> {
  /** The sum of all signals' shares. */
  readonly total: Float64Array;
  /** What a signal adds to the total at position `i`. */
  share(name: Name, i: number): number;
}

/**
 * Weighs signals against one another: each becomes standard scores, times its weight, and the whole is scaled so that
 * the sum over signals has deviation `weight`. `total`: room for the sum.
 */
export function blend<Name extends string>(
  signals: Readonly<Record<Name, Float64Array>>,
  weights: Readonly<Record<NoInfer<Name>, number>>,
  eligible: Uint8Array,
  weight: number,
  total: Float64Array = new Float64Array(eligible.length),
): Blend<Name> {
  total.fill(0);
  const scaling = {} as Record<Name, Scaling>;
  for (const name of Object.keys(signals) as Name[]) {
    scaling[name] = standardising(signals[name], eligible, weights[name]);
    addScaled(total, signals[name], eligible, scaling[name]);
  }
  const { deviation } = momentsOf(total, eligible);
  const factor = deviation > 0 ? weight / deviation : 0;
  for (let i = 0; i < total.length; i++) total[i]! *= factor;
  const share = (name: Name, i: number) => {
    const { mean, scale } = scaling[name];
    return eligible[i] === 0 ? 0 : factor * scale * (signals[name][i]! - mean);
  };
  return { total, share };
}

/** From a value to its weighted standard score: `scale * (value - mean)`. */
interface Scaling {
  readonly mean: number;
  readonly scale: number;
}

function standardising(values: Float64Array, eligible: Uint8Array, weight: number): Scaling {
  const { mean, deviation } = momentsOf(values, eligible);
  return { mean, scale: deviation > 0 ? weight / deviation : 0 };
}

function addScaled(
  out: Float64Array,
  values: Float64Array,
  eligible: Uint8Array,
  { mean, scale }: Scaling,
): void {
  if (scale === 0) return;
  for (let i = 0; i < out.length; i++) if (eligible[i] !== 0) out[i]! += scale * (values[i]! - mean);
}

/** Mean and deviation of the values that `eligible` marks; NaN without any. */
function momentsOf(values: Float64Array, eligible: Uint8Array): { mean: number; deviation: number } {
  // In one pass, by what the values differ from one of them: exactly nothing where all are the same.
  const origin = values[eligible.indexOf(1)]!;
  let count = 0;
  let sum = 0;
  let squares = 0;
  for (let i = 0; i < values.length; i++) {
    if (eligible[i] === 0) continue;
    const difference = values[i]! - origin;
    count++;
    sum += difference;
    squares += difference * difference;
  }
  const mean = sum / count;
  return { mean: origin + mean, deviation: Math.sqrt(squares / count - mean * mean) };
}
