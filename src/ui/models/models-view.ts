import { css, html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { customElement, property, query, state } from 'lit/decorators.js';
import { repeat } from 'lit/directives/repeat.js';
import { type SkeinError, toSkeinError } from '../../core/errors.ts';
import { icon } from '../design/icons.ts';
import { base, buttons, notices } from '../design/shared-styles.ts';
import { counted, formatBytes } from '../format.ts';
import type { Session } from '../session.ts';
import type { DroppedFile } from '../shell/dropped-files.ts';
import { groupModels, keptBytes, type ModelGroup } from './model-groups.ts';
import { ModelItem } from './model-item.ts';
import type { ModelView } from './model-view.ts';
import { ModelsListener, type ModelsSession } from './models-session.ts';
import type { OwnModelsSection } from './own-models-section.ts';
import './device-section.ts';
import './in-use-section.ts';
import './own-models-section.ts';

const TITLES: Readonly<Record<ModelGroup['kind'], string>> = {
  here: 'On this device',
  fits: 'Fits this device',
  'may-not-fit': 'May not fit',
  'cannot-run': 'Can’t run here',
};

const HINTS: Readonly<Partial<Record<ModelGroup['kind'], string>>> = {
  fits: 'Small ones come first. Larger ones answer better, and take longer to download and to write.',
  'may-not-fit': 'These can be tried; a failure loses nothing but the time.',
};

/** Every language model that can be chosen, with what fits this device, its download, and one's own. */
@customElement('skein-models')
export class ModelsView extends LitElement {
  @property({ attribute: false }) session!: Session;
  @property({ attribute: false }) models!: ModelsSession;
  @state() private problem: SkeinError | undefined;
  private focusedId: string | undefined;
  @query('skein-own-models-section') private readonly own!: OwnModelsSection | null;

  constructor() {
    super();
    new ModelsListener(this, ['models']);
  }

  override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('models')) void this.read();
    const focused = this.shadowRoot?.activeElement;
    this.focusedId = focused instanceof ModelItem ? focused.view.model.id : undefined;
  }

  /** A model that moves to another group is drawn anew there; the focus goes with it. */
  override updated(): void {
    const { focusedId } = this;
    if (focusedId === undefined || this.shadowRoot?.activeElement) return;
    const items = [...this.renderRoot.querySelectorAll<ModelItem>('skein-model-item')];
    const moved = items.find(({ view }) => view.model.id === focusedId);
    void moved?.updateComplete.then(() => moved.focusAction());
  }

  /** Adds the model in files that were dropped on the page. */
  async takeFiles(files: readonly DroppedFile[]): Promise<void> {
    await this.own?.takeFiles(files);
  }

  override render(): TemplateResult {
    const { session, models } = this;
    const groups = groupModels(models.models);
    return html`
      <h1>Models</h1>
      <p class="soft lead">
        A language model writes an answer from the turns that decide it. It runs inside this tab, and what you write
        goes nowhere, unless its description says otherwise. Without one, Skein shows you those turns.
      </p>
      <skein-in-use-section .session=${session} .models=${models}></skein-in-use-section>
      ${this.problem ? this.failed(this.problem) : nothing}
      ${groups.filter(({ kind }) => kind !== 'cannot-run').map((group) => this.group(group))}
      <skein-own-models-section .session=${session} .models=${models}></skein-own-models-section>
      ${groups.filter(({ kind }) => kind === 'cannot-run').map((group) => this.group(group))}
      <skein-device-section .session=${session} .models=${models}></skein-device-section>
    `;
  }

  private group({ kind, views, more }: ModelGroup): TemplateResult {
    const content = html`${this.list(views)}
    ${
      more.length > 0
        ? html`<details class="more">
            <summary class="small">${counted(more.length, 'other build')} of these models</summary>
            ${this.list(more)}
          </details>`
        : nothing
    }`;
    if (kind === 'cannot-run') {
      return html`<section>
        <details>
          <summary><h2>${TITLES[kind]}</h2> <span class="soft small number">${counted(views.length, 'model')}</span></summary>
          ${content}
        </details>
      </section>`;
    }
    const total = kind === 'here' ? keptBytes(views) : 0;
    return html`<section aria-labelledby=${kind}>
      <div class="heading">
        <h2 id=${kind}>${TITLES[kind]}</h2>
        ${total > 0 ? html`<span class="soft small number">${formatBytes(total)} in all</span>` : nothing}
      </div>
      ${HINTS[kind] ? html`<p class="soft small hint">${HINTS[kind]}</p>` : nothing}
      ${content}
    </section>`;
  }

  private list(views: readonly ModelView[]): TemplateResult {
    return html`<ul>
      ${repeat(
        views,
        ({ model }) => model.id,
        (view) =>
          html`<li>
            <skein-model-item .session=${this.session} .models=${this.models} .view=${view}></skein-model-item>
          </li>`,
      )}
    </ul>`;
  }

  private failed({ message, remedy }: SkeinError): TemplateResult {
    return html`<div class="notice problem" role="alert">
      ${icon('warning')}
      <div>
        <p>The list of models could not be read. ${message} ${remedy}</p>
        <button class="text-button" @click=${this.read}>Try again</button>
      </div>
    </div>`;
  }

  private readonly read = async (): Promise<void> => {
    this.problem = undefined;
    try {
      await this.models.ready;
      await this.models.refresh();
    } catch (error) {
      this.problem = toSkeinError(error);
    }
  };

  static override readonly styles = [
    base,
    buttons,
    notices,
    css`
      :host {
        display: grid;
        gap: var(--s6);
        max-width: 48rem;
        margin-inline: auto;
        padding: var(--s5) var(--s5) var(--s7);
      }
      h1 {
        font-size: var(--text-2xl);
        letter-spacing: -0.02em;
      }
      .lead {
        max-width: 40rem;
        margin-block-start: calc(-1 * var(--s4));
      }
      section {
        border-block-start: 1px solid var(--line);
        padding-block-start: var(--s4);
        min-width: 0;
      }
      .heading,
      summary:has(h2) {
        display: flex;
        gap: var(--s3);
        align-items: baseline;
        justify-content: space-between;
      }
      h2 {
        font-size: var(--text-l);
      }
      .hint {
        margin-block-start: var(--s1);
      }
      li + li {
        border-block-start: 1px solid var(--line);
      }
      summary {
        cursor: pointer;
      }
      summary:has(h2)::before {
        content: '▸';
        color: var(--ink-soft);
      }
      details[open] > summary:has(h2)::before {
        content: '▾';
      }
      summary:has(h2) h2 {
        flex: 1;
      }
      .more > summary {
        padding-block: var(--s2);
        color: var(--woad);
      }
      @media (max-width: 56rem) {
        h1 {
          padding-inline-start: 2.75rem;
        }
      }
    `,
  ];
}
