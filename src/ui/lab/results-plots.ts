import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import type { QueryMode } from '../../bench/exchange.ts';
import type { BenchResult } from '../../bench/lab/contract.ts';
import type { Split } from '../../bench/metrics.ts';
import { pairedBootstrap } from '../../bench/statistics.ts';
import { pairedTable, pairs, splitTable } from '../../bench/tables.ts';
import { labStyles } from './lab-styles.ts';
import { intervalPlot, legendMark, type PlotRow, plotStyles, plotTable, SERIES_SHOWN } from './plot.ts';
import { capital, modeName } from './run-facts.ts';
import { Width } from './width.ts';
import '../parts/segmented.ts';

/** Splits that a plot is drawn by: the first that the result has. */
const PLOTTED: readonly { readonly split: Split; readonly title: string }[] = [
  { split: 'topic', title: 'Recall@5 by topic' },
  { split: 'kind', title: 'Recall@5 by kind of question' },
  { split: 'stress', title: 'Recall@5 by stress cue' },
];

/** Recall by topic, and every system against one of them. */
@customElement('skein-lab-plots')
export class ResultsPlots extends LitElement {
  @property({ attribute: false }) result!: BenchResult;
  @state() private mode: QueryMode | undefined;
  @state() private reference: string | undefined;
  @state() private chosenOut: readonly string[] | undefined;
  private readonly width = new Width(this);

  override render(): TemplateResult {
    const { modes } = this.result.settings;
    const mode = this.mode ?? modes[0]!;
    return html`
      ${
        modes.length > 1
          ? html`<skein-segmented
              label="Asked with"
              .options=${modes.map((one) => ({ value: one, label: capital(modeName(one)) }))}
              .value=${mode}
              @change=${this.onMode}
            ></skein-segmented>`
          : nothing
      }
      ${PLOTTED.map(({ split, title }) => this.splitPlot(split, title, mode))}
      ${this.pairedPlot(mode)}
    `;
  }

  private splitPlot(split: Split, title: string, mode: QueryMode): TemplateResult | typeof nothing {
    const table = splitTable(this.result, split, mode);
    if (!table) return nothing;
    const shown = this.shown();
    const groups = [
      ...new Set(
        this.result.systems.flatMap(({ summary }) =>
          Object.keys(summary.modes.find((one) => one.mode === mode)?.by[split] ?? {}),
        ),
      ),
    ].sort();
    const rows = groups.map((group): PlotRow => {
      const marks = shown.flatMap(({ name, series }) => {
        const { summary } = this.result.systems.find((system) => system.name === name)!;
        const recall = summary.modes.find((one) => one.mode === mode)?.by[split]?.[group]?.recall[4];
        return recall ? [{ series, value: recall.value, low: recall.low, high: recall.high }] : [];
      });
      return { label: group.replaceAll('_', ' ') || 'none', marks };
    });
    return html`<figure>
      <figcaption><h2>${title}</h2></figcaption>
      ${this.legend()}
      ${intervalPlot(
        {
          title: `${title}, ${modeName(mode)}`,
          description: `Recall at five of ${shown.map((one) => one.title).join(', ')} in ${groups.length} groups of questions, with 95% intervals. The table below has the figures.`,
          axis: 'recall@5, Wilson 95% interval',
          width: this.width.value,
        },
        rows,
        { low: 0, high: 1 },
      )}
      ${plotTable(`${title}, ${modeName(mode)}`, table)}
    </figure>`;
  }

  private pairedPlot(mode: QueryMode): TemplateResult | typeof nothing {
    const { systems } = this.result;
    const reference = this.reference ?? systems.at(-1)?.name;
    const base = systems.find(({ name }) => name === reference);
    const table = reference === undefined ? undefined : pairedTable(this.result, reference, mode);
    if (!base || !table || table.rows.length === 0) return nothing;
    const rows = systems
      .filter((system) => system !== base)
      .map((system): PlotRow => {
        const { a, b } = pairs(base, system, mode);
        const { difference, low, high } = pairedBootstrap(a.map(Number), b.map(Number));
        return { label: system.title, marks: [{ series: 0, value: difference, low, high }] };
      });
    const reach = Math.max(
      0.1,
      ...rows.flatMap(({ marks }) => marks.flatMap(({ low, high }) => [-low, high])),
    );
    const title = `${base.title} against each other system`;
    return html`<figure>
      <figcaption class="row">
        <h2>Paired difference</h2>
        <label class="small reference"
          >of
          <select @change=${this.onReference}>
            ${systems.map(({ name, title: own }) => html`<option value=${name} ?selected=${name === reference}>${own}</option>`)}
          </select>
        </label>
      </figcaption>
      <p class="hint">
        Its recall@5 less that of each other system, on the same questions. Right of the line ${base.title} is better;
        an interval that crosses the line decides nothing.
      </p>
      ${intervalPlot(
        {
          title,
          description: rows
            .map(({ label, marks: [mark] }) => `${label}: ${mark!.value.toFixed(2)}`)
            .join('; '),
          axis: 'difference of recall@5, bootstrap 95% interval',
          width: this.width.value,
        },
        rows,
        { low: -reach * 1.05, high: reach * 1.05 },
      )}
      ${plotTable(`${title}, ${modeName(mode)}`, table)}
    </figure>`;
  }

  /** Which systems are drawn: each can be left out, and no more than can be told apart. */
  private legend(): TemplateResult {
    const shown = this.shown();
    return html`<fieldset class="legend-row">
      <legend class="visually-hidden">Systems drawn</legend>
      ${this.result.systems.map(({ name, title }) => {
        const series = shown.find((one) => one.name === name)?.series;
        return html`<label class="small">
          <input
            type="checkbox"
            .checked=${series !== undefined}
            ?disabled=${series === undefined && shown.length >= SERIES_SHOWN}
            @change=${() => this.toggle(name)}
          />
          ${series === undefined ? nothing : legendMark(series)}${title}
        </label>`;
      })}
    </fieldset>`;
  }

  /** Systems that are not drawn; at first those beyond what can be told apart. */
  private get leftOut(): readonly string[] {
    return this.chosenOut ?? this.result.systems.slice(SERIES_SHOWN).map(({ name }) => name);
  }

  private shown(): { name: string; title: string; series: number }[] {
    return this.result.systems
      .filter(({ name }) => !this.leftOut.includes(name))
      .map(({ name, title }, series) => ({ name, title, series }));
  }

  private toggle(name: string): void {
    const { leftOut } = this;
    this.chosenOut = leftOut.includes(name) ? leftOut.filter((other) => other !== name) : [...leftOut, name];
  }

  private readonly onMode = (event: Event): void => {
    this.mode = (event.target as HTMLInputElement).value as QueryMode;
  };

  private readonly onReference = (event: Event): void => {
    this.reference = (event.target as HTMLSelectElement).value;
  };

  static override readonly styles = [
    ...labStyles,
    plotStyles,
    css`
      :host {
        display: grid;
        gap: var(--s5);
        justify-items: start;
        grid-template-columns: minmax(0, 1fr);
        max-width: 52rem;
      }
      figure {
        display: grid;
        gap: var(--s3);
        width: 100%;
        min-width: 0;
      }
      .legend-row {
        display: flex;
        flex-wrap: wrap;
        gap: var(--s2) var(--s4);
      }
      .legend-row label {
        display: flex;
        align-items: center;
        gap: var(--s1);
        cursor: pointer;
      }
      .legend-row input {
        margin: 0;
      }
      .reference select {
        margin-inline-start: var(--s1);
      }
    `,
  ];
}
