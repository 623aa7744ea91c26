import { markdown } from './tables.ts';
import type { DialogueFigures, ValidationReport } from './validate.ts';

const SHOWN_FAILURES = 10;

/** A validation report as Markdown. */
export function validationMarkdown(report: ValidationReport): string {
  const { name, questions, counts, dialogues, noise, goldIsLongest, checks } = report;
  const share = questions === 0 ? 0 : goldIsLongest / questions;
  const figures = [
    ['questions', String(questions)],
    ...dialogueRows('dialogues of truth', dialogues),
    ...(noise.dialogues > 0 ? dialogueRows('distractors', noise) : []),
    ['right option is the longest', `${goldIsLongest} (${(100 * share).toFixed(1)}%)`],
  ];
  const sections = [
    `${name}\n\n${markdown({ head: ['figure', 'value'], rows: figures })}`,
    ...Object.entries(counts).flatMap(([what, groups]) => countTable(what, groups)),
    markdown({
      head: ['check', 'result'],
      rows: checks.map(({ name, failures }) => [
        name,
        failures.length === 0 ? 'passed' : `${failures.length} fail`,
      ]),
    }),
    ...checks.flatMap(({ name, failures }) => failureList(name, failures)),
  ];
  return sections.join('\n\n');
}

function dialogueRows(name: string, { dialogues, turns, tokens, allTokens }: DialogueFigures): string[][] {
  return [
    [name, `${dialogues}, ${allTokens.toFixed(0)} tokens`],
    [
      `turns in one (median, 95%, most)`,
      [turns.median, turns.p95, turns.max].map((n) => n.toFixed(0)).join(', '),
    ],
    [
      `tokens in one (median, 95%, most)`,
      [tokens.median, tokens.p95, tokens.max].map((n) => n.toFixed(0)).join(', '),
    ],
  ];
}

function countTable(what: string, groups: Readonly<Record<string, number>>): string[] {
  const rows = Object.entries(groups).map(([group, count]) => [group, String(count)]);
  return rows.length === 0 ? [] : [markdown({ head: [what, 'questions'], rows })];
}

function failureList(name: string, failures: readonly string[]): string[] {
  if (failures.length === 0) return [];
  const shown = failures.slice(0, SHOWN_FAILURES).map((failure) => `- ${failure}`);
  const more = failures.length - shown.length;
  return [[`Not so: ${name}`, '', ...shown, ...(more > 0 ? [`- and ${more} more`] : [])].join('\n')];
}
