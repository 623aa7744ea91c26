import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { live } from 'lit/directives/live.js';
import type { AnswerModel } from '../../answer/models.ts';
import type { Progress } from '../../core/progress.ts';
import { DEFAULT_CONDITIONS, findCondition } from '../../replay/conditions.ts';
import type { CorpusSource, CorpusSummary, ReplayApi } from '../../replay/lab/contract.ts';
import { QUERY_EFFECTS, type QueryEffects } from '../../replay/result.ts';
import { MECHANISMS } from '../../systems/ice/switches.ts';
import { formatCount } from '../format.ts';
import type { LabSession } from '../lab/lab-session.ts';
import type { Session } from '../session.ts';
import type { HistoriesView } from './histories-view.ts';
import { listed, toggled } from './names.ts';
import { replayStyles } from './replay-styles.ts';
import './histories-view.ts';
import './replay-result.ts';

/** Histories beyond so many tokens are not chosen at first: embedding them takes minutes. */
const LIGHT_TOKENS = 50_000;

const EFFECTS: Readonly<Record<QueryEffects, string>> = {
  apply: 'Being asked counts (reinforcement)',
  exclude: 'Being asked changes nothing',
};

interface Running {
  readonly controller: AbortController;
  readonly progress?: Progress;
  readonly place?: string;
}

/** LSREP in the tab: choose a corpus, its histories and conditions, replay them, see what became of each memory. */
@customElement('skein-replay')
export class ReplayView extends LitElement {
  @property({ attribute: false }) session!: Session;
  @property({ attribute: false }) replay!: ReplayApi;
  /** Knows which language models may answer; absent: none. */
  @property({ attribute: false }) lab: LabSession | undefined;
  @state() private source: CorpusSource = { kind: 'example' };
  @state() private corpus: CorpusSummary | undefined;
  @state() private histories: readonly string[] = [];
  @state() private conditions: readonly string[] = DEFAULT_CONDITIONS;
  /** Conditions beside those listed, as they were typed. */
  @state() private more = '';
  @state() private effects: QueryEffects = 'apply';
  @state() private models: readonly AnswerModel[] = [];
  @state() private answerModel: AnswerModel | undefined;
  @state() private running: Running | undefined;
  @state() private ledger: string | undefined;

  override firstUpdated(): void {
    void this.read(this.source);
    void this.session.attempt(async () => {
      this.models = (await this.lab?.answerModels()) ?? [];
    });
  }

  /** Takes a file dropped on the page: a corpus of one's own, or a released file of LongMemEval or LoCoMo. */
  takeFile(file: File): void {
    if (/\.jsonl$/i.test(file.name)) void this.read({ kind: 'file', file });
    else void this.renderRoot.querySelector<HistoriesView>('skein-histories')?.take(file);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.running?.controller.abort();
  }

  override render(): TemplateResult {
    return html`
      <h1>Replay</h1>
      <p class="soft lead">
        LSREP: months of conversation are replayed up to checkpoints, where every memory is asked what holds now, what
        held before and how it changed. Without a language model a context that holds the right versions scores 1.
      </p>
      ${this.corpus ? this.setup(this.corpus) : html`<p class="small" role="status">Reading the corpus</p>`}
      ${this.progress()}
      ${this.ledger === undefined ? nothing : html`<skein-replay-result .ledger=${this.ledger}></skein-replay-result>`}
      <skein-histories .session=${this.session} .replay=${this.replay}></skein-histories>
    `;
  }

  private setup({ name, histories }: CorpusSummary): TemplateResult {
    return html`
      <fieldset>
        <legend>Corpus: ${name}</legend>
        ${histories.map(({ id, title, turns, tokens, checkpoints, probes }) =>
          this.choice(
            this.histories.includes(id),
            () => {
              this.histories = toggled(this.histories, id);
            },
            title,
            `${formatCount(turns)} turns, ${formatCount(Math.round(tokens))} tokens, ${checkpoints} checkpoints, ${probes} probes`,
          ),
        )}
        <label class="field"
          >Another corpus (JSON Lines; or drop it on this page)
          <input type="file" accept=".jsonl" @change=${this.onFile} />
        </label>
      </fieldset>
      <fieldset>
        <legend>Conditions</legend>
        ${DEFAULT_CONDITIONS.map((condition) => {
          const { title, summary } = findCondition(condition);
          const toggle = () => {
            this.conditions = toggled(this.conditions, condition);
          };
          return this.choice(this.conditions.includes(condition), toggle, title, summary);
        })}
        <label class="field"
          >More, such as ice-without:decay, control-c
          <input .value=${live(this.more)} @change=${this.onMore} />
        </label>
        <label class="field"
          >Add ICE without one of its mechanisms
          <select .value=${live('')} @change=${this.onWithout}>
            <option value="">Choose</option>
            ${MECHANISMS.map((mechanism) => html`<option value=${mechanism}>${mechanism}</option>`)}
          </select>
        </label>
      </fieldset>
      <label class="field"
        >Questions
        <select @change=${this.onEffects}>
          ${QUERY_EFFECTS.map(
            (effects) =>
              html`<option value=${effects} ?selected=${effects === this.effects}>${EFFECTS[effects]}</option>`,
          )}
        </select>
      </label>
      ${this.models.length > 0 ? this.answers() : nothing}
      <div class="row">
        <button
          class="primary"
          ?disabled=${this.running !== undefined || this.histories.length === 0 || (this.conditions.length === 0 && this.more.trim() === '')}
          @click=${() => this.start()}
        >
          Replay
        </button>
        ${
          this.running
            ? html`<button @click=${() => this.running?.controller.abort()}>Stop</button>`
            : nothing
        }
      </div>
    `;
  }

  private answers(): TemplateResult {
    return html`<label class="field"
      >Answers
      <select @change=${this.onModel}>
        <option value="" ?selected=${!this.answerModel}>None: contexts are scored</option>
        ${this.models.map(
          ({ id, title }) =>
            html`<option value=${id} ?selected=${id === this.answerModel?.id}>${title}</option>`,
        )}
      </select>
      <span class="soft small"
        >An answer is checked by the values it names, or graded by the same model where it can’t be. A prompt that passes the
        model’s window counts as missing. On a processor every answer takes seconds.</span
      >
    </label>`;
  }

  private choice(chosen: boolean, toggle: () => void, title: string, about: string): TemplateResult {
    return html`<label class="choice">
      <input type="checkbox" .checked=${live(chosen)} @change=${toggle} />
      <span>${title} <span class="soft small">${about}</span></span>
    </label>`;
  }

  private progress(): TemplateResult | typeof nothing {
    if (!this.running) return nothing;
    const { progress, place } = this.running;
    return html`<p class="small number" role="status">
        ${progress ? `${progress.done} of ${progress.total}: ${place}` : this.answerModel ? 'Loading the models' : 'Loading the embedding model'}
      </p>
      <progress aria-label="Checkpoints" max=${progress?.total ?? 1} .value=${progress?.done ?? 0}></progress>`;
  }

  private async read(source: CorpusSource): Promise<void> {
    const corpus = await this.session.attempt(() => this.replay.describe(source));
    if (!corpus) return;
    this.source = source;
    this.corpus = corpus;
    const light = corpus.histories.filter(({ tokens }) => tokens < LIGHT_TOKENS);
    this.histories = (light.length > 0 ? light : corpus.histories).map(({ id }) => id);
  }

  private async start(): Promise<void> {
    const controller = new AbortController();
    this.running = { controller };
    const { source, histories, effects } = this;
    const conditions = [...new Set([...this.conditions, ...listed(this.more)])];
    const model = this.answerModel;
    const answer = model && { model, key: this.lab?.models?.keyOf(model.id) };
    const request = { source, histories, conditions, queryEffects: effects, ...(answer && { answer }) };
    const hear = (progress: Progress, place: string) => {
      if (this.running?.controller === controller) this.running = { controller, progress, place };
    };
    const ledger = await this.session.attempt(() => this.replay.run(request, hear, controller.signal));
    if (this.running?.controller === controller) this.running = undefined;
    if (ledger !== undefined) this.ledger = ledger;
  }

  private readonly onFile = (event: Event): void => {
    const file = (event.target as HTMLInputElement).files?.[0];
    if (file) void this.read({ kind: 'file', file });
  };

  private readonly onMore = (event: Event): void => {
    this.more = (event.target as HTMLInputElement).value;
  };

  private readonly onWithout = (event: Event): void => {
    const { value } = event.target as HTMLSelectElement;
    if (value !== '') this.more = [...listed(this.more), `ice-without:${value}`].join(', ');
    this.requestUpdate();
  };

  private readonly onModel = (event: Event): void => {
    const { value } = event.target as HTMLSelectElement;
    this.answerModel = this.models.find(({ id }) => id === value);
  };

  private readonly onEffects = (event: Event): void => {
    const chosen = (event.target as HTMLSelectElement).value;
    this.effects = QUERY_EFFECTS.find((known) => known === chosen)!;
  };

  static override readonly styles = [
    ...replayStyles,
    css`
      :host {
        display: grid;
        gap: var(--s4);
      }
      h1 {
        font-size: var(--text-2xl);
        letter-spacing: -0.02em;
      }
      .lead {
        max-width: var(--measure);
      }
    `,
  ];
}
