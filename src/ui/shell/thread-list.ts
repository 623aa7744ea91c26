import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { repeat } from 'lit/directives/repeat.js';
import type { ThreadView } from '../../engine/contract.ts';
import { type IconName, icon } from '../design/icons.ts';
import { logo, logoStyles } from '../design/logo.ts';
import { base, buttons } from '../design/shared-styles.ts';
import { counted, formatCount } from '../format.ts';
import { formatRoute, type Route } from '../router.ts';
import { type Session, SessionListener } from '../session.ts';
import { ImportRequest } from './requests.ts';
import { startThread } from './thread-actions.ts';

/** The side of the page: the name, the threads, and the way to import and settings. */
@customElement('skein-thread-list')
export class ThreadList extends LitElement {
  @property({ attribute: false }) session!: Session;
  /** The thread that is open. */
  @property() current: string | undefined;
  /** The page that is open where no thread is. */
  @property() page = '';

  constructor() {
    super();
    new SessionListener(this, ({ kind }) =>
      ['threads', 'turns', 'ingest', 'ingest-done', 'tab'].includes(kind),
    );
  }

  override render(): TemplateResult {
    const threads = [...this.session.threads].sort((a, b) => b.updatedAt - a.updatedAt);
    return html`
      <a class="brand" href=${formatRoute({ kind: 'home' })}>${logo()}<span>Skein</span></a>
      <nav aria-label="Threads">
        <h2>Threads</h2>
        <ul>
          ${repeat(
            threads,
            ({ id }) => id,
            (thread) => this.entry(thread),
          )}
        </ul>
        ${threads.length === 0 ? html`<p class="soft small none">None yet.</p>` : nothing}
      </nav>
      <div class="foot">
        ${this.session.readOnly ? nothing : this.additions()}
        ${this.pageLink({ kind: 'lab', path: [] }, 'lab', 'Lab')}
        ${this.pageLink({ kind: 'models' }, 'model', 'Models')}
        ${this.pageLink({ kind: 'settings' }, 'settings', 'Settings')}
      </div>
    `;
  }

  private pageLink(route: Route, name: IconName, label: string): TemplateResult {
    return html`<a class="button" href=${formatRoute(route)} aria-current=${this.page === route.kind ? 'page' : nothing}>
      ${icon(name)} ${label}
    </a>`;
  }

  private additions(): TemplateResult {
    return html`
      <button @click=${() => startThread(this.session)}>${icon('plus')} New thread</button>
      <button @click=${() => this.dispatchEvent(new ImportRequest())}>${icon('import')} Import</button>
    `;
  }

  private entry(thread: ThreadView): TemplateResult {
    const ingest = this.session.ingests.get(thread.id);
    const share =
      ingest && ingest.progress.total > 0 ? ingest.progress.done / ingest.progress.total : undefined;
    return html`<li>
      <a
        href=${formatRoute({ kind: 'thread', threadId: thread.id })}
        aria-current=${thread.id === this.current ? 'page' : nothing}
      >
        <span class="name" dir="auto">${thread.name}</span>
        <span class="small soft number">
          ${counted(thread.turns, 'turn')}${share === undefined ? nothing : ` · ${formatCount(share * 100)}% read`}
        </span>
      </a>
    </li>`;
  }

  static override readonly styles = [
    base,
    buttons,
    logoStyles,
    css`
      :host {
        display: flex;
        flex-direction: column;
        height: 100%;
        background: var(--sunken);
        border-inline-end: 1px solid var(--line);
      }
      .brand {
        display: flex;
        align-items: center;
        gap: var(--s3);
        min-height: 3.75rem;
        padding: var(--s2) var(--s4);
        font-size: var(--text-l);
        font-weight: 660;
        letter-spacing: -0.01em;
        color: var(--ink);
        text-decoration: none;
      }
      nav {
        flex: 1;
        min-height: 0;
        overflow-y: auto;
        padding: var(--s2);
      }
      h2 {
        padding: var(--s1) var(--s2);
        font-size: var(--text-s);
        color: var(--ink-soft);
      }
      .none {
        padding: var(--s1) var(--s2);
      }
      li a {
        display: grid;
        padding: var(--s2) var(--s3);
        border-radius: var(--radius-m);
        color: inherit;
        text-decoration: none;
        border-inline-start: 3px solid transparent;
      }
      li a:hover {
        background: color-mix(in srgb, var(--ink) 6%, transparent);
      }
      li a[aria-current] {
        background: var(--surface);
        border-inline-start-color: var(--woad);
      }
      li .name {
        font-weight: 560;
        overflow: hidden;
        white-space: nowrap;
        text-overflow: ellipsis;
      }
      li .small {
        font-size: var(--text-xs);
      }
      .foot {
        display: grid;
        padding: var(--s2);
        border-block-start: 1px solid var(--line);
      }
      .foot > * {
        justify-content: flex-start;
      }
      .foot a[aria-current] {
        background: var(--surface);
      }
    `,
  ];
}
