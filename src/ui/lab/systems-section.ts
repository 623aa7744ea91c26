import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { live } from 'lit/directives/live.js';
import type { QueryMode } from '../../bench/exchange.ts';
import type { SystemChoice } from '../../bench/lab/contract.ts';
import { EMBEDDING_MODELS } from '../../embed/registry.ts';
import { formatBytes } from '../format.ts';
import { LabListener, type LabSession } from './lab-session.ts';
import { labStyles } from './lab-styles.ts';
import { hasSystemPage, openSystemPage } from './system-page.ts';

const MODES: readonly { mode: QueryMode; title: string; explanation: string }[] = [
  { mode: 'query', title: 'The question alone', explanation: 'As in a chat, which has no options.' },
  {
    mode: 'query+options',
    title: 'With its options',
    explanation: 'As in the paper’s protocol; questions without options are asked alone only.',
  },
];

/** What is run: systems, how they are asked, and with which vectors. */
@customElement('skein-lab-systems')
export class SystemsSection extends LitElement {
  @property({ attribute: false }) lab!: LabSession;

  constructor() {
    super();
    new LabListener(this, ['setup']);
  }

  override render(): TemplateResult {
    const { modes, writeBack, model } = this.lab.setup.choices;
    return html`
      <fieldset>
        <legend>Systems</legend>
        <ul class="systems">${this.lab.systems.map((system) => this.system(system))}</ul>
      </fieldset>
      <fieldset>
        <legend>Asked with</legend>
        ${MODES.map(
          ({ mode, title, explanation }) => html`<label class="choice">
            <input type="checkbox" .checked=${live(modes.includes(mode))} @change=${() => this.toggleMode(mode)} />
            <span>${title} <span class="soft small">${explanation}</span></span>
          </label>`,
        )}
        <label class="choice">
          <input type="checkbox" .checked=${live(writeBack)} @change=${this.onWriteBack} />
          <span
            >Write back
            <span class="soft small">Each question is added to the thread once it was asked; a fresh memory for each condition.</span></span
          >
        </label>
      </fieldset>
      <label class="field"
        >Embedding model
        <select @change=${this.onModel}>
          ${EMBEDDING_MODELS.map(
            ({ name, title, shipped, weights }) => html`<option value=${name} ?selected=${name === model}>
              ${title}${shipped ? '' : `, ${formatBytes(weights[0]!.bytes)} from a model hub`}
            </option>`,
          )}
        </select>
      </label>
    `;
  }

  private system({ name, title, summary }: SystemChoice): TemplateResult {
    const chosen = this.lab.setup.choices.systems.includes(name);
    return html`<li>
      <label class="choice">
        <input type="checkbox" .checked=${live(chosen)} @change=${() => this.toggleSystem(name)} />
        <span><span class="title">${title}</span> <span class="soft small">${summary}</span></span>
      </label>
      ${
        hasSystemPage(name)
          ? html`<button class="text-button" aria-label="About ${title}" @click=${() => openSystemPage(name, title)}>
              About
            </button>`
          : nothing
      }
    </li>`;
  }

  private toggleSystem(name: string): void {
    const { systems } = this.lab.setup.choices;
    const chosen = systems.includes(name) ? systems.filter((other) => other !== name) : [...systems, name];
    // They run in the order of tables.
    this.lab.setup.choose({
      systems: this.lab.systems.map((system) => system.name).filter((one) => chosen.includes(one)),
    });
  }

  private toggleMode(mode: QueryMode): void {
    const { modes } = this.lab.setup.choices;
    const chosen = modes.includes(mode) ? modes.filter((other) => other !== mode) : [...modes, mode];
    this.lab.setup.choose({ modes: MODES.map((one) => one.mode).filter((one) => chosen.includes(one)) });
  }

  private readonly onWriteBack = (event: Event): void => {
    this.lab.setup.choose({ writeBack: (event.target as HTMLInputElement).checked });
  };

  private readonly onModel = (event: Event): void => {
    this.lab.setup.choose({ model: (event.target as HTMLSelectElement).value });
  };

  static override readonly styles = [
    ...labStyles,
    css`
      :host {
        display: grid;
        grid-template-columns: minmax(0, 1fr);
        gap: var(--s5);
      }
      legend {
        font-size: var(--text-l);
        padding-block-end: var(--s2);
      }
      .systems {
        border-block-start: 1px solid var(--line);
      }
      .systems li {
        display: flex;
        align-items: center;
        gap: var(--s3);
        border-block-end: 1px solid var(--line);
      }
      .systems label {
        flex: 1;
        padding: var(--s2) 0;
      }
      .title {
        font-weight: 560;
        margin-inline-end: var(--s1);
      }
      .choice {
        padding: var(--s1) 0;
      }
      select {
        width: min(24rem, 100%);
      }
    `,
  ];
}
