/** One input of the model with its place among all inputs of a call. */
export interface Unit {
  /** Index of the text it belongs to. */
  readonly text: number;
  /** Index among the parts of that text. */
  readonly part: number;
  readonly ids: readonly number[];
}

/** Units that are run together, all padded to `columns` tokens. */
export interface Batch {
  readonly columns: number;
  readonly units: readonly Unit[];
}

export interface BatchRules {
  /** Lengths are padded up to a multiple of this; 1 means that only equal lengths share a batch. */
  readonly lengthStep: number;
  /** Most padded tokens in a batch (a single unit may pass it). */
  readonly tokenBudget: number;
  /** Most units in a batch. */
  readonly maxUnits: number;
  /** Most tokens of one unit: padding never passes it. */
  readonly window: number;
}

/**
 * Sorts units by length and groups those that are padded to the same length. How far a unit is padded
 * depends on its own length alone, so that a text's vector does not depend on its neighbours. With a step of 1
 * nothing is padded; on CPU and WASM the same bits then come out alone and in any batch (measured, and tested).
 */
export function planBatches(units: readonly Unit[], rules: BatchRules): Batch[] {
  const byColumns = new Map<number, Unit[]>();
  for (const unit of units) {
    const columns = paddedLength(unit.ids.length, rules);
    const group = byColumns.get(columns);
    if (group) group.push(unit);
    else byColumns.set(columns, [unit]);
  }
  const batches: Batch[] = [];
  for (const columns of [...byColumns.keys()].sort((a, b) => a - b)) {
    const group = byColumns.get(columns)!;
    const size = Math.max(1, Math.min(rules.maxUnits, Math.floor(rules.tokenBudget / columns)));
    for (let from = 0; from < group.length; from += size) {
      batches.push({ columns, units: group.slice(from, from + size) });
    }
  }
  return batches;
}

function paddedLength(length: number, { lengthStep, window }: BatchRules): number {
  return Math.max(length, Math.min(window, Math.ceil(length / lengthStep) * lengthStep));
}
