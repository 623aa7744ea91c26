import type { PoolProblem, ProblemKind } from './pool.ts';

/** Gathers what is left out of a pool. */
export class ProblemList {
  readonly problems: PoolProblem[] = [];

  add(kind: ProblemKind, place: string, message: string): void {
    this.problems.push({ kind, place, message });
  }
}
