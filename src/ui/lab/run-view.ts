import { css, html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { guard } from 'lit/directives/guard.js';
import type { BenchResult, RunView } from '../../bench/lab/contract.ts';
import { icon } from '../design/icons.ts';
import { formatCount, formatDayAndTime } from '../format.ts';
import { askPerson } from '../parts/confirm.ts';
import { exportMenu } from './export-menu.ts';
import { goInLab, type LabRoute, labHref, RUN_TABS, type RunTab } from './lab-route.ts';
import { LabListener, type LabSession } from './lab-session.ts';
import { labStyles } from './lab-styles.ts';
import { QuestionLook } from './question-look.ts';
import { runFacts } from './run-facts.ts';
import './question-list.ts';
import './question-view.ts';
import './results-plots.ts';
import './results-table.ts';
import './run-progress.ts';

const TAB_NAMES: Readonly<Record<RunTab, string>> = {
  table: 'Table',
  plots: 'Plots',
  questions: 'Questions',
};

/** One run: how far it is, and what it found. */
@customElement('skein-lab-run')
export class RunPage extends LitElement {
  @property({ attribute: false }) lab!: LabSession;
  @property({ attribute: false }) route!: Extract<LabRoute, { kind: 'run' }>;
  @state() private result: BenchResult | undefined;
  private looking: QuestionLook | undefined;
  private readFor = '';

  constructor() {
    super();
    new LabListener(this, ['runs']);
  }

  override willUpdate(changed: PropertyValues<this>): void {
    const { run: id } = this.route;
    if (changed.has('route') && this.readFor !== '' && !this.readFor.startsWith(id)) this.result = undefined;
    const key = `${id} ${this.lab.run(id)?.state.kind}`;
    if (this.readFor === key) return;
    this.readFor = key;
    if (this.lab.run(id)?.state.kind === 'done') void this.read(id);
  }

  override render(): TemplateResult {
    const run = this.lab.run(this.route.run);
    if (!run) {
      return html`<h1>This run is not here</h1>
        <p class="soft">Runs stay in the browser that made them. Import the exported result to see it here.</p>`;
    }
    return html`
      <header>
        <h1><bdi>${run.name}</bdi></h1>
        <div class="row actions">${this.result ? exportMenu(this.result) : nothing} ${this.controls(run)}</div>
        <p class="soft small facts">
          ${runFacts(run)} · ${run.origin === 'imported' ? 'imported' : ''} ${formatDayAndTime(run.startedAt)}
        </p>
      </header>
      ${run.state.kind === 'done' ? this.found() : html`<skein-lab-progress .lab=${this.lab} .run=${run}></skein-lab-progress>`}
    `;
  }

  private found(): TemplateResult | typeof nothing {
    const { result, route } = this;
    if (!result) return nothing;
    return html`
      <nav aria-label="What was found">
        ${RUN_TABS.map(
          (tab) => html`<a
            href=${labHref({ kind: 'run', run: route.run, tab })}
            aria-current=${tab === route.tab ? 'page' : nothing}
            >${TAB_NAMES[tab]}</a
          >`,
        )}
      </nav>
      ${guard([result, route], () => this.tab(result))}
      ${route.tab === 'table' ? record(result) : nothing}
    `;
  }

  private tab(result: BenchResult): TemplateResult {
    const { lab, route } = this;
    switch (route.tab) {
      case 'table':
        return html`<skein-lab-table .result=${result}></skein-lab-table>`;
      case 'plots':
        return html`<skein-lab-plots .result=${result}></skein-lab-plots>`;
      case 'questions':
        return route.question
          ? html`<skein-lab-question
              .lab=${lab}
              .run=${route.run}
              .look=${this.lookAt(result)}
              .place=${route.question}
            ></skein-lab-question>`
          : html`<skein-lab-questions .run=${route.run} .look=${this.lookAt(result)}></skein-lab-questions>`;
    }
  }

  /** The list and the question share what is looked at. */
  private lookAt(result: BenchResult): QuestionLook {
    if (this.looking?.result !== result) this.looking = new QuestionLook(result);
    return this.looking;
  }

  private controls({ id, state: { kind } }: RunView): TemplateResult {
    const { api } = this.lab;
    const paused = kind === 'paused' || kind === 'interrupted' || kind === 'failed';
    return html`
      ${
        kind === 'running'
          ? html`<button class="outline" @click=${() => this.lab.attempt(() => api.pauseRun(id))}>${icon('pause')} Pause</button>`
          : nothing
      }
      ${
        paused
          ? html`<button class="primary" @click=${() => this.lab.attempt(() => api.resumeRun(id))}>${icon('play')} Resume</button>`
          : nothing
      }
      <button class="outline" @click=${this.discard}>${icon('erase')} ${kind === 'done' ? 'Remove' : 'Cancel'}</button>
    `;
  }

  private readonly discard = async (): Promise<void> => {
    const run = this.lab.run(this.route.run)!;
    const done = run.state.kind === 'done';
    const answer = await askPerson({
      title: done ? 'Remove this run?' : 'Cancel this run?',
      body: [
        done
          ? 'Its results are removed from this browser. Export them first if you may want them back.'
          : 'What it has found so far is dropped. To go on later, pause it instead.',
      ],
      confirm: done ? 'Remove' : 'Cancel the run',
      danger: true,
    });
    if (answer === undefined) return;
    await this.lab.attempt(() => this.lab.api.removeRun(run.id));
    goInLab({ kind: 'home' });
  };

  private async read(id: string): Promise<void> {
    const result = await this.lab.attempt(() => this.lab.result(id));
    if (id === this.route.run) this.result = result;
  }

  static override readonly styles = [
    ...labStyles,
    css`
      :host {
        display: grid;
        gap: var(--s4);
        grid-template-columns: minmax(0, 1fr);
      }
      header {
        display: grid;
        grid-template-columns: minmax(0, 1fr) auto;
        gap: var(--s1) var(--s4);
      }
      h1 {
        font-size: var(--text-xl);
        overflow-wrap: anywhere;
      }
      .facts {
        grid-column: 1 / -1;
      }
      nav {
        display: flex;
        gap: var(--s4);
        border-block-end: 1px solid var(--line);
      }
      nav a {
        padding-block: var(--s2);
        font-size: var(--text-s);
        font-weight: 560;
        color: var(--ink-soft);
        text-decoration: none;
        border-block-end: 2px solid transparent;
        margin-block-end: -1px;
      }
      nav a[aria-current] {
        color: var(--ink);
        border-block-end-color: var(--woad);
      }
      @media (max-width: 40rem) {
        header {
          grid-template-columns: minmax(0, 1fr);
        }
        .actions {
          grid-row: 3;
        }
      }
    `,
  ];
}

/** What another person needs to get the same figures. */
function record(result: BenchResult): TemplateResult {
  const { package: about, settings, timings } = result;
  const { manifest, batches } = about;
  const { embedder } = settings;
  const facts: readonly [string, unknown][] = [
    ['Package', html`<code>${about.hash}</code>`],
    [
      'Built from',
      `${manifest.pool}, ${manifest.regime}, arrangement ${manifest.arrangement}, seed ${manifest.seed}${manifest.masked ? ', masked' : ''}`,
    ],
    [
      'Evidence',
      batches
        .map((batch) => `${batch.name}: ${formatCount(batch.evidenceDialogues)} conversations hold evidence`)
        .join('; '),
    ],
    ['Embedder', `${embedder.model}, ${embedder.dtype}, ${embedder.dimension} dimensions`],
    ['Engine', settings.engine],
    ['Machine', timings.machine],
  ];
  return html`<details>
    <summary>What this was run on</summary>
    <dl class="small">${facts.map(([name, value]) => html`<dt class="soft">${name}</dt><dd>${value}</dd>`)}</dl>
  </details>`;
}
