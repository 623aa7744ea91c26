import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import type { AnswerBackend } from '../../answer/answer-engine.ts';
import { unreachable } from '../../core/unreachable.ts';
import { icon } from '../design/icons.ts';
import { formatBytes } from '../format.ts';
import type { Session } from '../session.ts';
import { sectionStyles } from '../settings/section-styles.ts';
import { ModelsListener, type ModelsSession } from './models-session.ts';

const BACKENDS: Readonly<Record<AnswerBackend, string>> = {
  webgpu: 'on WebGPU',
  wasm: 'on the processor (WASM)',
  native: 'natively',
  browser: 'by the browser',
  remote: 'by another program: text leaves this tab',
};

/** Which model answers, whether it is loaded, and the way back to recall only. */
@customElement('skein-in-use-section')
export class InUseSection extends LitElement {
  @property({ attribute: false }) session!: Session;
  @property({ attribute: false }) models!: ModelsSession;

  constructor() {
    super();
    new ModelsListener(this);
  }

  override render(): TemplateResult {
    const { chosen } = this.models;
    return html`
      <h2>In use</h2>
      ${
        chosen
          ? html`<p class="title">${chosen.title}</p>
              <div class="small" role="status">${this.state()}</div>
              ${chosen.source.kind === 'endpoint' ? this.leaves(chosen.source.url) : nothing}
              <div class="row">
                <button class="outline" @click=${this.recallOnly}>Use recall only</button>
              </div>`
          : html`<p class="status">${icon('check')} <span>Recall only: you see the turns that decide, and no model writes.</span></p>`
      }
    `;
  }

  private state(): TemplateResult {
    const { load } = this.models;
    switch (load.kind) {
      case 'idle':
        return html`<p class="soft">It is loaded when the next question is asked.</p>`;
      case 'loading':
        return load.progress
          ? html`<p>${STEPS[load.progress.step]}: ${formatBytes(load.progress.loadedBytes)} of ${formatBytes(load.progress.totalBytes)}</p>
              <progress aria-label="Loading the model" max=${load.progress.totalBytes || 1} value=${load.progress.loadedBytes}></progress>`
          : html`<p>It is being loaded.</p>`;
      case 'ready':
        return html`<p class="status">${icon('check')} <span>Loaded, and run ${BACKENDS[load.loaded.backend]}.</span></p>
          ${load.loaded.notice ? html`<p class="notice">${icon('info')}<span>${load.loaded.notice}</span></p>` : nothing}`;
      case 'failed':
        return html`<p class="notice problem" role="alert">
          ${icon('warning')}<span>${load.message} ${load.remedy}</span>
        </p>`;
      default:
        return unreachable(load);
    }
  }

  private leaves(url: string): TemplateResult {
    return html`<p class="notice caution">
      ${icon('warning')}<span>Text leaves this tab: questions and recalled episodes are sent to <strong>${url}</strong>.</span>
    </p>`;
  }

  private readonly recallOnly = (): void => {
    void this.session.attempt(async () => this.models.choose(undefined));
  };

  static override readonly styles = sectionStyles;
}

const STEPS = { download: 'Downloading', verify: 'Checking', start: 'Starting' } as const;
