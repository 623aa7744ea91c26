import { SkeinError } from '../core/errors.ts';
import { estimateTokens } from '../core/tokens.ts';
import type { NewTurn } from '../core/turn.ts';
import type { BenchCase, Dialogue } from './pool.ts';

/** Share of the target that truth may fill in a batch (SCALE-QA, appendix B). */
export const TRUTH_CAP = 0.82;

/** One thread's worth of cases. */
export interface PackedBatch {
  readonly name: string;
  readonly cases: readonly BenchCase[];
}

export interface Packing {
  /** `given`: the package came in batches. */
  readonly regime: 'full-corpus' | 'length-batched' | 'given';
  /** Cases within a batch are in the pool's order. */
  readonly batches: readonly PackedBatch[];
}

export function tokensOf(turns: readonly NewTurn[]): number {
  return turns.reduce((sum, { text }) => sum + estimateTokens(text), 0);
}

export function caseTokens({ dialogues }: BenchCase): number {
  return dialogues.reduce((sum, { turns }) => sum + tokensOf(turns), 0);
}

/**
 * Divides cases into threads: all in one when their truth fits `target` tokens, and else by best fit under the
 * truth cap, largest case first and equal ones by name. A case larger than the cap has a batch to itself.
 */
export function packCases(cases: readonly BenchCase[], target: number | undefined): Packing {
  if (cases.some(({ batch }) => batch !== undefined)) return givenBatches(cases);
  const total = cases.reduce((sum, one) => sum + caseTokens(one), 0);
  if (target === undefined || total <= target) {
    return { regime: 'full-corpus', batches: [{ name: 'all', cases }] };
  }
  const order = new Map(cases.map((one, i) => [one, i]));
  const capacity = TRUTH_CAP * target;
  const bins: { free: number; cases: BenchCase[] }[] = [];
  const bySize = cases
    .map((one) => ({ one, tokens: caseTokens(one) }))
    .sort((a, b) => b.tokens - a.tokens || (a.one.id < b.one.id ? -1 : 1));
  for (const { one, tokens } of bySize) {
    let best: (typeof bins)[number] | undefined;
    for (const bin of bins) if (bin.free >= tokens && (!best || bin.free < best.free)) best = bin;
    if (!best) {
      best = { free: capacity, cases: [] };
      bins.push(best);
    }
    best.free -= tokens;
    best.cases.push(one);
  }
  const digits = String(bins.length).length;
  const batches = bins.map((bin, i) => ({
    name: `batch-${String(i + 1).padStart(digits, '0')}`,
    cases: bin.cases.sort((a, b) => order.get(a)! - order.get(b)!),
  }));
  return { regime: 'length-batched', batches };
}

function givenBatches(cases: readonly BenchCase[]): Packing {
  const names = [...new Set(cases.map(({ batch }) => batch ?? 'rest'))];
  const batches = names.map((name) => ({
    name,
    cases: cases.filter(({ batch = 'rest' }) => batch === name),
  }));
  return { regime: 'given', batches };
}

/** The distractors, in order, that fit beside `used` tokens of truth. */
export function fillWithNoise(
  noise: readonly Dialogue[],
  used: number,
  target: number | undefined,
): readonly Dialogue[] {
  if (target === undefined) return noise;
  let tokens = used;
  return noise.filter(({ turns }) => {
    const more = tokensOf(turns);
    if (tokens + more > target) return false;
    tokens += more;
    return true;
  });
}

/** Tokens of a length such as "128k", "1M" or "20000". Throws `bad-argument`. */
export function parseLength(text: string): number {
  const [, number, unit = ''] = /^(\d+(?:\.\d+)?)\s*([km]?)$/i.exec(text.trim()) ?? [];
  const tokens = Number(number) * { '': 1, k: 1000, m: 1_000_000 }[unit.toLowerCase() as '' | 'k' | 'm'];
  if (tokens > 0) return tokens;
  throw new SkeinError('bad-argument', `"${text}" is no length.`, 'Write tokens, such as 128k or 1M.');
}
