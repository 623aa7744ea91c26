import { css, html, LitElement, type TemplateResult } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import { ANSWER_LENGTHS, answerLength, chooseAnswerLength } from '../chat/answer-length.ts';
import { base } from '../design/shared-styles.ts';
import { formatCount } from '../format.ts';
import '../parts/segmented.ts';

/** How long answers of a language model may get. */
@customElement('skein-answer-length')
export class AnswerLengthChoice extends LitElement {
  @state() private length = answerLength();

  override render(): TemplateResult {
    return html`
      <skein-segmented
        label="Length of an answer"
        .options=${ANSWER_LENGTHS}
        .value=${String(this.length)}
        @change=${this.onLength}
      ></skein-segmented>
      <p class="soft small">
        An answer is cut off at ${formatCount(this.length)} tokens, some ${formatCount(this.length * 0.75)} words. The
        rest of the model's window is for what is recalled.
      </p>
    `;
  }

  private readonly onLength = (event: Event): void => {
    chooseAnswerLength((event.target as HTMLInputElement).value);
    this.length = answerLength();
  };

  static override readonly styles = [
    base,
    css`
      :host {
        display: grid;
        gap: var(--s2);
        justify-items: start;
      }
    `,
  ];
}
