import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { icon } from '../design/icons.ts';
import { ModelsListener, type ModelsSession } from '../models/models-session.ts';
import { formatRoute } from '../router.ts';
import './answer-length-choice.ts';
import { sectionStyles } from './section-styles.ts';

/** Which language model answers, and the way to choose one. */
@customElement('skein-answer-section')
export class AnswerSection extends LitElement {
  @property({ attribute: false }) models!: ModelsSession;

  constructor() {
    super();
    new ModelsListener(this);
  }

  override render(): TemplateResult {
    const { chosen } = this.models;
    return html`
      <h2>Language model</h2>
      <p class="small">
        ${
          chosen
            ? html`<span class="title">${chosen.title}</span> answers questions.`
            : 'None: a question is answered with the turns that decide it.'
        }
      </p>
      ${chosen ? html`<skein-answer-length></skein-answer-length>` : nothing}
      <div class="row">
        <a class="button outline" href=${formatRoute({ kind: 'models' })}>${icon('model')} Choose a model</a>
      </div>
    `;
  }

  static override readonly styles = sectionStyles;
}
