import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { live } from 'lit/directives/live.js';
import { BOUNDARIES, type Boundaries } from '../../bench/histories.ts';
import { fetchFile } from '../../bench/lab/fetch-file.ts';
import type { Progress } from '../../core/progress.ts';
import type { HistoriesResult, HistoriesSummary, ReplayApi } from '../../replay/lab/contract.ts';
import { HISTORY_SYSTEMS } from '../../systems/history-systems.ts';
import { formatCount } from '../format.ts';
import { figureTable } from '../lab/figure-table.ts';
import type { Session } from '../session.ts';
import { saveFile } from '../shell/save-file.ts';
import { listed, toggled } from './names.ts';
import { replayStyles } from './replay-styles.ts';

const QUESTIONS = 20;

interface Running {
  readonly controller: AbortController;
  readonly progress?: Progress;
}

/** LongMemEval and LoCoMo in the tab: choose the released file, ask some of its questions, see what is recalled. */
@customElement('skein-histories')
export class HistoriesView extends LitElement {
  @property({ attribute: false }) session!: Session;
  @property({ attribute: false }) replay!: ReplayApi;
  @state() private file: File | undefined;
  @state() private summary: HistoriesSummary | undefined;
  @state() private boundaries: readonly Boundaries[] = BOUNDARIES;
  @state() private questions = QUESTIONS;
  @state() private systems: readonly string[] = HISTORY_SYSTEMS.map(({ name }) => name);
  /** Systems beside those listed, as they were typed. */
  @state() private more = '';
  @state() private fetching = false;
  @state() private running: Running | undefined;
  @state() private result: HistoriesResult | undefined;

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.running?.controller.abort();
  }

  override render(): TemplateResult {
    return html`
      <h2>LongMemEval and LoCoMo</h2>
      <p class="hint">
        Choose a file as it was released (longmemeval_s_cleaned.json, longmemeval_oracle.json, locomo10.json), or drop it
        on this page. It stays in this tab. TSIM as it ran there and the controls of its paper are compared, by the evidence that their contexts hold.
      </p>
      <label class="field">Data <input type="file" accept=".json" @change=${this.onFile} /></label>
      <form class="row" @submit=${this.onAddress}>
        <label class="field"
          >Or its address
          <input name="url" type="url" required autocomplete="off" placeholder="https://" />
        </label>
        <button ?disabled=${this.fetching}>${this.fetching ? 'Fetching' : 'Read'}</button>
      </form>
      <p class="hint">This page fetches from its own site and from huggingface.co only.</p>
      ${this.summary ? this.setup(this.summary) : nothing}
      ${this.running ? this.progress(this.running) : nothing}
      ${this.result ? this.figures(this.result) : nothing}
    `;
  }

  private setup({ histories, questions, problems }: HistoriesSummary): TemplateResult {
    return html`
      <p class="small">${formatCount(histories)} histories, ${formatCount(questions)} questions.</p>
      ${
        problems.length > 0
          ? html`<p class="small">
              Remarks on its labels: ${problems.map(([kind, count]) => `${kind} ${formatCount(count)}`).join(', ')}.
            </p>`
          : nothing
      }
      <fieldset>
        <legend>Sessions</legend>
        ${BOUNDARIES.map(
          (boundaries) => html`<label class="choice">
            <input
              type="checkbox"
              .checked=${live(this.boundaries.includes(boundaries))}
              @change=${() => this.toggle(boundaries)}
            />
            <span>${boundaries === 'flat' ? 'One flat thread' : 'Given, as the data has them'}</span>
          </label>`,
        )}
      </fieldset>
      <fieldset>
        <legend>Systems</legend>
        ${HISTORY_SYSTEMS.map(
          ({ name, title, summary }) => html`<label class="choice">
            <input
              type="checkbox"
              .checked=${live(this.systems.includes(name))}
              @change=${() => {
                this.systems = toggled(this.systems, name);
              }}
            />
            <span>${title} <span class="soft small">${summary}</span></span>
          </label>`,
        )}
        <label class="field"
          >More, such as skein, ice, vector-rag-30
          <input
            .value=${live(this.more)}
            @change=${(event: Event) => {
              this.more = (event.target as HTMLInputElement).value;
            }}
          />
        </label>
      </fieldset>
      <label class="field"
        >Questions, evenly over types
        <input type="number" min="1" max=${questions} .value=${String(this.questions)} @change=${this.onQuestions} />
      </label>
      <div class="row">
        <button
          class="primary"
          ?disabled=${this.running !== undefined || this.boundaries.length === 0 || this.chosen().length === 0}
          @click=${() => this.start()}
        >
          Ask them
        </button>
        ${this.running ? html`<button @click=${() => this.running?.controller.abort()}>Stop</button>` : nothing}
      </div>
    `;
  }

  private progress({ progress }: Running): TemplateResult {
    return html`<p class="small number" role="status">
        ${progress ? `${progress.done} of ${progress.total} memories` : 'Loading the embedding model'}
      </p>
      <progress aria-label="Memories" max=${progress?.total ?? 1} .value=${progress?.done ?? 0}></progress>`;
  }

  private figures({ table, report, ledger }: HistoriesResult): TemplateResult {
    return html`
      ${figureTable('Evidence held by the context', table)}
      <div class="row">
        <button @click=${() => saveFile({ name: 'report.md', blob: new Blob([report]) })}>Export the report</button>
        <button @click=${() => saveFile({ name: 'questions.jsonl', blob: new Blob([ledger]) })}>Export every question</button>
      </div>
    `;
  }

  private toggle(boundaries: Boundaries): void {
    this.boundaries = BOUNDARIES.filter((one) => (one === boundaries) !== this.boundaries.includes(one));
  }

  private chosen(): string[] {
    return [...new Set([...this.systems, ...listed(this.more)])];
  }

  private async start(): Promise<void> {
    const { file, boundaries, questions } = this;
    if (!file) return;
    const controller = new AbortController();
    this.running = { controller };
    const hear = (progress: Progress) => {
      if (this.running?.controller === controller) this.running = { controller, progress };
    };
    const request = { file, boundaries, questions, systems: this.chosen() };
    const result = await this.session.attempt(() =>
      this.replay.runHistories(request, hear, controller.signal),
    );
    if (this.running?.controller === controller) this.running = undefined;
    if (result) this.result = result;
  }

  private readonly onFile = (event: Event): void => {
    const file = (event.target as HTMLInputElement).files?.[0];
    if (file) void this.take(file);
  };

  private readonly onAddress = async (event: Event): Promise<void> => {
    event.preventDefault();
    const url = String(new FormData(event.target as HTMLFormElement).get('url'));
    this.fetching = true;
    const file = await this.session.attempt(() => fetchFile(url));
    this.fetching = false;
    if (file) await this.take(file);
  };

  /** Reads a released file and shows what is in it. */
  async take(file: File): Promise<void> {
    const summary = await this.session.attempt(() => this.replay.describeHistories(file));
    if (!summary) return;
    this.file = file;
    this.summary = summary;
    this.questions = Math.min(QUESTIONS, summary.questions);
    this.result = undefined;
  }

  private readonly onQuestions = (event: Event): void => {
    const wanted = Number((event.target as HTMLInputElement).value);
    this.questions = Math.max(1, Math.min(this.summary?.questions ?? 1, Math.round(wanted) || 1));
  };

  static override readonly styles = [
    ...replayStyles,
    css`
      :host {
        display: grid;
        gap: var(--s4);
        padding-block-start: var(--s6);
      }
    `,
  ];
}
