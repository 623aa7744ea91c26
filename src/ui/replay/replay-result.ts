import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { findCondition } from '../../replay/conditions.ts';
import {
  fidelityTable,
  pairedTable,
  readLedger,
  reportText,
  scoring,
  summaryTable,
  trajectoriesCsv,
} from '../../replay/report.ts';
import type { ReplayResult } from '../../replay/result.ts';
import { type TrajectoryPoint, trajectories } from '../../replay/summary.ts';
import { figureTable } from '../lab/figure-table.ts';
import { labStyles } from '../lab/lab-styles.ts';
import { legendMark, linePlot, plotStyles, plotTable } from '../lab/plot.ts';
import { Width } from '../lab/width.ts';
import { saveFile } from '../shell/save-file.ts';

const PLOT_WIDTH = 560;

/** What came of a replay: scores, trajectories by checkpoint, what every mechanism did, and the ledger to take away. */
@customElement('skein-replay-result')
export class ReplayResultView extends LitElement {
  /** The observation ledger as JSON Lines. */
  @property() ledger!: string;
  @state() private against = '';
  private readonly width = new Width(this);

  override render(): TemplateResult {
    const result = readLedger(this.ledger);
    const points = trajectories(result);
    const histories = [...new Set(points.map(({ history }) => history))];
    const names = result.settings.conditions.map(({ name }) => name);
    return html`
      <h2>Result</h2>
      <p class="hint">${scoring(result)}</p>
      ${figureTable('Scores by kind of probe', summaryTable(result))}
      ${names.length > 1 ? this.paired(result, names) : nothing}
      ${histories.map((history) => this.trajectory(history, result, points))}
      <details>
        <summary>What every mechanism did</summary>
        ${figureTable('Fidelity ledger', fidelityTable(result))}
      </details>
      <div class="row">
        <button @click=${() => save('lsrep-ledger.jsonl', this.ledger)}>Export the ledger</button>
        <button @click=${() => save('lsrep-trajectories.csv', trajectoriesCsv(result))}>Export trajectories</button>
        <button @click=${() => save('lsrep-report.md', reportText(result, this.againstOf(names)))}>Export the report</button>
      </div>
    `;
  }

  private paired(result: ReplayResult, names: readonly string[]): TemplateResult {
    const against = this.againstOf(names);
    return html`
      <label class="field"
        >Compared with
        <select @change=${this.onAgainst}>
          ${names.map((name) => html`<option value=${name} ?selected=${name === against}>${titleOf(name)}</option>`)}
        </select>
      </label>
      ${figureTable(`Difference to ${titleOf(against)}, paired by probe`, pairedTable(result, against))}
    `;
  }

  /** What the conditions are compared with: the first of them until another is chosen. */
  private againstOf(names: readonly string[]): string {
    return names.includes(this.against) ? this.against : names[0]!;
  }

  private readonly onAgainst = (event: Event): void => {
    this.against = (event.target as HTMLSelectElement).value;
  };

  private trajectory(history: string, result: ReplayResult, all: readonly TrajectoryPoint[]): TemplateResult {
    const own = all.filter((point) => point.history === history);
    const checkpoints = [...new Set(own.map(({ checkpoint }) => checkpoint))];
    const names = result.settings.conditions.map(({ name }) => name);
    // The axis is logarithmic: powers of two stand at equal distances.
    const place = (checkpoint: string) => 2 ** checkpoints.indexOf(checkpoint);
    const lines = names.map((name, series) => ({
      series,
      points: own
        .filter(({ condition }) => condition === name)
        .map(({ checkpoint, score }) => ({
          x: place(checkpoint),
          mark: { series, value: score, low: score, high: score },
        })),
    }));
    const title = `Score by checkpoint, ${history}`;
    const rows = names.map((name, i) => [
      titleOf(name),
      ...lines[i]!.points.map(({ mark }) => mark.value.toFixed(3)),
    ]);
    return html`<figure>
      <figcaption><h3>${title}</h3></figcaption>
      <div class="row small">
        ${names.map((name, series) => html`<span class="row">${legendMark(series)} ${titleOf(name)}</span>`)}
      </div>
      ${linePlot(
        {
          title,
          description: rows.map(([name, ...scores]) => `${name}: ${scores.join(', ')}`).join('; '),
          axis: 'checkpoint',
          width: Math.min(this.width.value, PLOT_WIDTH),
        },
        lines,
        (x) => checkpoints[Math.round(Math.log2(x))]!,
      )}
      ${plotTable(title, { head: ['condition', ...checkpoints], rows })}
    </figure>`;
  }

  static override readonly styles = [
    ...labStyles,
    plotStyles,
    css`
      figure {
        margin: 0;
        padding-block: var(--s4);
      }
      .row {
        display: flex;
        flex-wrap: wrap;
        gap: var(--s2);
        align-items: center;
      }
    `,
  ];
}

function titleOf(name: string): string {
  return findCondition(name).title;
}

function save(name: string, text: string): void {
  saveFile({ name, blob: new Blob([text]) });
}
