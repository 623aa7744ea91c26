import type { ContextPart } from '../systems/system.ts';
import type { Version } from './corpus.ts';
import { type Held, heldIn, inOrder } from './held.ts';
import type { Reference } from './reference.ts';
import { whereNamed } from './value.ts';

/** What a context is worth for a probe, without any language model. */
export interface ContextScore {
  /** 1: the context holds every wanted version (of an evolution, in order); 0: it does not. */
  readonly score: 0 | 1;
  /** `right`; `other`: of the matter it holds only versions that are not asked for; `partial`: some of several wanted
   * versions, or all of them out of order; `absent`: nothing of the matter. */
  readonly outcome: 'right' | 'other' | 'partial' | 'absent';
  /** How each wanted version is held. */
  readonly wanted: readonly Held['how'][];
  /** Versions that are not asked for stand there as well: an answerer has to tell them apart. */
  readonly mixed: boolean;
}

export function scoreContext(
  { matter, wanted, other }: Reference,
  context: readonly ContextPart[],
): ContextScore {
  const found = wanted.map((version) => heldIn(context, matter, version));
  const others = other.some((version) => heldIn(context, matter, version).how !== 'not');
  const all = found.every(({ how }) => how !== 'not');
  const some = found.some(({ how }) => how !== 'not');
  const right = all && inOrder(found);
  const outcome = right ? 'right' : some ? 'partial' : others ? 'other' : 'absent';
  return { score: right ? 1 : 0, outcome, wanted: found.map(({ how }) => how), mixed: others };
}

/** What an answer is worth for a probe whose reference can be checked. */
export interface AnswerScore {
  readonly score: number;
  /** `superseded`: it repeats a version that is not asked for; `future`: it names one that is not yet known. */
  readonly outcome: 'right' | 'superseded' | 'future' | 'partial' | 'wrong' | 'missing' | 'judged';
}

/**
 * Checks an answer by the values it names. Right: it names the wanted value before any other version's (of an
 * evolution: every wanted value, in order). Naming a value that is not known yet is wrong in any case.
 */
export function scoreAnswer(
  { wanted, other }: Reference,
  future: readonly Version[],
  answer: string | undefined,
): AnswerScore {
  if (answer === undefined || answer.trim() === '') return { score: 0, outcome: 'missing' };
  if (future.some((version) => whereNamed(answer, version) >= 0)) return { score: 0, outcome: 'future' };
  const places = wanted.map((version) => whereNamed(answer, version));
  const superseded = other.map((version) => whereNamed(answer, version)).filter((at) => at >= 0);
  if (wanted.length > 1) return scoreOrder(answer, wanted, places);
  const place = places[0]!;
  if (place < 0) return { score: 0, outcome: superseded.length > 0 ? 'superseded' : 'wrong' };
  return superseded.some((at) => at < place)
    ? { score: 0, outcome: 'superseded' }
    : { score: 1, outcome: 'right' };
}

function scoreOrder(answer: string, wanted: readonly Version[], places: readonly number[]): AnswerScore {
  let last = -1;
  for (const version of wanted) {
    last = whereNamed(answer, version, last + 1);
    if (last < 0) return { score: 0, outcome: places.some((at) => at >= 0) ? 'partial' : 'wrong' };
  }
  return { score: 1, outcome: 'right' };
}
