import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { leavesTheTab } from '../../answer/models.ts';
import { icon } from '../design/icons.ts';
import { base, buttons } from '../design/shared-styles.ts';
import { formatRoute } from '../router.ts';
import { ChatListener, type ChatSession } from './chat-session.ts';

/** Names the model that answers, says when text leaves the tab for it, and leads to the others. */
@customElement('skein-model-button')
export class ModelButton extends LitElement {
  @property({ attribute: false }) chat!: ChatSession;

  constructor() {
    super();
    new ChatListener(this);
  }

  override render(): TemplateResult | typeof nothing {
    const { model, models } = this.chat;
    if (!models) return nothing;
    const name = model?.title ?? 'Recall only';
    return html`<a class="button" href=${formatRoute({ kind: 'models' })} aria-label="Answers by: ${name}. Choose a model">
        <span class="name" dir="auto">${name}</span>${icon('chevron')}
      </a>
      ${
        model && leavesTheTab(model)
          ? html`<span class="remote" title="Questions and recalled turns are sent to this server">
              ${icon('warning')} Text leaves this tab
            </span>`
          : nothing
      }`;
  }

  static override readonly styles = [
    base,
    buttons,
    css`
      :host {
        display: inline-flex;
        flex-wrap: wrap;
        align-items: center;
        gap: var(--s1) var(--s2);
        min-width: 0;
      }
      .button {
        gap: var(--s1);
        padding-inline: var(--s2);
        color: var(--ink-soft);
        min-width: 0;
        max-width: 16rem;
      }
      .name {
        overflow: hidden;
        white-space: nowrap;
        text-overflow: ellipsis;
      }
      .remote {
        display: inline-flex;
        align-items: center;
        gap: var(--s1);
        font-size: var(--text-xs);
        font-weight: 560;
        color: var(--weld-line);
      }
    `,
  ];
}
