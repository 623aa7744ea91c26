import { css, html, LitElement, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { icon } from '../design/icons.ts';
import { logo, logoStyles } from '../design/logo.ts';
import { base, buttons } from '../design/shared-styles.ts';
import type { Session } from '../session.ts';
import { ImportRequest } from './requests.ts';
import { openDemo, startThread } from './thread-actions.ts';

/** The first visit: what this is, and three ways to begin. */
@customElement('skein-welcome')
export class Welcome extends LitElement {
  @property({ attribute: false }) session!: Session;
  @state() private loading = false;

  override render(): TemplateResult {
    return html`<div class="welcome">
      ${logo()}
      <h1>Find the part of a long thread that decides your question</h1>
      <p class="lead">
        Skein reads one endless chat and recalls the whole episode that matters, word for word, with its place in the
        thread.
      </p>
      <div class="ways">
        <button class="primary" ?disabled=${this.loading || this.session.readOnly} @click=${this.onDemo}>
          ${this.loading ? 'Loading the demo thread' : 'Load the demo thread'}
        </button>
        <button class="outline" @click=${() => this.dispatchEvent(new ImportRequest())}>
          ${icon('import')} Import an export
        </button>
        <button @click=${() => startThread(this.session)}>${icon('plus')} Start an empty thread</button>
      </div>
      <p class="soft small">
        The demo is a made-up thread of about 1,500 turns with questions to try. ChatGPT, Claude, JSONL and plain text
        exports can be imported, or dropped anywhere on this page.
      </p>
      <p class="soft small privacy">Nothing leaves this tab: texts, memory and questions stay in this browser.</p>
    </div>`;
  }

  private readonly onDemo = async (): Promise<void> => {
    this.loading = true;
    await openDemo(this.session);
    this.loading = false;
  };

  static override readonly styles = [
    base,
    buttons,
    logoStyles,
    css`
      :host {
        display: grid;
        align-content: center;
        min-height: 100%;
        padding: var(--s6) var(--s5);
      }
      .welcome {
        display: grid;
        gap: var(--s4);
        max-width: 38rem;
        margin-inline: auto;
      }
      svg.logo {
        height: clamp(3.5rem, 9vw, 5.5rem);
        margin-inline-start: -0.4rem;
      }
      h1 {
        font-size: clamp(1.5rem, 4vw, 2.25rem);
        letter-spacing: -0.02em;
        line-height: 1.15;
      }
      .lead {
        font-size: var(--text-l);
        max-width: 34rem;
      }
      .ways {
        display: flex;
        flex-wrap: wrap;
        gap: var(--s3);
        padding-block: var(--s2);
      }
      .ways button {
        min-height: 2.75rem;
        padding-inline: var(--s4);
        font-size: var(--text-m);
      }
      .privacy {
        border-block-start: 1px solid var(--line);
        padding-block-start: var(--s4);
      }
      @media (max-width: 40rem) {
        .ways {
          display: grid;
        }
      }
    `,
  ];
}
