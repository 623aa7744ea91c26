import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import type { QueryMode } from '../../bench/exchange.ts';
import type { BenchResult } from '../../bench/lab/contract.ts';
import type { Proportion } from '../../bench/statistics.ts';
import { icon } from '../design/icons.ts';
import { formatCount } from '../format.ts';
import { labStyles } from './lab-styles.ts';
import { type ResultRow, resultRows, sortRows } from './result-rows.ts';
import { capital, modeName } from './run-facts.ts';
import '../parts/segmented.ts';

interface Column {
  readonly label: string;
  /** What the figure is, for who hovers or listens. */
  readonly title: string;
  readonly text?: boolean;
  readonly value: (row: ResultRow) => number | string | undefined;
  readonly cell: (row: ResultRow) => unknown;
}

const COLUMNS: readonly Column[] = [
  {
    label: 'System',
    title: 'System, and what it was asked with',
    text: true,
    value: ({ title }) => title,
    cell: ({ title, mode }) => html`${title}<span class="soft">${modeName(mode)}</span>`,
  },
  share('Accuracy', 'The chosen letter is the gold letter', ({ metrics }) => metrics.answers?.accuracy),
  figure(
    'Hit, right',
    'Evidence in the context, answer right',
    ({ metrics }) => metrics.answers?.hitByAnswer.hitRight,
    0,
  ),
  figure(
    'Hit, wrong',
    'Evidence in the context, answer wrong',
    ({ metrics }) => metrics.answers?.hitByAnswer.hitWrong,
    0,
  ),
  figure(
    'Miss, right',
    'Evidence missing in the context, answer right all the same',
    ({ metrics }) => metrics.answers?.hitByAnswer.missRight,
    0,
  ),
  figure(
    'Miss, wrong',
    'Evidence missing in the context, answer wrong',
    ({ metrics }) => metrics.answers?.hitByAnswer.missWrong,
    0,
  ),
  figure(
    'Rationale',
    'Cosine of the given and the gold rationale, mean',
    ({ metrics }) => metrics.answers?.rationaleSimilarity,
    3,
  ),
  figure(
    'No letter',
    'Answers that hold no letter, with those that were dropped',
    ({ metrics }) => metrics.answers?.unparseable,
    0,
  ),
  figure(
    'Cut',
    'Contexts that did not fit the model’s window and lost their first turns',
    ({ metrics }) => metrics.answers?.contextCut,
    0,
  ),
  share(
    'Recall@5',
    'The first five units hold all the evidence; Wilson 95% interval',
    ({ metrics }) => metrics.recall[4],
  ),
  share('Recall@1', 'The first unit alone holds all the evidence', ({ metrics }) => metrics.recall[0]),
  share('CL hit', 'All the evidence stands in the retrieved context', ({ metrics }) => metrics.clHit),
  share(
    'Co-containment',
    'Some single unit of the index holds all the evidence, over questions with several pieces of it',
    ({ metrics }) => metrics.coContainment,
  ),
  figure('Tokens', 'Context tokens of a question, mean', ({ metrics }) => metrics.contextTokens.mean, 0),
  figure('median', 'Context tokens of a question, median', ({ metrics }) => metrics.contextTokens.median, 0),
  figure('p95', 'Context tokens of a question, 95% point', ({ metrics }) => metrics.contextTokens.p95, 0),
  figure('ms', 'Milliseconds of retrieval a question, median', ({ latency }) => latency.median, 1),
  figure('p95', 'Milliseconds of retrieval a question, 95% point', ({ latency }) => latency.p95, 1),
  figure(
    'Boundary F1',
    'Its own cuts against the gold boundaries of conversations, where it segments',
    ({ cuts }) => cuts?.f1,
    3,
  ),
  figure(
    'Never',
    'Questions missed at 5: some evidence is in no unit listed',
    ({ metrics }) => metrics.misses.neverRetrieved,
    0,
  ),
  figure(
    'Ranked out',
    'Questions missed at 5: all evidence is listed, but further down',
    ({ metrics }) => metrics.misses.rankedOut,
    0,
  ),
];

/** Figures of every system and condition, sorted by any column. */
@customElement('skein-lab-table')
export class ResultsTable extends LitElement {
  @property({ attribute: false }) result!: BenchResult;
  @state() private mode: QueryMode | undefined;
  @state() private sorted: { readonly column: Column; readonly descending: boolean } | undefined;

  override render(): TemplateResult {
    const { modes } = this.result.settings;
    const rows = resultRows(this.result).filter(({ mode }) => !this.mode || mode === this.mode);
    const columns = COLUMNS.filter(({ value }) => rows.some((row) => value(row) !== undefined));
    const { sorted } = this;
    const shown = sorted ? sortRows(rows, sorted.column.value, sorted.descending) : rows;
    const [first] = rows;
    return html`
    ${
      modes.length > 1
        ? html`<skein-segmented
            label="Asked with"
            .options=${[
              { value: '', label: 'Both' },
              ...modes.map((mode) => ({ value: mode, label: capital(modeName(mode)) })),
            ]}
            .value=${this.mode ?? ''}
            @change=${this.onMode}
          ></skein-segmented>`
        : nothing
    }
    <p class="hint" id="about">
      ${formatCount(first?.metrics.questions ?? 0)} questions, ${first?.metrics.answers ? 'answered' : 'retrieval only'}. Below a share is its Wilson 95% interval.
    </p>
    <div class="scroll" tabindex="0" role="group" aria-label="Results">
      <table aria-describedby="about">
        <thead>
          <tr>
            ${columns.map((column) => this.head(column))}
          </tr>
        </thead>
        <tbody>
          ${shown.map(
            (row) => html`<tr>
              ${columns.map((column, i) =>
                i === 0
                  ? html`<th scope="row" class="text">${column.cell(row)}</th>`
                  : html`<td class=${column.text ? 'text' : ''}>${column.cell(row)}</td>`,
              )}
            </tr>`,
          )}
        </tbody>
      </table>
    </div>`;
  }

  private head(column: Column): TemplateResult {
    const active = this.sorted?.column === column;
    const direction = this.sorted?.descending ? 'descending' : 'ascending';
    return html`<th scope="col" class=${column.text ? 'text' : ''} aria-sort=${active ? direction : nothing}>
      <button title=${column.title} aria-label="${column.title}: sort" @click=${() => this.sort(column)}>
        ${column.label}${active ? html`<span class=${direction}>${icon('down')}</span>` : nothing}
      </button>
    </th>`;
  }

  private readonly onMode = (event: Event): void => {
    this.mode = ((event.target as HTMLInputElement).value || undefined) as QueryMode | undefined;
  };

  /** First the way that puts the best on top, then the other, then the order of the run. */
  private sort(column: Column): void {
    const first = !column.text;
    if (this.sorted?.column !== column) this.sorted = { column, descending: first };
    else if (this.sorted.descending === first) this.sorted = { column, descending: !first };
    else this.sorted = undefined;
  }

  static override readonly styles = [
    ...labStyles,
    css`
      :host {
        display: grid;
        gap: var(--s4);
        justify-items: start;
        grid-template-columns: minmax(0, 1fr);
      }
      .scroll {
        max-width: 100%;
      }
      thead th {
        white-space: normal;
        vertical-align: bottom;
      }
      th:first-child {
        position: sticky;
        inset-inline-start: 0;
        background: var(--paper);
        white-space: normal;
        min-width: 8.5rem;
      }
      thead button {
        min-height: 1.75rem;
        padding: 0;
        gap: 2px;
        font-size: inherit;
        text-align: inherit;
      }
      thead button:hover {
        background: none;
        color: var(--ink);
      }
      .ascending svg {
        rotate: 180deg;
      }
      th .soft,
      td .soft {
        display: block;
        font-size: var(--text-xs);
        font-weight: 400;
      }
      th,
      td {
        padding-inline: var(--s2);
      }
      tbody tr:hover > * {
        background: color-mix(in srgb, var(--ink) 4%, var(--paper));
      }
    `,
  ];
}

/** A column of shares with their intervals. */
function share(label: string, title: string, of: (row: ResultRow) => Proportion | undefined): Column {
  return {
    label,
    title,
    value: (row) => of(row)?.value,
    cell: (row) => {
      const found = of(row);
      if (!found) return none();
      return html`${found.value.toFixed(3)}<span class="soft">${found.low.toFixed(2)}–${found.high.toFixed(2)}</span>`;
    },
  };
}

function figure(
  label: string,
  title: string,
  of: (row: ResultRow) => number | undefined,
  digits: number,
): Column {
  return {
    label,
    title,
    value: of,
    cell: (row) => {
      const value = of(row);
      if (value === undefined) return none();
      return digits === 0 ? formatCount(value) : value.toFixed(digits);
    },
  };
}

function none(): TemplateResult {
  return html`<span class="soft" aria-label="none">·</span>`;
}
