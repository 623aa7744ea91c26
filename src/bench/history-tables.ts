import { canonicalJson } from './canonical.ts';
import { countLabelProblems, type HistorySet } from './histories.ts';
import type { HistoryLine } from './history-run.ts';
import type { Coverage } from './history-score.ts';
import { distribution, mean, type Proportion, shareOf } from './statistics.ts';
import { markdown, type Table } from './tables.ts';

/** All-evidence recall and coverage of some questions. */
export interface HistoryFigures {
  readonly questions: number;
  /** Shares of questions whose labelled evidence is held in full. */
  readonly allTurns: Proportion;
  readonly allSessions: Proportion;
  /** Mean shares of a question's evidence that is held. */
  readonly turnCoverage: number;
  readonly sessionCoverage: number;
  readonly medianTokens: number;
}

export function figuresOf(lines: readonly HistoryLine[]): HistoryFigures {
  const turns = lines.flatMap((line) => line.turns ?? []);
  const sessions = lines.flatMap((line) => line.sessions ?? []);
  const all = ({ held, of }: Coverage) => held === of;
  const share = ({ held, of }: Coverage) => held / of;
  return {
    questions: lines.length,
    allTurns: shareOf(turns.map(all)),
    allSessions: shareOf(sessions.map(all)),
    turnCoverage: mean(turns.map(share)),
    sessionCoverage: mean(sessions.map(share)),
    medianTokens: distribution(lines.map(({ contextTokens }) => contextTokens)).median,
  };
}

/** A row for each system, condition and question type, with all questions that can be answered as a type. */
export function historyTable(lines: readonly HistoryLine[]): Table {
  const answerable = lines.filter(({ abstention }) => !abstention);
  const types = [...new Set(answerable.map(({ type }) => type))].sort();
  const groups = new Map<string, HistoryLine[]>();
  for (const line of answerable) {
    const key = JSON.stringify([line.system, line.boundaries]);
    groups.set(key, [...(groups.get(key) ?? []), line]);
  }
  const rows = [...groups.values()].flatMap((own) =>
    ['all', ...types].map((type) => {
      const figures = figuresOf(type === 'all' ? own : own.filter((line) => line.type === type));
      const { system, boundaries } = own[0]!;
      return [
        system,
        boundaries,
        type,
        String(figures.questions),
        share(figures.allTurns),
        figures.turnCoverage.toFixed(3),
        share(figures.allSessions),
        figures.sessionCoverage.toFixed(3),
        figures.medianTokens.toFixed(0),
      ];
    }),
  );
  const head = [
    'system',
    'boundaries',
    'type',
    'questions',
    'all evidence turns',
    'turn coverage',
    'all evidence sessions',
    'session coverage',
    'median tokens',
  ];
  return { head, rows };
}

/** The report: the labels' problems first, then the figures. */
export function historyReport(set: HistorySet, lines: readonly HistoryLine[]): string {
  const problems = countLabelProblems(set.problems).map(([kind, count]) => [kind, String(count)]);
  const abstentions = new Set(lines.filter(({ abstention }) => abstention).map(({ question }) => question))
    .size;
  return [
    `# ${set.name}`,
    `${set.histories.length} histories. Retrieval only: no answers were made. ${abstentions} asked questions can't be answered from the history; no recall is counted for them.`,
    '## Labels',
    problems.length > 0 ? markdown({ head: ['problem', 'count'], rows: problems }) : 'No problem found.',
    '## Figures',
    markdown(historyTable(lines)),
    'Evidence as the data set labels it; an all-evidence figure is the share of questions with labels whose whole evidence the context holds.',
    '',
  ].join('\n\n');
}

/** Every question as JSON Lines. */
export function historyLedger(lines: readonly HistoryLine[]): string {
  return `${lines.map(canonicalJson).join('\n')}\n`;
}

function share({ value, of }: Proportion): string {
  return of > 0 ? value.toFixed(3) : '';
}
