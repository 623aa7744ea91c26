import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import type { ThreadView } from '../../engine/contract.ts';
import type { ConfigurationName } from '../../store/records.ts';
import { askPerson } from '../parts/confirm.ts';
import { type Session, SessionListener } from '../session.ts';
import { sectionStyles } from './section-styles.ts';

const CONFIGURATIONS: readonly { name: ConfigurationName; title: string; explanation: string }[] = [
  {
    name: 'skein',
    title: 'Skein',
    explanation:
      'Cuts where the subject and its words change, and ranks by meaning and words together. The default.',
  },
  {
    name: 'tsim-fitted',
    title: 'TSIM, fitted',
    explanation: 'The method of the TSIM paper with its threshold fitted to the embedding model.',
  },
  {
    name: 'tsim',
    title: 'TSIM, as published',
    explanation: 'The constants of the paper unchanged, for comparison.',
  },
];

/** How a thread is cut into episodes and ranked. */
@customElement('skein-thread-section')
export class ThreadSection extends LitElement {
  @property({ attribute: false }) session!: Session;
  @state() private chosen = '';

  constructor() {
    super();
    new SessionListener(this, ({ kind }) => kind === 'threads' || kind === 'tab');
  }

  override render(): TemplateResult | typeof nothing {
    const threads = [...this.session.threads].sort((a, b) => b.updatedAt - a.updatedAt);
    const thread = threads.find(({ id }) => id === this.chosen) ?? threads[0];
    if (!thread) return nothing;
    return html`
      <h2 id="title">How a thread is remembered</h2>
      <label class="field"
        >Thread
        <select @change=${this.onThread}>
          ${threads.map(({ id, name }) => html`<option value=${id} ?selected=${id === thread.id}>${name}</option>`)}
        </select>
      </label>
      <fieldset aria-labelledby="title" ?disabled=${this.session.readOnly}>
        ${CONFIGURATIONS.map(
          ({ name, title, explanation }) => html`<label class="choice">
            <input
              type="radio"
              name="configuration"
              .checked=${thread.configuration === name}
              @change=${() => this.configure(thread, name)}
            />
            <span><span class="title">${title}</span><span class="soft small">${explanation}</span></span>
          </label>`,
        )}
      </fieldset>
    `;
  }

  private async configure(thread: ThreadView, configuration: ConfigurationName): Promise<void> {
    const answer = await askPerson({
      title: 'Rebuild the episodes of this thread?',
      body: [
        `“${thread.name}” is cut into episodes anew, from the vectors that are stored. No turn changes.`,
        'Pinned and forgotten marks belong to the old episodes and may be lost.',
      ],
      confirm: 'Rebuild',
    });
    if (answer !== undefined) {
      await this.session.attempt(() => this.session.engine.configureThread(thread.id, configuration));
    }
    await this.session.attempt(() => this.session.refreshThreads());
    this.requestUpdate();
  }

  private readonly onThread = (event: Event): void => {
    this.chosen = (event.target as HTMLSelectElement).value;
  };

  static override readonly styles = sectionStyles;
}
