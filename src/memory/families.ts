import { topK } from '../index/top-k.ts';
import type { RecalledRange } from '../store/records.ts';
import { bestFirst } from './best-first.ts';
import type { ExchangeScores } from './exchange-scores.ts';
import type { Exchanges } from './exchanges.ts';
import type { Stretch } from './long-exchange.ts';
import type { NearTies } from './near-ties.ts';
import type { TermTies } from './term-ties.ts';

/** How exchanges are packed into families. */
export interface FamilyPacking {
  /** Families at most. */
  readonly families: number;
  /** Tokens of all of them at most; packing ends within `slack` of it (a share). */
  readonly tokens: number;
  /** The most that one exchange takes of them (a share): of a longer one a part is recalled (long-exchange.ts). */
  readonly longest: number;
  readonly slack: number;
  /** An exchange that scores below this share of `ExchangeScores.best` is not recalled. */
  readonly floor: number;
  /** With n exchanges of an episode taken, what it lends counts 1 / (1 + this x n) for the others. */
  readonly repeated: number;
  /** A tie between near exchanges from which on they are one family. */
  readonly nearTie: number;
  /** A tie by words between episodes from which on their exchanges are one family. */
  readonly matterTie: number;
  /** Exchanges looked at, best first. */
  readonly candidates: number;
}

/** Exchanges that are recalled as one: of one conversation, or of several on the same matter. */
export interface Family {
  /** The exchange that fits best, with which the family began. */
  readonly lead: number;
  /** All of them, in the order they were taken. */
  readonly members: readonly number[];
}

/**
 * Packs the exchanges that fit best, best first, into families within a budget of tokens. Each joins the family it is
 * tied to most closely nearby, or else the one that is on the same matter, or else begins a family of its own while
 * there may be more. What fits no more is passed over for a shorter one.
 */
export function packFamilies(
  scores: Pick<ExchangeScores, 'total' | 'lent' | 'best'>,
  exchanges: Exchanges,
  near: NearTies,
  matters: TermTies,
  constants: FamilyPacking,
): Family[] {
  const { families: limit, tokens: budget, longest, slack, repeated } = constants;
  const families: { lead: number; members: number[] }[] = [];
  const taken = new Map<number, number>();
  const takenOf = (x: number) => taken.get(exchanges.episodes[x]!) ?? 0;
  // What an episode lends has been heard from the first of its exchanges.
  const worth = (x: number) =>
    scores.total[x]! - Math.max(0, scores.lent[x]!) * (1 - 1 / (1 + repeated * takenOf(x)));
  let used = 0;
  for (const x of bestFirst(bestExchanges(scores, exchanges.eligible, constants), worth)) {
    if (used > (1 - slack) * budget) break;
    const cost = Math.min(exchanges.tokens[x]!, longest * budget);
    if (used + cost > budget) continue;
    const family =
      closestNearby(x, families, near, constants.nearTie) ??
      sameMatter(x, families, exchanges, matters, constants.matterTie);
    if (family) family.members.push(x);
    else if (families.length < limit) families.push({ lead: x, members: [x] });
    else continue;
    used += cost;
    taken.set(exchanges.episodes[x]!, takenOf(x) + 1);
  }
  return families;
}

/** The best exchange and those that score high enough beside it, best first. */
function bestExchanges(
  { total: scores, best: reference }: Pick<ExchangeScores, 'total' | 'best'>,
  eligible: Uint8Array,
  { floor, candidates }: FamilyPacking,
): number[] {
  let best = -1;
  for (let x = 0; x < scores.length; x++) {
    if (eligible[x] === 1 && (best < 0 || scores[x]! > scores[best]!)) best = x;
  }
  const least = floor * reference;
  const kept: number[] = [];
  for (let x = 0; x < scores.length; x++) {
    if (eligible[x] === 1 && (x === best || !(scores[x]! < least))) kept.push(x);
  }
  const keptScores = kept.map((x) => scores[x]!);
  return topK(keptScores, kept.length, candidates).map((i) => kept[i]!);
}

function closestNearby<F extends Family>(
  x: number,
  families: readonly F[],
  near: NearTies,
  least: number,
): F | undefined {
  let best: F | undefined;
  let bestTie = 0;
  for (const family of families) {
    for (const member of family.members) {
      const tie = near.between(member, x);
      if (tie >= least && tie > bestTie) {
        bestTie = tie;
        best = family;
      }
    }
  }
  return best;
}

function sameMatter<F extends Family>(
  x: number,
  families: readonly F[],
  { episodes }: Exchanges,
  matters: TermTies,
  least: number,
): F | undefined {
  let best: F | undefined;
  let bestTie = least;
  for (const family of families) {
    for (const member of family.members) {
      // An episode whose words no other shares has no tie by words, not even to itself.
      const tie = episodes[member] === episodes[x] ? 1 : matters.between(episodes[member]!, episodes[x]!);
      if (tie > bestTie) {
        bestTie = tie;
        best = family;
      }
    }
  }
  return best;
}

/**
 * A family's turns as ranges in thread order, each within one episode; `place` tells an exchange's turns. A range is continued by the family's next one
 * of a later episode on the same matter.
 */
export function rangesOf(
  { members }: Family,
  { episodes }: Exchanges,
  place: (exchange: number) => Stretch,
  matters: TermTies,
  matterTie: number,
): RecalledRange[] {
  const ranges: { episode: number; start: number; end: number }[] = [];
  for (const x of [...members].sort((a, b) => a - b)) {
    const last = ranges.at(-1);
    const { start, end } = place(x);
    if (last && last.end === start && last.episode === episodes[x]) last.end = end;
    else ranges.push({ episode: episodes[x]!, start, end });
  }
  return ranges.map((range, i) => {
    const next = ranges
      .slice(i + 1)
      .find(
        ({ episode }) => episode !== range.episode && matters.between(range.episode, episode) > matterTie,
      );
    return next ? { ...range, continuedAt: next.start } : range;
  });
}
