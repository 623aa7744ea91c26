import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { customElement, property, query, state } from 'lit/decorators.js';
import { unreachable } from '../../core/unreachable.ts';
import { icon } from '../../ui/design/icons.ts';
import { base, buttons, notices } from '../../ui/design/shared-styles.ts';
import { counted } from '../../ui/format.ts';
import type { Session } from '../../ui/session.ts';
import type { Host } from '../host/host.ts';
import type { Inbox } from '../inbox/inbox.ts';
import type { CaptureState } from '../messages.ts';
import { changeSite } from '../settings.ts';
import { type MoveProblem, moveProblem } from '../shown.ts';
import { type ActivePage, readActivePage, watchActivePage } from './active-page.ts';
import { teachPage, useSite } from './site-use.ts';
import type { SitesDialog } from './sites-dialog.ts';
import './page-recall.ts';
import './sites-dialog.ts';

export const CAPTURE_STATES: readonly { value: CaptureState; label: string }[] = [
  { value: 'off', label: 'Off' },
  { value: 'on', label: 'On' },
  { value: 'paused', label: 'Paused' },
];

/** Above the app: the page beside the panel, whether its turns are kept, and the way to recall for it. */
@customElement('skein-page-bar')
export class PageBar extends LitElement {
  @property({ attribute: false }) session!: Session;
  @property({ attribute: false }) host!: Host;
  @property({ attribute: false }) inbox!: Inbox;
  /** False in a tab of its own, which stands beside no page. */
  @property({ type: Boolean }) beside = false;
  /** A page other than that of the active tab. */
  @property({ type: Number }) tabId: number | undefined;
  @state() private page: ActivePage = { kind: 'none' };
  @state() private open = false;
  /** Why kept turns can't be recalled yet. */
  @state() private problem: MoveProblem | undefined;
  @query('skein-sites-dialog') private readonly sites!: SitesDialog;
  /** Counts readings, so that a late one of another page is not shown. */
  private readings = 0;

  override firstUpdated(): void {
    if (!this.beside) return;
    watchActivePage(() => void this.read());
    void this.read();
  }

  override render(): TemplateResult {
    return html`
      <section aria-label="This page">
        <div class="row">
          <div class="what">${this.beside ? this.what() : html`<p class="soft small">Skein on chat sites</p>`}</div>
          <button class="text-button" @click=${() => this.sites.open()}>Sites</button>
        </div>
        ${this.beside ? this.details() : nothing}
        ${this.problem ? moveNotice(this.problem) : nothing}
      </section>
      <skein-sites-dialog .session=${this.session} .host=${this.host} .inbox=${this.inbox}></skein-sites-dialog>
    `;
  }

  private what(): TemplateResult {
    const { page } = this;
    switch (page.kind) {
      case 'none':
        return html`<p class="soft small">Skein is not used on this page.</p>`;
      case 'unknown':
        return html`<p class="name"><bdi>${new URL(page.origin).host}</bdi></p>
          <p class="soft small">Not a site that Skein knows.</p>`;
      case 'site':
        return html`<p class="name">${page.site.name}</p>
          <p class="soft small" role="status">${stateInWords(page)}</p>`;
      default:
        return unreachable(page);
    }
  }

  private details(): TemplateResult | typeof nothing {
    const { page } = this;
    if (page.kind === 'none') return nothing;
    if (page.kind === 'unknown') {
      return html`<div class="row">
        <button class="outline" @click=${() => this.teach(page.tabId, page.origin)}>Teach Skein this site</button>
      </div>`;
    }
    const { site, setting, tabId } = page;
    if (!setting.used) {
      return html`<div class="row">
        <button class="primary" @click=${() => this.session.attempt(() => useSite(site))}>Use Skein on ${site.name}</button>
      </div>`;
    }
    return html`
      ${setting.missing.length > 0 ? changedNotice(site.name, setting.missing) : nothing}
      <div class="row spread">
        <span class="row">
          <span class="small" id="capture">Capture</span>
          <skein-segmented
            label="Capture on ${site.name}"
            .options=${CAPTURE_STATES}
            .value=${setting.capture}
            @change=${(event: Event) => this.setCapture(site.id, event)}
          ></skein-segmented>
        </span>
        <button class="text-button recall" aria-expanded=${this.open} @click=${this.onToggle}>
          Recall for this page <span class="chevron" aria-hidden="true">${icon('chevron')}</span>
        </button>
      </div>
      ${
        this.open
          ? html`<skein-page-recall .session=${this.session} .host=${this.host} .tabId=${tabId}></skein-page-recall>`
          : nothing
      }
    `;
  }

  private async read(): Promise<void> {
    const reading = ++this.readings;
    const [page, problem] = await Promise.all([readActivePage(this.tabId), moveProblem()]);
    if (reading !== this.readings) return;
    this.page = page;
    this.problem = problem;
  }

  private setCapture(site: string, event: Event): void {
    const capture = (event.target as HTMLInputElement).value as CaptureState;
    void this.session.attempt(() => changeSite(site, { capture }));
  }

  private teach(tabId: number, origin: string): void {
    void this.session.attempt(() => teachPage(tabId, origin));
  }

  private readonly onToggle = (): void => {
    this.open = !this.open;
  };

  static override readonly styles = [
    base,
    buttons,
    notices,
    css`
      :host {
        display: block;
        border-block-end: 1px solid var(--line);
        background: var(--surface);
      }
      section {
        display: grid;
        gap: var(--s2);
        padding: var(--s2) var(--s4);
      }
      .row {
        min-width: 0;
      }
      .what {
        flex: 1;
        min-width: 0;
      }
      .name {
        font-weight: 620;
        overflow: hidden;
        text-overflow: ellipsis;
      }
      .spread {
        justify-content: space-between;
      }
      .text-button {
        margin-inline: calc(-1 * var(--s2));
      }
      .chevron {
        display: inline-flex;
        transition: rotate var(--ease);
      }
      [aria-expanded="true"] .chevron {
        rotate: 90deg;
      }
    `,
  ];
}

function stateInWords({ setting, kept }: Extract<ActivePage, { kind: 'site' }>): string {
  if (!setting.used) return 'Skein is not used on this site yet.';
  const turns = kept === undefined ? '' : `${counted(kept, 'turn')} of this conversation kept`;
  switch (setting.capture) {
    case 'on':
      return turns || 'New turns are kept.';
    case 'paused':
      return turns ? `Paused; ${turns}` : 'Paused';
    case 'off':
      return kept ? `Nothing new is kept; ${turns}` : 'Nothing is kept from this site.';
    default:
      return unreachable(setting.capture);
  }
}

/** Kept, but not in the thread yet. */
function moveNotice({ message, remedy }: MoveProblem): TemplateResult {
  return html`<div class="notice caution" role="status">
    ${icon('warning')}
    <p><strong>Kept turns can’t be recalled yet.</strong> ${message} ${remedy}</p>
  </div>`;
}

/** What the content script can't find any more, as a person would call it. */
const PARTS: Readonly<Record<string, string>> = {
  userTurn: 'your messages',
  assistantTurn: 'the answers',
  composer: 'the field you write in',
  sendButton: 'the send button',
};

function changedNotice(site: string, missing: readonly string[]): TemplateResult {
  const parts = missing.map((part) => PARTS[part] ?? part).join(', ');
  return html`<div class="notice caution" role="status">
    ${icon('warning')}
    <p>
      <strong>${site} has changed.</strong> Skein does not find ${parts}, so that it may keep nothing here. Recall for
      this page still works, with copy and paste.
    </p>
  </div>`;
}
