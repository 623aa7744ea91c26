import { seededRandom, shuffled } from '../core/random.ts';
import { groupBy } from './group-by.ts';

/** Which of a pool's or package's questions are taken. */
export interface Selection {
  /** At most so many; left out, all. */
  readonly count?: number;
  /** Only these topics (of worlds: kinds). */
  readonly topics?: readonly string[];
  readonly seed: number;
}

/** What strata are made of: questions have a topic, those of worlds a kind. */
export interface Stratified {
  readonly id: string;
  readonly topic?: string;
  readonly kind?: string;
}

/** The stratum of a question, and what `Selection.topics` names. */
export function stratumOf({ topic, kind }: Stratified): string {
  return topic ?? kind ?? '';
}

/**
 * Ids of the questions that `selection` takes: as evenly as can be from every stratum, chosen by the seed, whatever
 * the order the questions came in.
 */
export function selectIds(questions: readonly Stratified[], selection: Selection): Set<string> {
  const { count, topics, seed } = selection;
  const wanted = questions.filter((question) => !topics || topics.includes(stratumOf(question)));
  if (count === undefined || count >= wanted.length) return new Set(wanted.map(({ id }) => id));
  const random = seededRandom(seed);
  const strata = [...groupBy(wanted, stratumOf)]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, members]) => shuffled(members.map(({ id }) => id).sort(), random));
  const taken = new Set<string>();
  for (let round = 0; taken.size < count; round++) {
    const next = shuffled(strata, random).flatMap((ids) => ids.slice(round, round + 1));
    for (const id of next.slice(0, count - taken.size)) taken.add(id);
  }
  return taken;
}
