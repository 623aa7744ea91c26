import { shuffled } from '../core/random.ts';
import type { NewTurn } from '../core/turn.ts';
import { unreachable } from '../core/unreachable.ts';
import type { BenchCase, CaseDialogue, Dialogue } from './pool.ts';

export const ARRANGEMENTS = ['blocks', 'interleaved', 'shuffled'] as const;
/**
 * How dialogues become one thread.
 * - `blocks`: whole dialogues one after the other, in random order; dated ones by day, with distractors between.
 * - `interleaved`: in that order, the exchanges of two neighbours alternate.
 * - `shuffled`: exchanges of all dialogues at random, each dialogue's own in their order.
 */
export type Arrangement = (typeof ARRANGEMENTS)[number];

/** A run of turns of one dialogue. */
export interface Run {
  readonly dialogue: Dialogue;
  readonly turns: readonly NewTurn[];
}

/** The runs that make a thread out of a batch's truth and its distractors. */
export function arrange(
  cases: readonly BenchCase[],
  noise: readonly Dialogue[],
  arrangement: Arrangement,
  random: () => number,
): Run[] {
  const truth = cases.flatMap((one) => one.dialogues);
  const dated = truth.some(({ day }) => day !== undefined);
  const dialogues = dated ? scatter(byDay(truth), noise, random) : shuffled([...truth, ...noise], random);
  switch (arrangement) {
    case 'blocks':
      return dialogues.map((dialogue) => ({ dialogue, turns: dialogue.turns }));
    case 'interleaved':
      return interleave(dialogues);
    case 'shuffled':
      return shuffleExchanges(dialogues, random);
    default:
      return unreachable(arrangement);
  }
}

function byDay(dialogues: readonly CaseDialogue[]): CaseDialogue[] {
  return [...dialogues].sort((a, b) => (a.day ?? 0) - (b.day ?? 0));
}

/** `noise` at random places between the dialogues of `truth`, which keep their order. */
function scatter(truth: readonly Dialogue[], noise: readonly Dialogue[], random: () => number): Dialogue[] {
  const places = noise.map((dialogue) => ({ dialogue, before: Math.floor(random() * (truth.length + 1)) }));
  const gaps: Dialogue[][] = Array.from({ length: truth.length + 1 }, () => []);
  for (const { dialogue, before } of places) gaps[before]!.push(dialogue);
  return gaps.flatMap((gap, i) => (i < truth.length ? [...gap, truth[i]!] : gap));
}

function interleave(dialogues: readonly Dialogue[]): Run[] {
  const runs: Run[] = [];
  for (let i = 0; i < dialogues.length; i += 2) {
    const pair = dialogues.slice(i, i + 2).map(exchangesOf);
    const rounds = Math.max(...pair.map((runs) => runs.length));
    for (let round = 0; round < rounds; round++) {
      for (const exchanges of pair) if (exchanges[round]) runs.push(exchanges[round]!);
    }
  }
  return runs;
}

function shuffleExchanges(dialogues: readonly Dialogue[], random: () => number): Run[] {
  const exchanges = dialogues.map(exchangesOf);
  const next = exchanges.map(() => 0);
  const order = shuffled(
    exchanges.flatMap((runs, dialogue) => runs.map(() => dialogue)),
    random,
  );
  return order.map((dialogue) => exchanges[dialogue]![next[dialogue]!++]!);
}

/** A dialogue in exchanges: each begins with a user turn, and takes what follows up to the next one. */
function exchangesOf(dialogue: Dialogue): Run[] {
  const exchanges: NewTurn[][] = [];
  for (const turn of dialogue.turns) {
    if (turn.role === 'user' || exchanges.length === 0) exchanges.push([]);
    exchanges.at(-1)!.push(turn);
  }
  return exchanges.map((turns) => ({ dialogue, turns }));
}
