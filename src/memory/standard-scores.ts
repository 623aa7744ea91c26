/**
 * Standard scores (mean 0, deviation 1) among the values that `eligible` marks; 0 for the others, and for all where
 * nothing differs.
 */
export function standardScores(values: Float64Array, eligible: Uint8Array): Float64Array {
  const out = new Float64Array(values.length);
  addScaled(out, signalOf(values, eligible), eligible, 1);
  return out;
}

/** Numbers of which only those that `eligible` marked count, with their mean and deviation; NaN without any. */
export interface Signal {
  readonly values: Float64Array;
  readonly mean: number;
  readonly deviation: number;
}

export function signalOf(values: Float64Array, eligible: Uint8Array): Signal {
  return { values, ...momentsOf(values, eligible) };
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
  signals: Readonly<Record<Name, Signal>>,
  weights: Readonly<Record<NoInfer<Name>, number>>,
  eligible: Uint8Array,
  weight: number,
  total: Float64Array = new Float64Array(eligible.length),
): Blend<Name> {
  total.fill(0);
  for (const name of Object.keys(signals) as Name[]) {
    addScaled(total, signals[name], eligible, weights[name]);
  }
  const { deviation } = momentsOf(total, eligible);
  const factor = deviation > 0 ? weight / deviation : 0;
  for (let i = 0; i < total.length; i++) total[i]! *= factor;
  const share = (name: Name, i: number) => {
    const { values, mean } = signals[name];
    return eligible[i] === 0 ? 0 : factor * scaleOf(signals[name], weights[name]) * (values[i]! - mean);
  };
  return { total, share };
}

/** What a difference from the mean is worth. */
function scaleOf({ deviation }: Signal, weight: number): number {
  return deviation > 0 ? weight / deviation : 0;
}

/** Adds the weighted standard scores. */
function addScaled(out: Float64Array, signal: Signal, eligible: Uint8Array, weight: number): void {
  const { values, mean } = signal;
  const scale = scaleOf(signal, weight);
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
