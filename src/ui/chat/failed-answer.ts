import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import type { SkeinError } from '../../core/errors.ts';
import { icon } from '../design/icons.ts';
import { base, buttons, notices } from '../design/shared-styles.ts';
import { formatRoute } from '../router.ts';
import { ChatListener, type ChatSession } from './chat-session.ts';
import '../parts/markdown-text.ts';

/** What went wrong and what to do about it. */
export function problemNotice({ message, remedy }: SkeinError, actions: unknown = nothing): TemplateResult {
  return html`<div class="notice problem" role="alert">
    ${icon('warning')}<span><strong>${message}</strong> ${remedy}${actions}</span>
  </div>`;
}

/** Why the last question of this thread has no answer, with another try, and what had been written of it. */
@customElement('skein-failed-answer')
export class FailedAnswer extends LitElement {
  @property({ attribute: false }) chat!: ChatSession;
  @property() threadId = '';
  /** What the field beneath holds: a question that is there again need not be shown. */
  @property() field = '';

  constructor() {
    super();
    new ChatListener(this);
  }

  override render(): TemplateResult | typeof nothing {
    const { failure } = this.chat;
    if (failure?.threadId !== this.threadId) return nothing;
    const { question, asOf, problem, text } = failure;
    // A question that was not kept is in the field again, unless the person has left the thread since.
    const lost = typeof question === 'string' && this.field !== question;
    const again = (lost || typeof question !== 'string') && !this.chat.readOnly;
    const actions = html`<span class="row">
      ${
        again
          ? html`<button type="button" class="text-button" @click=${() => this.chat.ask(this.threadId, question, asOf)}>
              ${icon('again')} Try again
            </button>`
          : nothing
      }
      ${
        this.chat.model
          ? html`<a class="button text-button" href=${formatRoute({ kind: 'models' })}>Choose another model</a>`
          : nothing
      }
      <button type="button" class="text-button" @click=${() => this.chat.dismissFailure()}>Close</button>
    </span>`;
    return html`${lost ? html`<p class="user-text lost" dir="auto">${question}</p>` : nothing}
    ${text ? html`<skein-markdown .text=${text}></skein-markdown>` : nothing}
    ${problemNotice(problem, actions)}`;
  }

  static override readonly styles = [
    base,
    buttons,
    notices,
    css`
      :host {
        display: block;
      }
      .lost {
        max-height: 30vh;
        overflow-y: auto;
        padding-block-end: var(--s2);
      }
      skein-markdown {
        max-height: 30vh;
        overflow-y: auto;
        padding: var(--s3);
        border: 1px dashed var(--line-strong);
        border-radius: var(--radius-m);
        margin-block-end: var(--s2);
      }
    `,
  ];
}
