import type { SystemDescription } from '../systems/system.ts';
import type { Batch, BenchPackage, PlacedQuestion } from './builder.ts';
import type { QueryMode } from './exchange.ts';
import type { Shard } from './result.ts';
import { type Selection, selectIds } from './select.ts';

/** One thing to ask. */
export interface Asking {
  readonly question: PlacedQuestion;
  readonly mode: QueryMode;
}

/** The questions that one memory of one system is asked, in order, from its making to its reset. */
export interface Trajectory {
  readonly system: SystemDescription;
  readonly batch: Batch;
  readonly askings: readonly Asking[];
}

export interface Plan {
  readonly systems: readonly SystemDescription[];
  readonly modes: readonly QueryMode[];
  readonly writeBack: boolean;
  readonly ask?: Selection;
  readonly shard?: Shard;
}

/**
 * What a run does, in order. With write-back each mode has a memory of its own, since what one mode wrote back
 * would answer the other; a shard then takes whole trajectories. Without, a memory serves both modes, and a shard
 * takes every n-th question of every system.
 */
export function planTrajectories(pkg: BenchPackage, plan: Plan): Trajectory[] {
  const { systems, modes, writeBack, shard } = plan;
  const taken = takenIds(pkg, plan.ask);
  const mine = (ordinal: number) => !shard || ordinal % shard.of === shard.index - 1;
  const trajectories: Trajectory[] = [];
  let whole = 0;
  for (const system of systems) {
    let ordinal = 0;
    for (const batch of pkg.batches) {
      const questions = batch.questions.filter(({ id }) => taken.has(id));
      if (writeBack) {
        for (const mode of modes) {
          if (mine(whole++))
            trajectories.push({ system, batch, askings: questions.map((question) => ({ question, mode })) });
        }
      } else {
        const own = questions.filter(() => mine(ordinal++));
        trajectories.push({
          system,
          batch,
          askings: own.flatMap((question) => modes.map((mode) => ({ question, mode }))),
        });
      }
    }
  }
  return trajectories
    .map((one) => ({ ...one, askings: one.askings.filter(canAsk) }))
    .filter(({ askings }) => askings.length > 0);
}

/** The questions of a package that a run asks, in order. */
export function takenIds(pkg: BenchPackage, ask: Selection | undefined): Set<string> {
  const all = pkg.batches.flatMap(({ questions }) => questions);
  return ask ? selectIds(all, ask) : new Set(all.map(({ id }) => id));
}

/** A question without options can only be asked alone. */
function canAsk({ question, mode }: Asking): boolean {
  return mode === 'query' || question.options !== undefined;
}
