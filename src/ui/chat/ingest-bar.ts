import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { icon } from '../design/icons.ts';
import { bars, base, buttons, notices } from '../design/shared-styles.ts';
import { formatCount, formatRemaining } from '../format.ts';
import { type Ingest, type Session, SessionListener } from '../session.ts';

/** How far a thread has been read into memory, with pause and resume. Says each quarter aloud, not each step. */
@customElement('skein-ingest-bar')
export class IngestBar extends LitElement {
  @property({ attribute: false }) session!: Session;
  @property() threadId = '';

  constructor() {
    super();
    new SessionListener(this, (event) => 'threadId' in event && event.threadId === this.threadId);
  }

  override render(): TemplateResult | typeof nothing {
    const ingest = this.session.ingests.get(this.threadId);
    const thread = this.session.thread(this.threadId);
    if (ingest) return this.bar(ingest);
    if (!thread || thread.ingested >= thread.turns || thread.ingesting) return nothing;
    const { ingested: done, turns: total } = thread;
    return this.bar({ progress: { done, total, rate: 0 }, paused: true });
  }

  private bar({ progress, paused, problem }: Ingest): TemplateResult {
    const { done, total, rate, secondsLeft } = progress;
    const quarter = total > 0 ? Math.floor((done / total) * 4) * 25 : 0;
    const speed = rate > 0 && !paused ? [`${formatCount(rate)} turns a second`] : [];
    const left = secondsLeft !== undefined && !paused ? [`${formatRemaining(secondsLeft)} left`] : [];
    return html`<div class="bar">
      <div class="line">
        <span class="number">
          <strong>${paused ? 'Paused' : 'Reading into memory'}</strong>
          ${formatCount(done)} of ${formatCount(total)} turns
          <span class="rate soft">${[...speed, ...left].join(' · ')}</span>
        </span>
        ${this.session.readOnly ? nothing : this.control(paused)}
      </div>
      <progress max=${total || 1} value=${done} aria-label="Reading into memory"></progress>
      ${
        problem
          ? html`<p class="notice problem" role="alert">${icon('warning')}<span>${problem.message} ${problem.remedy}</span></p>`
          : html`<p class="soft hint">
              ${done > 0 ? `Questions are answered from the first ${formatCount(done)} turns until it is done.` : 'Questions can be answered once the first turns are read.'}
            </p>`
      }
      <span class="visually-hidden" role="status">${paused ? 'Reading into memory is paused.' : `${quarter} percent read into memory.`}</span>
    </div>`;
  }

  private control(paused: boolean): TemplateResult {
    const { engine } = this.session;
    const run = () =>
      this.session.attempt(() =>
        paused ? engine.resumeIngest(this.threadId) : engine.pauseIngest(this.threadId),
      );
    return html`<button class="outline" @click=${run}>
      ${icon(paused ? 'play' : 'pause')} ${paused ? 'Resume' : 'Pause'}
    </button>`;
  }

  static override readonly styles = [
    bars,
    base,
    buttons,
    notices,
    css`
      :host {
        display: block;
      }
      .bar {
        display: grid;
        gap: var(--s1);
        padding: var(--s2) var(--s5);
        border-block-end: 1px solid var(--line);
        font-size: var(--text-s);
      }
      .line {
        display: flex;
        align-items: center;
        justify-content: space-between;
        gap: var(--s3);
      }
      .rate {
        margin-inline-start: var(--s2);
      }
      .hint {
        font-size: var(--text-xs);
      }
      progress {
        height: 4px;
        border-radius: 2px;
      }
      @media (max-width: 40rem) {
        .bar {
          padding-inline: var(--s4);
        }
        .rate {
          display: block;
          margin: 0;
        }
      }
    `,
  ];
}
