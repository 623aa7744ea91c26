import { comparable, TurnFinder } from './evidence.ts';
import { LETTERS } from './exchange.ts';
import { groupBy } from './group-by.ts';
import { tokensOf } from './packing.ts';
import { type BenchQuestion, type Dialogue, type Pool, questionsOf } from './pool.ts';
import { stratumOf } from './select.ts';
import { type Distribution, distribution } from './statistics.ts';

/** A check of a pool: `failures` name what fails it. */
export interface PoolCheck {
  readonly name: string;
  readonly failures: readonly string[];
}

/** What a pool holds, counted, and what is wrong with it. */
export interface ValidationReport {
  readonly name: string;
  readonly questions: number;
  /** Counts by name, largest groups of a table each. */
  readonly counts: Readonly<
    Record<'topic' | 'gold letter' | 'stress cue' | 'evidence snippets', Readonly<Record<string, number>>>
  >;
  readonly dialogues: DialogueFigures;
  readonly noise: DialogueFigures;
  /** Questions whose right option is the longest: near a quarter, length gives nothing away. */
  readonly goldIsLongest: number;
  readonly checks: readonly PoolCheck[];
}

export interface DialogueFigures {
  readonly dialogues: number;
  readonly turns: Distribution;
  readonly tokens: Distribution;
  readonly allTokens: number;
}

/** Counts and checks a pool as it was read, its reading's problems included. */
export function validatePool(pool: Pool): ValidationReport {
  const questions = questionsOf(pool.cases);
  const truth = pool.cases.flatMap((one) => one.dialogues);
  const several = (question: BenchQuestion) => `${question.evidence.length}`;
  return {
    name: pool.name,
    questions: questions.length,
    counts: {
      topic: countBy(questions.map(stratumOf)),
      'gold letter': countBy(questions.map(({ gold }) => gold ?? 'none')),
      'stress cue': countBy(questions.flatMap(({ stress }) => stress)),
      'evidence snippets': countBy(questions.map(several)),
    },
    dialogues: figures(truth),
    noise: figures(pool.noise),
    goldIsLongest: questions.filter(goldIsLongest).length,
    checks: [
      {
        name: 'everything could be read',
        failures: pool.problems
          .filter(({ kind }) => kind !== 'note')
          .map(({ place, message }) => `${place}: ${message}`),
      },
      {
        name: 'evidence stands in one turn, word for word',
        failures: questions.flatMap((question) => notVerbatim(question, truth)),
      },
      {
        name: 'evidence stands in no other dialogue',
        failures: elsewhere(questions, [...truth, ...pool.noise]),
      },
      {
        name: 'no two dialogues are equal',
        failures: duplicates([...truth, ...pool.noise], textOf, ({ id }) => id),
      },
      {
        name: 'no two questions are equal',
        failures: duplicates(
          questions,
          ({ query }) => query,
          ({ id }) => id,
        ),
      },
      {
        name: 'the options of a question differ',
        failures: questions.filter(hasEqualOptions).map(({ id }) => id),
      },
    ],
  };
}

function countBy(names: readonly string[]): Record<string, number> {
  const groups = [...groupBy(names, (name) => name)].sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(groups.map(([name, all]) => [name, all.length]));
}

function figures(dialogues: readonly Dialogue[]): DialogueFigures {
  const tokens = dialogues.map(({ turns }) => tokensOf(turns));
  return {
    dialogues: dialogues.length,
    turns: distribution(dialogues.map(({ turns }) => turns.length)),
    tokens: distribution(tokens),
    allTokens: tokens.reduce((sum, count) => sum + count, 0),
  };
}

function goldIsLongest({ options, gold }: BenchQuestion): boolean {
  if (!options || !gold) return false;
  return LETTERS.every((letter) => letter === gold || options[letter].length < options[gold].length);
}

function hasEqualOptions({ options }: BenchQuestion): boolean {
  return !!options && new Set(LETTERS.map((letter) => options[letter].trim())).size < LETTERS.length;
}

function notVerbatim(question: BenchQuestion, dialogues: readonly Dialogue[]): string[] {
  return question.evidence
    .filter(({ dialogue, text }) => {
      const own = dialogues.find(({ id }) => id === dialogue);
      return !own?.turns.some((turn) => turn.text.includes(text));
    })
    .map(({ text }) => `${question.id}: "${text}"`);
}

function elsewhere(questions: readonly BenchQuestion[], dialogues: readonly Dialogue[]): string[] {
  const finder = new TurnFinder([]);
  const owners: string[] = [];
  for (const { id, turns } of dialogues) {
    finder.add(turns);
    for (const _ of turns) owners.push(id);
  }
  return questions.flatMap(({ id, evidence }) =>
    evidence.flatMap(({ dialogue, text }) => {
      const other = finder.holding(text).find((turn) => owners[turn] !== dialogue);
      return other === undefined ? [] : [`${id}: "${text}" also stands in ${owners[other]}`];
    }),
  );
}

function textOf({ turns }: Dialogue): string {
  return turns.map(({ text }) => text).join('\n');
}

function duplicates<T>(items: readonly T[], text: (item: T) => string, name: (item: T) => string): string[] {
  return [...groupBy(items, (item) => comparable(text(item))).values()]
    .filter((equal) => equal.length > 1)
    .map((equal) => equal.map(name).join(' = '));
}
