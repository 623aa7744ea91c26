import { css, html, LitElement, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { base } from '../design/shared-styles.ts';

export interface SegmentOption {
  readonly value: string;
  readonly label: string;
}

/** One of a few, all in sight: a radio group in the shape of a switch. Fires `change` with `value` set. */
@customElement('skein-segmented')
export class Segmented extends LitElement {
  @property() label = '';
  @property() value = '';
  @property({ attribute: false }) options: readonly SegmentOption[] = [];

  override render(): TemplateResult {
    return html`<fieldset>
      <legend class="visually-hidden">${this.label}</legend>
      ${this.options.map(
        ({ value, label }) => html`<label>
          <input
            type="radio"
            name="segment"
            .value=${value}
            .checked=${value === this.value}
            @change=${() => this.choose(value)}
          /><span>${label}</span>
        </label>`,
      )}
    </fieldset>`;
  }

  private choose(value: string): void {
    this.value = value;
    this.dispatchEvent(new Event('change'));
  }

  static override readonly styles = [
    base,
    css`
      :host {
        display: inline-block;
      }
      fieldset {
        border: 0;
        margin: 0;
        padding: 2px;
        display: flex;
        background: var(--sunken);
        border-radius: var(--radius-m);
      }
      label {
        position: relative;
        cursor: pointer;
      }
      input {
        position: absolute;
        opacity: 0;
        inset: 0;
        margin: 0;
        cursor: pointer;
      }
      span {
        display: flex;
        align-items: center;
        min-height: calc(var(--touch) - 6px);
        padding: 0 var(--s3);
        font-size: var(--text-s);
        font-weight: 560;
        color: var(--ink-soft);
        border-radius: calc(var(--radius-m) - 2px);
        white-space: nowrap;
      }
      input:checked + span {
        background: var(--surface);
        color: var(--ink);
        box-shadow: 0 0 0 1px var(--line-strong);
      }
      input:focus-visible + span {
        outline: 2px solid var(--woad);
        outline-offset: 1px;
      }
    `,
  ];
}
