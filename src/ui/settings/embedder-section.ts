import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { live } from 'lit/directives/live.js';
import { unreachable } from '../../core/unreachable.ts';
import type { Backend, BackendChoice, EmbedderChoice, EmbedderState } from '../../engine/contract.ts';
import { icon } from '../design/icons.ts';
import { counted, formatBytes } from '../format.ts';
import { askPerson } from '../parts/confirm.ts';
import { type Session, SessionListener } from '../session.ts';
import { sectionStyles } from './section-styles.ts';
import '../parts/segmented.ts';

const BACKENDS: readonly { value: BackendChoice; label: string }[] = [
  { value: 'automatic', label: 'Automatic' },
  { value: 'webgpu', label: 'WebGPU' },
  { value: 'wasm', label: 'WASM' },
];

/** Which model turns texts into vectors, and what it is doing. */
@customElement('skein-embedder-section')
export class EmbedderSection extends LitElement {
  @property({ attribute: false }) session!: Session;
  @state() private choices: readonly EmbedderChoice[] = [];
  @state() private backend: BackendChoice = 'automatic';

  constructor() {
    super();
    new SessionListener(this, ({ kind }) => kind === 'embedder' || kind === 'threads' || kind === 'tab');
  }

  override firstUpdated(): void {
    void this.session.attempt(async () => {
      this.choices = await this.session.engine.embedderChoices();
      this.backend = await this.session.engine.backendChoice();
    });
  }

  override render(): TemplateResult {
    const current = modelOf(this.session.embedder);
    return html`
      <h2 id="title">Embedding model</h2>
      <div role="status">${this.state(this.session.embedder)}</div>
      <fieldset aria-labelledby="title" ?disabled=${this.session.readOnly}>
        ${this.choices.map((choice) => this.choice(choice, current))}
      </fieldset>
      ${this.otherThreads(current)}
      ${this.session.readOnly ? nothing : this.backends()}
    `;
  }

  private backends(): TemplateResult {
    return html`<div class="row">
      <span class="small">Computed with</span>
      <skein-segmented
        label="Computed with"
        .options=${BACKENDS}
        .value=${this.backend}
        @change=${this.onBackend}
      ></skein-segmented>
    </div>`;
  }

  private choice(choice: EmbedderChoice, current: string): TemplateResult {
    const { model, title, dimension, bytes, licence, languages, shipped } = choice;
    const source = shipped
      ? 'comes with this site'
      : `${formatBytes(bytes)} download from a model hub when chosen`;
    return html`<label class="choice">
      <input
        type="radio"
        name="model"
        .checked=${live(model === current)}
        @change=${() => this.choose(choice)}
      />
      <span>
        <span class="title">${title}</span>
        <span class="soft small">
          ${languages} · ${dimension} dimensions · ${shipped ? `${formatBytes(bytes)}, ` : ''}${source} · ${licence}
        </span>
      </span>
    </label>`;
  }

  private state(state: EmbedderState): TemplateResult {
    switch (state.kind) {
      case 'idle':
        return html`<p class="soft small">The model is loaded when it is first needed.</p>`;
      case 'loading': {
        const { loadedBytes, totalBytes } = state;
        return html`<p class="small">Loading ${state.model}: ${formatBytes(loadedBytes)} of ${formatBytes(totalBytes)}</p>
          <progress aria-label="Loading the model" max=${totalBytes || 1} value=${loadedBytes}></progress>`;
      }
      case 'testing':
        return html`<p class="small">Checking ${state.model} on ${backendName(state.backend)} against known vectors.</p>`;
      case 'ready':
        return html`<p class="small status">
            ${icon('check')} <span>${state.stamp.model} runs on ${backendName(state.backend)} and passed its self-test
            (${state.stamp.dtype}, ${state.stamp.dimension} dimensions).</span>
          </p>
          ${state.notice ? html`<p class="notice">${icon('info')}<span>${state.notice}</span></p>` : nothing}`;
      case 'failed':
        return html`<p class="notice problem">
          ${icon('warning')}<span><strong>${state.message}</strong> ${state.remedy}</span>
        </p>`;
      default:
        return unreachable(state);
    }
  }

  /** Threads made with another model keep working with it, and are embedded again only on consent. */
  private otherThreads(current: string): TemplateResult | typeof nothing {
    const others = this.session.threads.filter(({ stamp }) => stamp && stamp.model !== current);
    if (others.length === 0 || current === '' || this.session.readOnly) return nothing;
    return html`<div class="notice caution">
      ${icon('info')}
      <div>
        <p>${counted(others.length, 'thread was', 'threads were')} made with another model. Vectors of two models cannot be compared.</p>
        <ul>
          ${others.map(
            ({ id, name, turns, stamp }) => html`<li class="row">
              <bdi>${name}</bdi> <span class="soft">${stamp?.model}</span>
              <button class="text-button" @click=${() => this.session.attempt(() => this.session.engine.reembedThread(id))}>
                Embed ${counted(turns, 'turn')} again
              </button>
            </li>`,
          )}
        </ul>
      </div>
    </div>`;
  }

  private async choose({ model, title, bytes, shipped }: EmbedderChoice): Promise<void> {
    const consent =
      shipped ||
      (await askPerson({
        title: `Download ${title}?`,
        body: [
          `${formatBytes(bytes)} are fetched from a model hub, which sees that this browser asked for them. No text of yours is sent.`,
          'Threads that exist keep the model they were made with until you embed them again.',
        ],
        confirm: 'Download',
      })) !== undefined;
    if (consent) await this.session.attempt(() => this.session.engine.chooseEmbedder(model));
    this.requestUpdate();
  }

  private readonly onBackend = (event: Event): void => {
    this.backend = (event.target as HTMLInputElement).value as BackendChoice;
    void this.session.attempt(() => this.session.engine.chooseBackend(this.backend));
  };

  static override readonly styles = sectionStyles;
}

function modelOf(state: EmbedderState): string {
  return state.kind === 'ready' ? state.stamp.model : state.model;
}

function backendName(backend: Backend): string {
  return backend === 'webgpu' ? 'the graphics processor (WebGPU)' : 'the processor (WASM)';
}
