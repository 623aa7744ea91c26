import { canonicalJson } from '../bench/canonical.ts';
import { csv, markdown, type Table } from '../bench/tables.ts';
import { RUBRIC } from './answering.ts';
import type { ClusteredMean } from './bootstrap.ts';
import { PROBE_TYPES } from './corpus.ts';
import { STAGES } from './fidelity.ts';
import type { ReplayResult } from './result.ts';
import { pairedWith, summaries, trajectories } from './summary.ts';

/** The observation ledger as JSON Lines: the settings, then every checkpoint and observation, then the mechanisms. */
export function ledger({ settings, lines, fidelity }: ReplayResult): string {
  const all = [
    { kind: 'settings', ...settings },
    ...lines,
    ...fidelity.map((row) => ({ kind: 'mechanism', ...row })),
  ];
  return `${all.map(canonicalJson).join('\n')}\n`;
}

/** Reads a ledger back. Throws a SyntaxError when a line is no JSON. */
export function readLedger(text: string): ReplayResult {
  const all = text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as { kind: string });
  const of = (kind: string) => all.filter((line) => line.kind === kind);
  const { kind: _, ...settings } = of('settings')[0]!;
  return {
    settings: settings as unknown as ReplayResult['settings'],
    lines: all.filter(
      ({ kind }) => kind === 'checkpoint' || kind === 'observation',
    ) as unknown as ReplayResult['lines'],
    fidelity: of('mechanism').map(({ kind: _, ...row }) => row) as unknown as ReplayResult['fidelity'],
  };
}

/** Trajectories as CSV. */
export function trajectoriesCsv(result: ReplayResult): string {
  return csv(trajectoryTable(result));
}

/** The report in Markdown; `against` is what the conditions are compared with. */
export function reportText(result: ReplayResult, against: string): string {
  const { settings } = result;
  return [
    `# LSREP: ${settings.corpus}`,
    scoring(result),
    markdown(summaryTable(result)),
    'Intervals: bootstrap over probes (each with all its checkpoints), 95%, 10,000 resamples.',
    `## Against ${against}`,
    markdown(pairedTable(result, against)),
    '## Trajectories',
    markdown(trajectoryTable(result)),
    '## Fidelity ledger',
    markdown(fidelityTable(result)),
    '',
  ].join('\n\n');
}

/** Which scoring the figures rest on, in words. */
export function scoring({ settings }: ReplayResult): string {
  const rest = ` Side effects of questions: ${settings.queryEffects}. A prompt over ${settings.window} tokens is a missing output and scores 0.`;
  if (!settings.answering) {
    return `Scored without a language model: 1 when the context holds every version that the probe asks for (evolution: in order).${rest}`;
  }
  const grades = RUBRIC.map(([letter, worth, meaning]) => `${letter} (${worth}): ${meaning}`).join('; ');
  return `Answers: ${settings.answering}. Rubric: ${grades}.${rest}`;
}

export function summaryTable(result: ReplayResult): Table {
  return {
    head: [
      'condition',
      'score',
      '95%',
      ...PROBE_TYPES,
      'other version only',
      'mixed',
      'missing',
      'context',
      'prompt',
    ],
    rows: summaries(result).map((own) => [
      own.condition,
      own.all.mean.toFixed(3),
      interval(own.all),
      ...PROBE_TYPES.map((type) => own.byType[type].mean.toFixed(3)),
      String(own.outcomes.other ?? 0),
      String(own.mixed),
      String(own.missing),
      own.contextTokens.toFixed(0),
      own.promptTokens.toFixed(0),
    ]),
  };
}

/** Every condition against one of them. */
export function pairedTable(result: ReplayResult, against: string): Table {
  return {
    head: ['condition', 'difference', '95%', 'probes', 'observations'],
    rows: pairedWith(result, against).map(({ condition, difference }) => [
      condition,
      difference.mean.toFixed(3),
      interval(difference),
      String(difference.clusters),
      String(difference.observations),
    ]),
  };
}

function trajectoryTable(result: ReplayResult): Table {
  return {
    head: ['condition', 'history', 'checkpoint', 'observations', 'score', 'prompt tokens', 'missing'],
    rows: trajectories(result).map((point) => [
      point.condition,
      point.history,
      point.checkpoint,
      String(point.observations),
      point.score.toFixed(3),
      point.promptTokens.toFixed(0),
      String(point.missing),
    ]),
  };
}

export function fidelityTable({ fidelity }: ReplayResult): Table {
  return {
    head: ['condition', 'mechanism', ...STAGES, 'status'],
    rows: fidelity.map((row) => [
      row.condition,
      row.mechanism,
      ...STAGES.map((stage) => String(row[stage])),
      row.error === undefined ? row.status : `${row.status}: ${row.error}`,
    ]),
  };
}

function interval({ low, high }: ClusteredMean): string {
  return `${low.toFixed(3)} to ${high.toFixed(3)}`;
}
