import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { cutText } from '../../core/text.ts';
import { base, buttons } from '../design/shared-styles.ts';
import { formatBytes } from '../format.ts';
import { splitAtTerms } from './highlight.ts';

/** Characters shown at first, and with each "show more": a 2 MB turn must not freeze the page. */
const FIRST = 4_000;
const STEP = 20_000;

/**
 * Text that somebody wrote, as text nodes only, with `terms` marked. Long text is shown in parts.
 */
@customElement('skein-user-text')
export class UserText extends LitElement {
  @property() text = '';
  @property({ attribute: false }) terms: readonly string[] = [];
  /** Characters shown before the first "show more". */
  @property({ type: Number }) first = FIRST;
  @state() private extra = 0;

  override render(): TemplateResult {
    const shown = cutText(this.text, this.first + this.extra);
    const rest = this.text.length - shown.length;
    return html`<div class="user-text" dir="auto">${markTerms(shown, this.terms)}${rest > 0 ? '…' : nothing}</div>
      ${
        rest > 0
          ? html`<button class="text-button" @click=${this.showMore}>
              Show ${rest > STEP ? `the next part (${formatBytes(rest)} left)` : 'all of it'}
            </button>`
          : nothing
      }`;
  }

  private readonly showMore = (): void => {
    this.extra += STEP;
  };

  static override readonly styles = [
    base,
    buttons,
    css`
      :host {
        display: block;
      }
    `,
  ];
}

/** `text` with each of `terms` inside a `<mark>`, built as nodes. */
export function markTerms(text: string, terms: readonly string[]): unknown {
  if (terms.length === 0) return text;
  return splitAtTerms(text, terms).map(({ text: piece, hit }) => (hit ? html`<mark>${piece}</mark>` : piece));
}
