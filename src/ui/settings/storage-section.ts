import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import type { StorageState } from '../../engine/contract.ts';
import { icon } from '../design/icons.ts';
import { formatBytes } from '../format.ts';
import type { Session } from '../session.ts';
import { saveEverything } from '../shell/thread-actions.ts';
import { sectionStyles } from './section-styles.ts';

/** How much is stored, whether the browser may clear it, and the way to keep a copy. */
@customElement('skein-storage-section')
export class StorageSection extends LitElement {
  @property({ attribute: false }) session!: Session;
  @state() private storage: StorageState | undefined;
  @state() private refused = false;

  override firstUpdated(): void {
    void this.load();
  }

  override render(): TemplateResult {
    return html`
      <h2>Storage</h2>
      ${this.storage ? this.meter(this.storage) : nothing}
      <p class="soft small">
        An export holds your threads with their episodes, vectors and questions, and can be imported again.
      </p>
      <div class="row">
        <button class="outline" @click=${() => saveEverything(this.session)}>${icon('export')} Export everything</button>
      </div>
    `;
  }

  private meter({ usedBytes, quotaBytes, persisted }: StorageState): TemplateResult {
    return html`
      <progress aria-label="Storage used" max=${quotaBytes || 1} value=${usedBytes}></progress>
      <p class="small number">${formatBytes(usedBytes)} used of the ${formatBytes(quotaBytes)} this browser allows.</p>
      ${
        persisted
          ? html`<p class="small status">${icon('check')} The browser keeps this data until you erase it.</p>`
          : this.warning()
      }
    `;
  }

  private warning(): TemplateResult {
    return html`<div class="notice caution">
      ${icon('warning')}
      <div>
        <p>
          ${
            isSafari()
              ? 'Safari clears the data of a site that was not opened for seven days of use. Ask it to keep the data, and export from time to time.'
              : 'The browser may clear this data when the disk runs full. Ask it to keep the data, or export from time to time.'
          }
        </p>
        ${this.refused ? html`<p role="status"><strong>The browser said no for now.</strong> It may agree once the site is bookmarked or installed.</p>` : nothing}
        <button class="text-button" @click=${this.persist}>Keep the data</button>
      </div>
    </div>`;
  }

  /** Asked from the page: browsers tie the answer to a gesture. */
  private readonly persist = async (): Promise<void> => {
    await this.session.attempt(async () => {
      this.refused = !(await navigator.storage.persist());
      await this.load();
    });
  };

  private async load(): Promise<void> {
    await this.session.attempt(async () => {
      const [storage, persisted] = await Promise.all([
        this.session.engine.storage(),
        navigator.storage?.persisted?.() ?? false,
      ]);
      this.storage = { ...storage, persisted: persisted || storage.persisted };
    });
  }

  static override readonly styles = sectionStyles;
}

/** Safari names itself, but so do the browsers that claim to be it. */
function isSafari(): boolean {
  return /^(?!.*(chrome|chromium|android|crios|fxios)).*safari/i.test(navigator.userAgent);
}
