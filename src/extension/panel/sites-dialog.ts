import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { customElement, property, query, state } from 'lit/decorators.js';
import { icon } from '../../ui/design/icons.ts';
import { base, buttons, dialogs, fields } from '../../ui/design/shared-styles.ts';
import { counted } from '../../ui/format.ts';
import type { Session } from '../../ui/session.ts';
import type { Host } from '../host/host.ts';
import type { Inbox } from '../inbox/inbox.ts';
import { knownSites } from '../known-sites.ts';
import type { CaptureState } from '../messages.ts';
import { changeSite, type SiteSetting, siteSetting } from '../settings.ts';
import type { SiteDescription } from '../sites/site.ts';
import { CAPTURE_STATES } from './page-bar.ts';
import { deleteKept, leaveSite, useSite } from './site-use.ts';

interface Entry {
  readonly site: SiteDescription;
  readonly setting: SiteSetting;
  readonly kept: number;
}

/** Every site: whether Skein is used there, what is captured, what is kept of it, and the way to delete it. */
@customElement('skein-sites-dialog')
export class SitesDialog extends LitElement {
  @property({ attribute: false }) session!: Session;
  @property({ attribute: false }) host!: Host;
  @property({ attribute: false }) inbox!: Inbox;
  @state() private entries: readonly Entry[] = [];
  @state() private recalled: string | undefined;
  @state() private captured: string | undefined;
  /** The site whose turns are deleted once it is confirmed. */
  @state() private deleting: string | undefined;
  @query('dialog') private readonly dialog!: HTMLDialogElement;

  async open(): Promise<void> {
    this.deleting = undefined;
    await this.read();
    this.dialog.showModal();
  }

  override firstUpdated(): void {
    chrome.storage.local.onChanged.addListener(() => {
      if (this.dialog.open) void this.read();
    });
  }

  override render(): TemplateResult {
    return html`<dialog aria-labelledby="title">
      <header class="row">
        <h2 id="title">Sites</h2>
        <button class="icon-only" aria-label="Close" @click=${() => this.dialog.close()}>${icon('close')}</button>
      </header>
      <p class="soft small">
        Skein keeps away from a site until you use it there, and keeps none of its turns until you turn capture on. What
        it keeps stays in this browser.
      </p>
      <ul>
        ${this.entries.map((entry) => html`<li>${this.entry(entry)}</li>`)}
      </ul>
      ${this.threads()}
    </dialog>`;
  }

  private entry({ site, setting, kept }: Entry): TemplateResult {
    return html`
      <div class="row head">
        <div>
          <h3>${site.name}</h3>
          <p class="soft small">${kept === 0 ? 'Nothing kept' : `${counted(kept, 'turn')} kept`}</p>
        </div>
        ${
          setting.used
            ? html`<button class="text-button" @click=${() => this.change(() => leaveSite(site, this.inbox))}>Stop using it</button>`
            : html`<button class="outline" @click=${() => this.change(() => useSite(site))}>Use Skein on ${site.name}</button>`
        }
      </div>
      ${setting.used ? this.capture(site, setting) : nothing}
      ${kept > 0 ? this.deletion(site, kept) : nothing}
    `;
  }

  private capture(site: SiteDescription, { capture }: SiteSetting): TemplateResult {
    return html`<div class="row">
      <span class="small">Capture</span>
      <skein-segmented
        label="Capture on ${site.name}"
        .options=${CAPTURE_STATES}
        .value=${capture}
        @change=${(event: Event) => {
          const value = (event.target as HTMLInputElement).value as CaptureState;
          void this.change(() => changeSite(site.id, { capture: value }));
        }}
      ></skein-segmented>
    </div>`;
  }

  private deletion(site: SiteDescription, kept: number): TemplateResult {
    const { id, name } = site;
    if (this.deleting !== id) {
      return html`<button class="text-button danger" @click=${() => this.askFirst(id)}>
        ${icon('erase')} Delete what was kept of ${name}
      </button>`;
    }
    return html`<div class="row" role="group" aria-label="Delete what was kept of ${name}">
      <p class="small">
        ${counted(kept, 'turn')} of ${name} are erased from this browser, with everything derived from them, and capture
        is turned off there. There is no undo.
      </p>
      <button class="danger solid" @click=${() => this.delete(site)}>Delete them</button>
      <button class="outline" @click=${() => this.askFirst(undefined)}>Keep them</button>
    </div>`;
  }

  /** A thread of one's own can be recalled from on chat sites, too. */
  private threads(): TemplateResult | typeof nothing {
    const others = this.session.threads.filter(({ id }) => id !== this.captured);
    if (others.length === 0) return nothing;
    return html`<label class="field">
      Recall from captured chats, and from
      <select @change=${this.onThread}>
        <option value="" ?selected=${this.recalled === undefined}>no other thread</option>
        ${others.map(({ id, name }) => html`<option value=${id} ?selected=${id === this.recalled}>${name}</option>`)}
      </select>
    </label>`;
  }

  private async read(): Promise<void> {
    const sites = await knownSites();
    const { inbox } = this;
    this.entries = await Promise.all(
      sites.map(async (site) => ({
        site,
        setting: await siteSetting(site.id),
        kept: await inbox.keptOfSite(site.id),
      })),
    );
    this.recalled = await inbox.recalledThread();
    this.captured = await inbox.thread();
  }

  private async change(work: () => Promise<unknown>): Promise<void> {
    await this.session.attempt(work);
    await this.read();
  }

  private askFirst(site: string | undefined): void {
    this.deleting = site;
  }

  private async delete(site: SiteDescription): Promise<void> {
    this.deleting = undefined;
    await this.change(() => deleteKept(this.host, site));
  }

  private readonly onThread = (event: Event): void => {
    const { value } = event.target as HTMLSelectElement;
    void this.change(() => this.inbox.chooseRecalledThread(value === '' ? undefined : value));
  };

  static override readonly styles = [
    base,
    buttons,
    fields,
    dialogs,
    css`
      dialog {
        width: min(34rem, calc(100vw - 2 * var(--s4)));
        max-height: calc(100dvh - 2 * var(--s5));
        padding: var(--s4) var(--s5) var(--s5);
        background: var(--paper);
      }
      header,
      .head {
        justify-content: space-between;
      }
      ul {
        margin-block: var(--s3);
      }
      li {
        display: grid;
        justify-items: start;
        gap: var(--s2);
        padding-block: var(--s3);
        border-block-start: 1px solid var(--line);
      }
      .head {
        width: 100%;
      }
      h3 {
        font-size: var(--text-m);
      }
    `,
  ];
}
