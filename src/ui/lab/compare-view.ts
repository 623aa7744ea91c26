import { css, html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import type { QueryMode } from '../../bench/exchange.ts';
import { compareResults } from '../../bench/lab/compare-results.ts';
import type { BenchResult, RunView } from '../../bench/lab/contract.ts';
import { icon } from '../design/icons.ts';
import { formatCount, formatDayAndTime, formatScore } from '../format.ts';
import { labHref } from './lab-route.ts';
import { LabListener, type LabSession } from './lab-session.ts';
import { labStyles } from './lab-styles.ts';
import { legendMark, linePlot, type PlotLine, plotStyles, plotTable, SERIES_SHOWN } from './plot.ts';
import { capital, modeName, packageTokens, runFacts, shortLength } from './run-facts.ts';
import { Width } from './width.ts';
import '../parts/segmented.ts';

/** A wider plot is no easier to read. */
const PLOT_WIDTH = 832;

interface Compared {
  readonly run: RunView;
  readonly result: BenchResult;
}

/** Several finished runs: recall by context length, and where two results of one package differ. */
@customElement('skein-lab-compare')
export class CompareView extends LitElement {
  @property({ attribute: false }) lab!: LabSession;
  @property({ attribute: false }) ids: readonly string[] = [];
  @state() private compared: readonly Compared[] | undefined;
  @state() private mode: QueryMode | undefined;
  private readonly width = new Width(this);

  constructor() {
    super();
    new LabListener(this, []);
  }

  override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('ids')) void this.read();
  }

  override render(): TemplateResult {
    const { compared } = this;
    return html`
      <h1>Runs side by side</h1>
      <ol class="runs">
        ${this.ids
          .map((id) => this.lab.run(id))
          .map(
            (run, i) => html`<li>
            <span class="soft">${letter(i)}</span>
            ${
              run
                ? html`<a href=${labHref({ kind: 'run', run: run.id, tab: 'table' })}><bdi>${run.name}</bdi></a>
                    <span class="soft small">${runFacts(run)} · ${formatDayAndTime(run.startedAt)}</span>`
                : html`<span class="soft">This run is not here any more.</span>`
            }
          </li>`,
          )}
      </ol>
      ${compared ? html`${this.modes(compared)} ${this.byLength(compared)} ${this.differences(compared)}` : nothing}
    `;
  }

  private modes(compared: readonly Compared[]): TemplateResult | typeof nothing {
    const modes = modesOf(compared);
    if (modes.length < 2) return nothing;
    return html`<skein-segmented
      label="Asked with"
      .options=${modes.map((value) => ({ value, label: capital(modeName(value)) }))}
      .value=${this.mode ?? modes[0]!}
      @change=${this.onMode}
    ></skein-segmented>`;
  }

  private byLength(compared: readonly Compared[]): TemplateResult | typeof nothing {
    const mode = this.mode ?? modesOf(compared)[0];
    const lengths = [...new Set(compared.map(({ result }) => packageTokens(result.package)))].sort(
      (a, b) => a - b,
    );
    if (lengths.length < 2 || !mode) return nothing;
    const lines = linesOf(compared, mode);
    const title = `Recall@5 by context length, ${modeName(mode)}`;
    const table = {
      head: ['system', ...lengths.map(shortLength)],
      rows: lines.map(({ title: name, line }) => [
        name,
        ...lengths.map((length) => line.points.find(({ x }) => x === length)?.mark.value.toFixed(3) ?? ''),
      ]),
    };
    return html`<figure>
      <figcaption><h2>Recall@5 by context length</h2></figcaption>
      <div class="row legend-row small">
        ${lines.map(({ title: name, line }) => html`<span class="row">${legendMark(line.series)} ${name}</span>`)}
      </div>
      ${linePlot(
        {
          title,
          description: lines
            .map(
              ({ title: name, line }) =>
                `${name}: ${line.points.map(({ x, mark: { value } }) => `${shortLength(x)} ${value.toFixed(2)}`).join(', ')}`,
            )
            .join('; '),
          axis: 'tokens of the thread',
          width: Math.min(this.width.value, PLOT_WIDTH),
        },
        lines.map(({ line }) => line),
        shortLength,
      )}
      ${plotTable(title, table)}
    </figure>`;
  }

  /** The first run against each other one of the same package. */
  private differences(compared: readonly Compared[]): TemplateResult {
    const [first, ...others] = compared;
    const same = others.filter(({ result }) => result.package.hash === first?.result.package.hash);
    if (!first || same.length === 0) {
      return html`<p class="notice">
        ${icon('info')}<span>No two of these have the same package, so their questions are not compared one by one.</span>
      </p>`;
    }
    return html`${same.map((other) => this.difference(first, other, compared.indexOf(other)))}`;
  }

  private difference(first: Compared, second: Compared, at: number): TemplateResult {
    const rows = compareResults(first.result, second.result);
    const identical = rows.length > 0 && rows.every(({ sameUnits, questions }) => sameUnits === questions);
    return html`<section>
      <h2>A against ${letter(at)}</h2>
      <p class="small">
        Same package <code>${first.result.package.hash.slice(0, 12)}</code>.
        ${identical ? 'Every question retrieved the same units in the same order.' : nothing}
      </p>
      <div class="scroll" tabindex="0" role="group" aria-label="A against ${letter(at)}">
        <table>
          <thead>
            <tr>
              <th scope="col" class="text">System</th>
              <th scope="col" class="text">Asked with</th>
              <th scope="col">Recall@5 A</th>
              <th scope="col">${letter(at)}</th>
              <th scope="col">Difference</th>
              <th scope="col">Only A</th>
              <th scope="col">Only ${letter(at)}</th>
              <th scope="col">Same units</th>
            </tr>
          </thead>
          <tbody>
            ${rows.map(
              (row) => html`<tr>
                <th scope="row" class="text">${row.title}</th>
                <td class="text">${modeName(row.mode)}</td>
                <td>${row.first.toFixed(3)}</td>
                <td>${row.second.toFixed(3)}</td>
                <td>${formatScore(row.second - row.first)}</td>
                <td>${row.onlyFirst}</td>
                <td>${row.onlySecond}</td>
                <td>${formatCount(row.sameUnits)} of ${formatCount(row.questions)}</td>
              </tr>`,
            )}
          </tbody>
        </table>
      </div>
      ${rows.length === 0 ? html`<p class="hint">They share no system that was asked in the same way.</p>` : nothing}
    </section>`;
  }

  private async read(): Promise<void> {
    const { ids } = this;
    const known = ids.flatMap((id) => this.lab.run(id) ?? []);
    const read = await this.lab.attempt(() =>
      Promise.all(known.map(async (run) => ({ run, result: await this.lab.result(run.id) }))),
    );
    if (ids === this.ids) this.compared = read;
  }

  private readonly onMode = (event: Event): void => {
    this.mode = (event.target as HTMLInputElement).value as QueryMode;
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
      }
      h1 {
        font-size: var(--text-xl);
      }
      .runs {
        display: grid;
        gap: var(--s1);
      }
      .runs li {
        display: flex;
        flex-wrap: wrap;
        gap: 0 var(--s2);
        align-items: baseline;
      }
      figure,
      section {
        display: grid;
        gap: var(--s3);
        width: 100%;
        max-width: 52rem;
        min-width: 0;
      }
      .legend-row {
        gap: var(--s4);
      }
    `,
  ];
}

/** The compared runs are A, B, C in the order of the address. */
function letter(index: number): string {
  return String.fromCharCode(65 + index);
}

function modesOf(compared: readonly Compared[]): QueryMode[] {
  return [...new Set(compared.flatMap(({ result }) => result.settings.modes))];
}

/** A line for each system, of the first that can be told apart; of two runs of one length the latest counts. */
function linesOf(compared: readonly Compared[], mode: QueryMode): { title: string; line: PlotLine }[] {
  const titles = new Map(
    compared.flatMap(({ result }) => result.systems.map(({ name, title }) => [name, title] as const)),
  );
  return [...titles].slice(0, SERIES_SHOWN).map(([name, title], series) => {
    const points = new Map<number, PlotLine['points'][number]>();
    for (const { result } of compared) {
      const system = result.systems.find((one) => one.name === name);
      const recall = system?.summary.modes.find((one) => one.mode === mode)?.overall.recall[4];
      const x = packageTokens(result.package);
      if (recall) {
        const { value, low, high } = recall;
        points.set(x, { x, mark: { series, value, low, high } });
      }
    }
    return { title, line: { series, points: [...points.values()].sort((a, b) => a.x - b.x) } };
  });
}
