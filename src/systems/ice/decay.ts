import { ICE } from './constants.ts';
import type { Pair } from './pairs.ts';

/** What of ageing a clock leaves out. */
export interface DecayOptions {
  readonly reinforcement: boolean;
  readonly creativeFloor: boolean;
}

/** Decay scores and access counts as plain data. */
export interface DecaySnapshot {
  readonly scores: readonly number[];
  readonly accesses: readonly number[];
}

/** What a stretch of simulated time did. */
export interface Aged {
  readonly faded: number;
  /** Creative pairs that lost less than others do. */
  readonly held: number;
  readonly archived: number;
  readonly cold: number;
}

/** Ages pairs under a simulated clock; every new pair starts at 1. */
export class DecayClock {
  private scores: number[] = [];
  private accesses: number[] = [];

  constructor(private readonly options: DecayOptions) {}

  /** The decay score of a pair. */
  scoreOf(pair: number): number {
    return this.scores[pair] ?? 1;
  }

  accessesOf(pair: number): number {
    return this.accesses[pair] ?? 0;
  }

  /** Lets `days` pass: each day a pair loses a share that depends on whether it was ever accessed or is creative. */
  advance(pairs: readonly Pair[], days: number): Aged {
    const { unaccessed, accessed, creative, creativeFloor, archived, cold } = ICE.decay;
    const aged = { faded: 0, held: 0, archived: 0, cold: 0 };
    pairs.forEach((pair, i) => {
      const isCreative = pair.creative && this.options.creativeFloor;
      const share = isCreative ? creative : this.accessesOf(i) > 0 ? accessed : unaccessed;
      const before = this.scoreOf(i);
      let after = before * (1 - share) ** days;
      if (isCreative && after < creativeFloor) after = Math.min(before, creativeFloor);
      if (isCreative && after > before * (1 - unaccessed) ** days) aged.held++;
      this.scores[i] = after;
      if (after < before) aged.faded++;
      if (before >= archived && after < archived) aged.archived++;
      if (before >= cold && after < cold) aged.cold++;
    });
    return aged;
  }

  /** A retrieval used these pairs. */
  reinforce(pairs: Iterable<number>): void {
    if (!this.options.reinforcement) return;
    for (const pair of pairs) {
      this.accesses[pair] = this.accessesOf(pair) + 1;
      this.scores[pair] = Math.min(1, this.scoreOf(pair) + ICE.reinforcement);
    }
  }

  snapshot(): DecaySnapshot {
    return { scores: [...this.scores], accesses: [...this.accesses] };
  }

  restore({ scores, accesses }: DecaySnapshot): void {
    this.scores = [...scores];
    this.accesses = [...accesses];
  }
}
