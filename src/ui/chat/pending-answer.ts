import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { unreachable } from '../../core/unreachable.ts';
import { bars, base } from '../design/shared-styles.ts';
import { counted, formatBytes, formatCount } from '../format.ts';
import { type Session, SessionListener } from '../session.ts';
import { ChatListener, type ChatRun, type ChatSession } from './chat-session.ts';
import { sourcesInPrompt } from './sources.ts';
import { turnStyles } from './turn-view.ts';
import '../parts/markdown-text.ts';
import '../parts/user-text.ts';

const STEPS = { download: 'Loading', verify: 'Checking', start: 'Starting' } as const;

/** The question under way: what is being done about it, and the answer as it is written. */
@customElement('skein-pending-answer')
export class PendingAnswer extends LitElement {
  @property({ attribute: false }) session!: Session;
  @property({ attribute: false }) chat!: ChatSession;

  constructor() {
    super();
    new ChatListener(this, () => {}, true);
    new SessionListener(this, (event) => event.kind === 'embedder');
  }

  override render(): TemplateResult | typeof nothing {
    const { run } = this.chat;
    if (!run) return nothing;
    return html`
      ${
        run.model && !run.again
          ? html`<div class="turn user">
              <header><span class="who">You</span></header>
              <skein-user-text .text=${run.question}></skein-user-text>
            </div>`
          : nothing
      }
      <div class="turn model">${this.state(run)}</div>
    `;
  }

  private state(run: ChatRun): TemplateResult {
    const { step, stopping } = run;
    if (stopping && !('text' in step)) return this.line('Stopping');
    switch (step.kind) {
      case 'recalling':
        return run.model
          ? html`${this.line('Looking through the thread')}${this.embedderNote()}`
          : html`${this.line(html`Looking through the thread for: <bdi>${run.question}</bdi>`)}${this.embedderNote()}`;
      case 'loading':
        return this.loading(run);
      case 'reading': {
        const episodes = step.prompt.passages.length;
        return this.line(
          `${run.model?.title} reads ${counted(step.prompt.tokens, 'token')}, ${counted(episodes, 'episode')} among them`,
        );
      }
      case 'writing':
      case 'keeping':
        return html`
          <header>
            <span class="who">Assistant</span>
            <span class="meta">${stopping ? 'is stopping' : 'is writing'}</span>
          </header>
          <skein-markdown growing .text=${step.text} .sources=${sourcesInPrompt(step.prompt)}></skein-markdown>
        `;
      default:
        return unreachable(step);
    }
  }

  /** One bar for all that has to be loaded before the model can read. */
  private loading(run: ChatRun): TemplateResult {
    const load = this.chat.models?.load;
    const progress = load?.kind === 'loading' ? load.progress : undefined;
    const title = run.model?.title ?? 'the model';
    if (!progress) return this.line(`Getting ${title} ready`);
    const { step, loadedBytes, totalBytes } = progress;
    if (step === 'start' || totalBytes === 0) return this.line(`${STEPS[step]} ${title}`);
    const share = `${formatBytes(loadedBytes)} of ${formatBytes(totalBytes)}`;
    return html`
      ${this.line(html`${STEPS[step]} ${title}: <span class="number">${share}</span>`)}
      <progress
        aria-label="${STEPS[step]} ${title}"
        aria-valuetext="${formatCount((100 * loadedBytes) / totalBytes)} per cent"
        max=${totalBytes}
        .value=${loadedBytes}
      ></progress>
    `;
  }

  private line(text: string | TemplateResult): TemplateResult {
    return html`<p class="line"><span class="dot" aria-hidden="true"></span>${text}</p>`;
  }

  /** Why recall takes long the first time. */
  private embedderNote(): TemplateResult | typeof nothing {
    const { embedder } = this.session;
    if (embedder.kind === 'testing')
      return html`<p class="small">The embedding model is being checked first.</p>`;
    if (embedder.kind !== 'loading') return nothing;
    const { loadedBytes, totalBytes } = embedder;
    return html`<p class="small number">
      The embedding model is being loaded first: ${formatBytes(loadedBytes)} of ${formatBytes(totalBytes)}.
    </p>`;
  }

  static override readonly styles = [
    base,
    bars,
    turnStyles,
    css`
      :host {
        display: block;
      }
      .line {
        color: var(--ink-soft);
        overflow-wrap: anywhere;
      }
      .small {
        color: var(--ink-soft);
      }
      progress {
        display: block;
        height: 6px;
        max-width: 22rem;
        margin-block-start: var(--s2);
        border-radius: 3px;
      }
      .dot {
        display: inline-block;
        width: 0.6rem;
        height: 0.6rem;
        margin-inline-end: var(--s2);
        border-radius: 50%;
        background: var(--woad);
        animation: breathe 1.2s ease-in-out infinite alternate;
      }
      @keyframes breathe {
        to {
          opacity: 0.25;
        }
      }
    `,
  ];
}
