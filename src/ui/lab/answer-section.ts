import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { live } from 'lit/directives/live.js';
import type { AnswerModel } from '../../answer/models.ts';
import { ANSWER_WAYS, type AnswerWay, isSmall } from '../../bench/engine-answerer.ts';
import { icon } from '../design/icons.ts';
import { formatBytes, formatCount } from '../format.ts';
import { LabListener, type LabSession } from './lab-session.ts';
import { labStyles } from './lab-styles.ts';

const WAYS: Readonly<Record<AnswerWay, string>> = {
  written: 'writes a rationale, then the letter',
  forced: 'the likeliest letter first, then a short rationale (for very small models)',
};
const CONTEXTS: readonly (number | undefined)[] = [undefined, 256, 512, 1_024, 2_048, 4_096];

/** Whether a language model answers the questions, which one, and how. */
@customElement('skein-lab-answers')
export class AnswerSection extends LitElement {
  @property({ attribute: false }) lab!: LabSession;
  @state() private models: readonly AnswerModel[] | undefined;

  constructor() {
    super();
    new LabListener(this, ['setup']);
  }

  override firstUpdated(): void {
    void this.lab.attempt(async () => {
      this.models = await this.lab.answerModels();
    });
  }

  override render(): TemplateResult {
    const { answerModel } = this.lab.setup.choices;
    return html`
      <label class="field"
        >Answers
        <select ?disabled=${this.models === undefined} @change=${this.onModel}>
          <option value="" ?selected=${!answerModel}>None: retrieval only</option>
          ${this.models?.map(
            ({ id, title }) =>
              html`<option value=${id} ?selected=${id === answerModel?.id}>${title}</option>`,
          )}
        </select>
        <span class="soft small">
          Models that are on this device, come with the site or run on a server that you named; more under Models.
        </span>
      </label>
      ${answerModel ? this.settings(answerModel) : nothing}
    `;
  }

  private settings({ note, source, bytes, engine }: AnswerModel): TemplateResult {
    const { answerWay, contextTokens, buildsSystems } = this.lab.setup.choices;
    return html`
      <p class="notice">
        ${icon('info')}<span>
          ${note} ${source.kind === 'site' ? `${formatBytes(bytes)} are loaded from this site once.` : nothing}
          ${engine === 'transformers' ? 'On a processor an answer takes seconds: ask few questions, or cut the prompts.' : nothing}
        </span>
      </p>
      <label class="field"
        >The model
        <select @change=${this.onWay}>
          ${ANSWER_WAYS.map((way) => html`<option value=${way} ?selected=${way === answerWay}>${WAYS[way]}</option>`)}
        </select>
      </label>
      <label class="field"
        >Longest prompt
        <select @change=${this.onContext}>
          ${CONTEXTS.map(
            (tokens) => html`<option value=${tokens ?? ''} ?selected=${tokens === contextTokens}>
              ${tokens === undefined ? 'what the model’s window leaves' : `${formatCount(tokens)} tokens`}
            </option>`,
          )}
        </select>
        <span class="soft small">A longer context loses its first turns; the result counts how often.</span>
      </label>
      <label class="choice">
        <input type="checkbox" .checked=${live(buildsSystems)} @change=${this.onBuilds} />
        <span
          >Built by the answer model
          <span class="soft small">RAPTOR, MemGPT, HippoRAG and Hybrid-Rerank use it in place of rules, which takes long.</span></span
        >
      </label>
    `;
  }

  private readonly onModel = (event: Event): void => {
    const { value } = event.target as HTMLSelectElement;
    const answerModel = this.models?.find(({ id }) => id === value);
    const small = answerModel !== undefined && isSmall(answerModel);
    this.lab.setup.choose({
      answerModel,
      answerWay: small ? 'forced' : 'written',
      contextTokens: small ? 512 : undefined,
    });
  };

  private readonly onWay = (event: Event): void => {
    this.lab.setup.choose({ answerWay: (event.target as HTMLSelectElement).value as AnswerWay });
  };

  private readonly onContext = (event: Event): void => {
    const { value } = event.target as HTMLSelectElement;
    this.lab.setup.choose({ contextTokens: value === '' ? undefined : Number(value) });
  };

  private readonly onBuilds = (event: Event): void => {
    this.lab.setup.choose({ buildsSystems: (event.target as HTMLInputElement).checked });
  };

  static override readonly styles = [
    ...labStyles,
    css`
      :host {
        display: grid;
        grid-template-columns: minmax(0, 1fr);
        gap: var(--s4);
      }
      select {
        width: min(24rem, 100%);
      }
    `,
  ];
}
