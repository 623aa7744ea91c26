import type { QueryMode } from './exchange.ts';
import { keyOf, type Metrics, recalledAt, type Split } from './metrics.ts';
import type { BenchResult, QuestionLine, SystemResult } from './result.ts';
import { distribution, mcNemar, type Proportion, pairedBootstrap } from './statistics.ts';

/** Rows of texts under a head. */
export interface Table {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

export function markdown({ head, rows }: Table): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

export function csv({ head, rows }: Table): string {
  const cell = (text: string) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  return `${[head, ...rows].map((row) => row.map(cell).join(',')).join('\n')}\n`;
}

/** The leading table: a row for each system and mode. */
export function overviewTable(result: BenchResult): Table {
  const answered = allModes(result).some(({ metrics }) => metrics.answers);
  const head = [
    'system',
    'mode',
    'recall@5',
    '95%',
    'recall@1',
    'CL hit',
    'mean tokens',
    'co-containment',
    'boundary F1',
  ];
  const answers = [
    'accuracy',
    '95%',
    'unparseable',
    'dropped',
    'context cut',
    'hit+right',
    'hit+wrong',
    'miss+right',
    'miss+wrong',
    'rationale',
  ];
  const rows = allModes(result).map(({ system, mode, metrics }) => [
    system.name,
    mode,
    three(metrics.recall[4]!.value),
    interval(metrics.recall[4]!),
    three(metrics.recall[0]!.value),
    three(metrics.clHit.value),
    metrics.contextTokens.mean.toFixed(0),
    metrics.coContainment ? three(metrics.coContainment.value) : '',
    system.summary.cuts ? three(system.summary.cuts.f1) : '',
    ...(answered ? answerCells(metrics) : []),
  ]);
  return { head: answered ? [...head, ...answers] : head, rows };
}

function answerCells({ answers }: Metrics): string[] {
  if (!answers) return Array.from({ length: 10 }, () => '');
  const { accuracy, unparseable, dropped, contextCut, hitByAnswer: by, rationaleSimilarity } = answers;
  const counts = [unparseable, dropped, contextCut, by.hitRight, by.hitWrong, by.missRight, by.missWrong].map(
    String,
  );
  return [three(accuracy.value), interval(accuracy), ...counts, three(rationaleSimilarity)];
}

/** Everything else: recall at each depth, misses, context, units, cuts and time. */
export function detailTable(result: BenchResult): Table {
  const head = [
    'system',
    'mode',
    'recall@1',
    'recall@2',
    'recall@3',
    'recall@4',
    'recall@5',
    'never retrieved',
    'ranked out',
    'tokens median',
    'tokens p95',
    'tokens max',
    'in one unit',
    'units',
    'tokens a unit',
    'cut precision',
    'cut recall',
    'cut F1',
    'view hits',
  ];
  const rows = allModes(result).map(({ system, mode, metrics }) => {
    const { units, unitTokens, cuts } = system.summary;
    const views = Object.entries(metrics.viewHits ?? {}).map(
      ([view, share]) => `${view} ${three(share.value)}`,
    );
    return [
      system.name,
      mode,
      ...metrics.recall.map(({ value }) => three(value)),
      String(metrics.misses.neverRetrieved),
      String(metrics.misses.rankedOut),
      ...[metrics.contextTokens.median, metrics.contextTokens.p95, metrics.contextTokens.max].map((n) =>
        n.toFixed(0),
      ),
      metrics.inOneUnit ? three(metrics.inOneUnit.value) : '',
      units === undefined ? '' : String(units),
      unitTokens === undefined ? '' : unitTokens.toFixed(0),
      ...(cuts ? [three(cuts.precision), three(cuts.recall), three(cuts.f1)] : ['', '', '']),
      views.join(', '),
    ];
  });
  return { head, rows };
}

/** Milliseconds a question. Not part of what equal runs share. */
export function timingTable({ timings }: BenchResult): Table {
  const rows = timings.systems.map(({ name, buildMs, questions }) => {
    const retrieve = distribution(questions.map(({ retrieveMs }) => retrieveMs));
    const answer = distribution(questions.flatMap(({ answerMs }) => answerMs ?? []));
    const cells = [buildMs / 1000, retrieve.mean, retrieve.median, retrieve.p95, answer.mean, answer.p95];
    return [name, ...cells.map((value) => value.toFixed(1))];
  });
  return {
    head: ['system', 'build s', 'retrieval ms', 'median', 'p95', 'answer ms', 'p95'],
    rows,
  };
}

/** recall@5 (or accuracy, where there are answers) by group: a row a system, a column a group. */
export function splitTable(result: BenchResult, split: Split, mode: QueryMode): Table | undefined {
  const groups = new Set<string>();
  const rows = result.systems.flatMap(({ name, summary }) => {
    const by = summary.modes.find((one) => one.mode === mode)?.by[split];
    if (!by) return [];
    for (const group of Object.keys(by)) groups.add(group);
    return [{ name, by }];
  });
  if (rows.length === 0) return undefined;
  const columns = [...groups].sort();
  const size = (group: string) => rows[0]!.by[group]?.questions ?? 0;
  return {
    head: ['system', ...columns.map((group) => `${group} (${size(group)})`)],
    rows: rows.map(({ name, by }) => [
      name,
      ...columns.map((group) => (by[group] ? three(lead(by[group])) : '')),
    ]),
  };
}

/** Every system against `reference` on the same questions. */
export function pairedTable(
  result: BenchResult,
  reference: string,
  mode: QueryMode,
  seed = 1,
): Table | undefined {
  const base = result.systems.find(({ name }) => name === reference);
  if (!base) return undefined;
  const rows = result.systems.flatMap((system) => {
    if (system === base) return [];
    const { a, b } = pairs(base, system, mode);
    if (a.length === 0) return [];
    const { difference, low, high } = pairedBootstrap(a.map(Number), b.map(Number), { seed });
    const { onlyA, onlyB, p } = mcNemar(a, b);
    const cells = [
      signed(difference),
      `${signed(low)} to ${signed(high)}`,
      String(onlyA),
      String(onlyB),
      p.toPrecision(2),
    ];
    return [[system.name, ...cells]];
  });
  return {
    head: ['against', `${reference} recall@5 less its`, '95%', `only ${reference}`, 'only it', 'McNemar p'],
    rows,
  };
}

/** Whether each system recalls the questions that both were asked, in the same order. */
export function pairs(
  first: SystemResult,
  second: SystemResult,
  mode: QueryMode,
  right: (line: QuestionLine) => boolean = (line) => recalledAt(line, 5),
): { a: boolean[]; b: boolean[] } {
  const others = new Map(
    second.questions.filter((line) => line.mode === mode).map((line) => [keyOf(line), line]),
  );
  const both = first.questions.filter((line) => line.mode === mode && others.has(keyOf(line)));
  return { a: both.map(right), b: both.map((line) => right(others.get(keyOf(line))!)) };
}

function allModes({ systems }: BenchResult) {
  return systems.flatMap((system) =>
    system.summary.modes.map(({ mode, overall }) => ({ system, mode, metrics: overall })),
  );
}

function lead({ answers, recall }: Metrics): number {
  return answers ? answers.accuracy.value : recall[4]!.value;
}

function interval({ low, high }: Proportion): string {
  return `${three(low)} to ${three(high)}`;
}

function three(value: number): string {
  return value.toFixed(3);
}

function signed(value: number): string {
  return `${value < 0 ? '-' : '+'}${Math.abs(value).toFixed(3)}`;
}
