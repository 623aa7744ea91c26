import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { customElement, property, query } from 'lit/decorators.js';
import { repeat } from 'lit/directives/repeat.js';
import { icon } from '../design/icons.ts';
import { base, buttons } from '../design/shared-styles.ts';
import { type Session, SessionListener, type Toast } from '../session.ts';

const SHOWN_FOR = 10_000;

/** Messages over the page: what was done (with undo) and what went wrong. Errors stay until they are closed. */
@customElement('skein-toasts')
export class Toasts extends LitElement {
  @property({ attribute: false }) session!: Session;
  @query('[popover]') private region!: HTMLElement;
  private readonly timers = new Map<number, ReturnType<typeof setTimeout>>();

  constructor() {
    super();
    new SessionListener(this, ({ kind }) => kind === 'toasts');
  }

  override render(): TemplateResult {
    const { toasts } = this.session;
    return html`<div popover="manual" @pointerenter=${this.hold} @pointerleave=${this.release} @focusin=${this.hold} @focusout=${this.release}>
      <div role="status">${this.list(toasts.filter(({ problem }) => !problem))}</div>
      <div role="alert">${this.list(toasts.filter(({ problem }) => problem))}</div>
    </div>`;
  }

  override updated(): void {
    this.release();
    const open = this.region.matches(':popover-open');
    // Shown again with each message, so that it lies over a dialog that was opened meanwhile.
    if (open) this.region.hidePopover();
    if (this.session.toasts.length > 0) this.region.showPopover();
  }

  private list(toasts: readonly Toast[]): unknown {
    return repeat(
      toasts,
      ({ id }) => id,
      (toast) => html`<div class="toast ${toast.problem ? 'problem' : ''}">
        ${toast.problem ? icon('warning') : nothing}
        <p>${toast.text}${toast.remedy ? html` <span class="remedy">${toast.remedy}</span>` : nothing}</p>
        ${
          toast.action
            ? html`<button class="action" @click=${() => this.act(toast)}>${toast.action.label}</button>`
            : nothing
        }
        <button class="icon-only" aria-label="Close this message" @click=${() => this.session.dismiss(toast.id)}>
          ${icon('close')}
        </button>
      </div>`,
    );
  }

  private act(toast: Toast): void {
    this.session.dismiss(toast.id);
    void toast.action?.run();
  }

  /** Nothing vanishes while it is pointed at or focused. */
  private readonly hold = (): void => {
    for (const timer of this.timers.values()) clearTimeout(timer);
    this.timers.clear();
  };

  private readonly release = (): void => {
    for (const { id, problem, action } of this.session.toasts) {
      if (problem || action?.stays || this.timers.has(id)) continue;
      const end = () => {
        this.timers.delete(id);
        this.session.dismiss(id);
      };
      this.timers.set(id, setTimeout(end, SHOWN_FOR));
    }
  };

  static override readonly styles = [
    base,
    buttons,
    css`
      [popover] {
        position: fixed;
        inset: auto auto calc(var(--composer-height, 0px) + var(--s4) + max(var(--s4), env(safe-area-inset-bottom))) 50%;
        translate: -50% 0;
        width: min(34rem, calc(100vw - 2rem));
        margin: 0;
        padding: 0;
        border: 0;
        background: none;
        overflow: visible;
      }
      [popover] > div {
        display: grid;
        gap: var(--s2);
      }
      .toast {
        display: flex;
        align-items: center;
        gap: var(--s2);
        padding: var(--s1) var(--s1) var(--s1) var(--s4);
        margin-block-start: var(--s2);
        background: var(--ink);
        color: var(--paper);
        border-radius: var(--radius-m);
        box-shadow: var(--shadow);
        font-size: var(--text-s);
      }
      p {
        margin-inline-end: auto;
        padding-block: var(--s2);
        overflow-wrap: anywhere;
      }
      .problem {
        background: var(--madder);
        color: var(--on-madder);
      }
      .action {
        text-decoration: underline;
        text-underline-offset: 0.2em;
      }
      .toast button:hover {
        background: color-mix(in srgb, currentColor 18%, transparent);
      }
      .toast :focus-visible {
        outline-color: currentColor;
        outline-offset: -3px;
      }
    `,
  ];
}
