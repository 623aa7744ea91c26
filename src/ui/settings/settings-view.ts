import { css, html, LitElement, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { base, buttons } from '../design/shared-styles.ts';
import type { ModelsSession } from '../models/models-session.ts';
import type { Session } from '../session.ts';
import './answer-section.ts';
import './appearance-section.ts';
import './embedder-section.ts';
import './erase-section.ts';
import './storage-section.ts';
import './thread-section.ts';

/** Everything that is set once: how threads are remembered, the model, storage, the look, and the way out. */
@customElement('skein-settings')
export class SettingsView extends LitElement {
  @property({ attribute: false }) session!: Session;
  @property({ attribute: false }) models!: ModelsSession;

  override render(): TemplateResult {
    const { session, models } = this;
    return html`
      <h1>Settings</h1>
      <skein-thread-section .session=${session}></skein-thread-section>
      <skein-embedder-section .session=${session}></skein-embedder-section>
      <skein-answer-section .models=${models}></skein-answer-section>
      <skein-storage-section .session=${session}></skein-storage-section>
      <skein-appearance-section></skein-appearance-section>
      <skein-erase-section .session=${session} .models=${models}></skein-erase-section>
    `;
  }

  static override readonly styles = [
    base,
    buttons,
    css`
      :host {
        display: grid;
        gap: var(--s6);
        max-width: 44rem;
        margin-inline: auto;
        padding: var(--s5) var(--s5) var(--s7);
      }
      h1 {
        font-size: var(--text-2xl);
        letter-spacing: -0.02em;
      }
      @media (max-width: 56rem) {
        h1 {
          padding-inline-start: 2.75rem;
        }
      }
    `,
  ];
}
