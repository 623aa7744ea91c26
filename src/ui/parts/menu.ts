import { css, html, LitElement, type TemplateResult } from 'lit';
import { customElement, property, query } from 'lit/decorators.js';
import { type IconName, icon } from '../design/icons.ts';
import { base, buttons } from '../design/shared-styles.ts';

/**
 * A button that opens a small panel beside itself; the panel's content is slotted. It closes on Escape,
 * on a click outside, and when something inside is chosen (a click on an element with `data-close`).
 */
@customElement('skein-menu')
export class Menu extends LitElement {
  @property() label = '';
  @property() icon: IconName = 'more';
  @property({ type: Boolean, attribute: 'show-label' }) showLabel = false;
  @query('[popover]') private panel!: HTMLElement;
  @query('button') private button!: HTMLButtonElement;

  override render(): TemplateResult {
    return html`
      <button
        class=${this.showLabel ? 'with-label' : 'icon-only'}
        aria-expanded="false"
        aria-haspopup="true"
        aria-label=${this.label}
        title=${this.label}
        @click=${this.open}
      >
        ${icon(this.icon)}${this.showLabel ? html`<span>${this.label}</span>` : ''}
      </button>
      <div popover @beforetoggle=${this.onBeforeToggle} @toggle=${this.onToggle} @click=${this.onChoose}><slot></slot></div>
    `;
  }

  close(): void {
    if (this.panel.matches(':popover-open')) this.panel.hidePopover();
  }

  private readonly open = (): void => {
    if (this.panel.matches(':popover-open')) {
      this.close();
      return;
    }
    this.panel.showPopover();
    this.place();
    this.querySelector<HTMLElement>('a, button, input')?.focus();
  };

  /** Under the button, or above it where there is no room; it grows away from the button, inside the window. */
  private place(): void {
    const anchor = this.button.getBoundingClientRect();
    const { offsetWidth: width, offsetHeight: height } = this.panel;
    const left = Math.max(8, Math.min(anchor.right - width, innerWidth - width - 8));
    const below = anchor.bottom + 4;
    const isAbove = below + height > innerHeight - 8 && anchor.top - height - 4 >= 8;
    const top = below + height > innerHeight - 8 ? 8 : below;
    this.panel.style.left = `${left}px`;
    this.panel.style.top = isAbove ? 'auto' : `${top}px`;
    this.panel.style.bottom = isAbove ? `${innerHeight - anchor.top + 4}px` : 'auto';
  }

  /** What is slotted is not inside the panel as the browser sees it, so the focus is handed back here. */
  private readonly onBeforeToggle = (event: ToggleEvent): void => {
    const focused = (this.getRootNode() as Document | ShadowRoot).activeElement;
    if (event.newState === 'closed' && focused && this.contains(focused)) this.button.focus();
  };

  private readonly onToggle = (event: ToggleEvent): void => {
    const open = event.newState === 'open';
    this.button.setAttribute('aria-expanded', String(open));
    this.toggleAttribute('open', open);
  };

  private readonly onChoose = (event: Event): void => {
    const chosen = event
      .composedPath()
      .some((node) => node instanceof HTMLElement && 'close' in node.dataset);
    if (chosen) this.close();
  };

  static override readonly styles = [
    base,
    buttons,
    css`
      :host {
        display: inline-block;
      }
      @media (max-width: 40rem) {
        .with-label {
          width: var(--touch);
          padding: 0;
        }
        .with-label span {
          display: none;
        }
      }
      [popover] {
        position: fixed;
        inset: auto;
        margin: 0;
        padding: var(--s2);
        width: max-content;
        min-width: 11rem;
        max-width: calc(100vw - 1rem);
        color: var(--ink);
        background: var(--surface);
        border: 1px solid var(--line);
        border-radius: var(--radius-m);
        box-shadow: var(--shadow);
      }
    `,
  ];
}
