import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import type { AnswerModel, EngineKind } from '../../answer/models.ts';
import { ProgressMeter } from '../../core/progress.ts';
import { unreachable } from '../../core/unreachable.ts';
import { icon } from '../design/icons.ts';
import { bars, base, buttons, notices } from '../design/shared-styles.ts';
import { formatBytes, formatCount, formatRemaining } from '../format.ts';
import { askPerson } from '../parts/confirm.ts';
import type { Session } from '../session.ts';
import { bytesHere } from './model-groups.ts';
import type { ModelView } from './model-view.ts';
import type { ModelsSession } from './models-session.ts';

const ENGINES: Readonly<Record<EngineKind, string>> = {
  transformers: 'transformers.js',
  webllm: 'WebLLM',
  gguf: 'llama.cpp (GGUF)',
  'prompt-api': 'the browser',
  endpoint: 'a server',
};

/** One model: what it is, whether it fits, how far its download is, and what can be done with it. */
@customElement('skein-model-item')
export class ModelItem extends LitElement {
  @property({ attribute: false }) session!: Session;
  @property({ attribute: false }) models!: ModelsSession;
  @property({ attribute: false }) view!: ModelView;
  private actionFocused = false;
  private meter: { readonly total: number; readonly meter: ProgressMeter } | undefined;

  /** Puts the focus on the first thing that can be done with the model. */
  focusAction(): void {
    this.renderRoot.querySelector<HTMLElement>('.actions button')?.focus();
  }

  override willUpdate(): void {
    this.actionFocused = this.shadowRoot?.activeElement?.closest('.actions') != null;
  }

  /** A button that gives way to the next one hands it the focus. */
  override updated(): void {
    if (this.actionFocused && !this.shadowRoot?.activeElement) this.focusAction();
  }

  override render(): TemplateResult {
    const { model, chosen } = this.view;
    const [name, build] = model.title.split(/ \((.*)\)$/);
    return html`<article aria-labelledby="title">
      <div class="what">
        <h3 id="title">
          ${name}${build ? html` <span class="build">${build}</span>` : nothing}
          ${chosen ? html`<span class="badge">${icon('check')} In use</span>` : nothing}
        </h3>
        <p class="soft small number">${facts(model)}</p>
        <p class="small">${model.note}</p>
        ${this.fit()} ${this.progress()} ${this.problem()}
      </div>
      <div class="actions">${this.forward()} ${this.back()}</div>
    </article>`;
  }

  private fit(): TemplateResult {
    const { verdict, reason } = this.view.fit;
    return html`<p class="small fit ${verdict}">
      ${icon(verdict === 'fits' ? 'check' : verdict === 'cannot-run' ? 'close' : 'warning')}<span>${reason}</span>
    </p>`;
  }

  private progress(): TemplateResult | typeof nothing {
    const { files, model } = this.view;
    switch (files.kind) {
      case 'starting':
        return html`<p class="small" role="status">
          ${files.elsewhere ? 'Another tab downloads this model; this one waits for it.' : 'Asking for its files.'}
        </p>`;
      case 'downloading': {
        const { loadedBytes, totalBytes } = files;
        return html`<div class="progress">
          <progress aria-label="Download of ${model.title}" max=${totalBytes || 1} value=${loadedBytes}></progress>
          <p class="small number">
            ${formatBytes(loadedBytes)} of ${formatBytes(totalBytes)}${this.remaining(loadedBytes, totalBytes)}
          </p>
        </div>`;
      }
      case 'paused':
        return html`<p class="small number" role="status">Paused. ${formatBytes(files.keptBytes)} are here.</p>`;
      default:
        return nothing;
    }
  }

  private problem(): TemplateResult | typeof nothing {
    const { files, model } = this.view;
    if (files.kind === 'failed') {
      return html`<p class="notice problem" role="alert">
        ${icon('warning')}<span>${files.message} ${files.remedy}</span>
      </p>`;
    }
    if (files.kind === 'absent' && model.source.kind === 'files') {
      return html`<p class="notice caution">
        ${icon('info')}<span>Its files are no longer on this device. Add them again, or remove it from the list.</span>
      </p>`;
    }
    return nothing;
  }

  /** What brings the model nearer to use. */
  private forward(): TemplateResult | typeof nothing {
    const { files, model, fit, chosen } = this.view;
    const { id, title } = model;
    switch (files.kind) {
      case 'none':
      case 'kept':
        return chosen || fit.verdict === 'cannot-run'
          ? nothing
          : html`<button class="outline" aria-label="Use ${title}" @click=${() => this.use()}>Use</button>`;
      case 'absent':
        return fit.verdict === 'cannot-run' || model.source.kind === 'files'
          ? nothing
          : html`<button class="outline" aria-label="Download ${title}" @click=${this.download}>
              ${icon('import')} Download ${model.bytes > 0 ? formatBytes(model.bytes) : nothing}
            </button>`;
      case 'paused':
      case 'failed':
        return html`<button class="outline" aria-label="Resume the download of ${title}" @click=${this.download}>
          ${icon('play')} ${files.kind === 'paused' || files.keptBytes > 0 ? 'Resume' : 'Try again'}
        </button>`;
      case 'starting':
      case 'downloading':
        return html`<button
          class="outline"
          aria-label="Pause the download of ${title}"
          @click=${() => this.models.pause(id)}
        >
          ${icon('pause')} Pause
        </button>`;
      default:
        return unreachable(files);
    }
  }

  private back(): TemplateResult | typeof nothing {
    const { files, model } = this.view;
    const { kind } = model.source;
    const listedByPerson = kind === 'files' || kind === 'endpoint' || kind === 'url';
    const size = bytesHere(this.view);
    const busy = files.kind === 'downloading' || files.kind === 'starting';
    if (busy || (!listedByPerson && size === 0 && files.kind !== 'paused')) return nothing;
    return html`<button class="danger" aria-label="Delete ${model.title}" @click=${this.askRemoval}>
      ${icon('erase')} ${size > 0 ? `Delete ${formatBytes(size)}` : 'Remove'}
    </button>`;
  }

  private remaining(loaded: number, total: number): string {
    if (this.meter?.total !== total) this.meter = { total, meter: new ProgressMeter(total) };
    const { secondsLeft } = this.meter.meter.at(loaded);
    return secondsLeft === undefined ? '' : `, ${formatRemaining(secondsLeft)} left`;
  }

  private readonly download = async (): Promise<void> => {
    const { id, title } = this.view.model;
    const { models, session } = this;
    await session.attempt(() => models.download(id));
    const view = models.models.find(({ model }) => model.id === id);
    if (view?.files.kind !== 'kept' || view.chosen) return;
    session.toast(`${title} is on this device.`, { label: 'Use it', run: () => models.choose(id) });
  };

  private use(): void {
    void this.session.attempt(async () => this.models.choose(this.view.model.id));
  }

  private readonly askRemoval = async (): Promise<void> => {
    const { model, chosen } = this.view;
    const size = bytesHere(this.view);
    const answer = await askPerson({
      title: `${size > 0 ? 'Delete' : 'Remove'} ${model.title}?`,
      body: [
        size > 0
          ? `${formatBytes(size)} are freed on this device. ${model.source.kind === 'files' ? 'The file that you added stays where you have it.' : 'It can be downloaded again.'}`
          : 'It is taken off the list.',
        ...(chosen ? ['It is in use: questions are answered by recall only afterwards.'] : []),
      ],
      confirm: size > 0 ? 'Delete' : 'Remove',
      danger: true,
    });
    if (answer !== undefined) await this.session.attempt(() => this.models.remove(model.id));
  };

  static override readonly styles = [
    base,
    buttons,
    bars,
    notices,
    css`
      article {
        display: grid;
        grid-template-columns: minmax(0, 1fr) 10.5rem;
        gap: var(--s2) var(--s5);
        padding-block: var(--s4);
      }
      .what {
        display: grid;
        gap: var(--s2);
        align-content: start;
        min-width: 0;
      }
      h3 {
        font-size: var(--text-m);
        overflow-wrap: anywhere;
      }
      .build {
        font-weight: 400;
        color: var(--ink-soft);
      }
      .badge {
        display: inline-flex;
        gap: var(--s1);
        align-items: center;
        padding: 2px var(--s2);
        vertical-align: middle;
        line-height: 1.4;
        font-size: var(--text-xs);
        font-weight: 560;
        color: var(--woad);
        background: var(--woad-tint);
        border-radius: var(--radius-s);
      }
      .fit {
        display: flex;
        gap: var(--s2);
        align-items: flex-start;
      }
      .fit svg.icon {
        margin-top: 0.15em;
      }
      .fits {
        color: var(--ink-soft);
      }
      .fits svg.icon {
        color: var(--woad);
      }
      .cannot-run {
        color: var(--madder);
      }
      progress {
        display: block;
        height: 8px;
        border-radius: 4px;
      }
      .progress {
        display: grid;
        gap: var(--s1);
      }
      .actions {
        display: flex;
        flex-direction: column;
        align-items: stretch;
        gap: var(--s2);
      }
      .actions button {
        justify-content: flex-start;
      }
      .actions:not(:has(button)) {
        visibility: hidden;
      }
      @media (max-width: 40rem) {
        article {
          grid-template-columns: minmax(0, 1fr);
        }
        .actions {
          flex-flow: row wrap;
        }
      }
    `,
  ];
}

/** What a model is, in one line. */
function facts(model: AnswerModel): string {
  const { parameters, bytes, needs, contextWindow, licence, source } = model;
  return [
    parameters === undefined ? '' : formatParameters(parameters),
    bytes > 0 ? `${formatBytes(bytes)} ${originOf(source)}` : '',
    needs.memoryBytes > 0 ? `takes ${formatBytes(needs.memoryBytes)} of memory` : '',
    [needs.webgpu && 'needs WebGPU', needs.shaderF16 && 'shader-f16'].filter(Boolean).join(' and '),
    `window of ${formatCount(contextWindow)} tokens`,
    `run by ${ENGINES[model.engine]}`,
    licence,
  ]
    .filter(Boolean)
    .join(' · ');
}

function formatParameters(millions: number): string {
  const text =
    millions < 1000 ? `${formatCount(millions)} million` : `${(millions / 1000).toFixed(1)} billion`;
  return `${text} parameters`;
}

function originOf(source: AnswerModel['source']): string {
  switch (source.kind) {
    case 'site':
      return 'from this site';
    case 'hub':
      return 'from huggingface.co';
    case 'url':
      return `from ${URL.canParse(source.url) ? new URL(source.url).host : 'this site'}`;
    default:
      return 'on this device';
  }
}
