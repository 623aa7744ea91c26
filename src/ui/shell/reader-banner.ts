import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { icon } from '../design/icons.ts';
import { base, buttons } from '../design/shared-styles.ts';
import { type Session, SessionListener } from '../session.ts';

/** Says that another tab has the writing part, and lets this one take it. */
@customElement('skein-reader-banner')
export class ReaderBanner extends LitElement {
  @property({ attribute: false }) session!: Session;

  constructor() {
    super();
    new SessionListener(this, ({ kind }) => kind === 'tab');
  }

  override render(): TemplateResult | typeof nothing {
    if (!this.session.readOnly) return nothing;
    return html`<div class="banner" role="status">
      ${icon('info')}
      <p>Skein is open in another tab; this tab reads only.</p>
      <button class="outline" @click=${() => this.session.attempt(() => this.session.engine.takeOver())}>
        Use it here
      </button>
    </div>`;
  }

  static override readonly styles = [
    base,
    buttons,
    css`
      .banner {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: var(--s2) var(--s3);
        padding: var(--s2) var(--s5);
        background: var(--woad-tint);
        font-size: var(--text-s);
      }
      p {
        flex: 1 1 12rem;
      }
    `,
  ];
}
