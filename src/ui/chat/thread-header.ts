import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import type { ThreadView } from '../../engine/contract.ts';
import { icon } from '../design/icons.ts';
import { base, buttons } from '../design/shared-styles.ts';
import { counted } from '../format.ts';
import { formatRoute } from '../router.ts';
import type { Session } from '../session.ts';
import { ImportRequest, MenuRequest } from '../shell/requests.ts';
import { deleteThread, renameThread, saveThread } from '../shell/thread-actions.ts';
import './go-to.ts';
import '../parts/menu.ts';

/** The thread's name, its two views, and what can be done with it as a whole. */
@customElement('skein-thread-header')
export class ThreadHeader extends LitElement {
  @property({ attribute: false }) session!: Session;
  @property({ attribute: false }) thread!: ThreadView;
  @property() view: 'thread' | 'memory' = 'thread';

  override render(): TemplateResult {
    const { thread, session } = this;
    const { id: threadId, turns } = thread;
    return html`<header>
      <button
        class="icon-only drawer"
        aria-label="Threads"
        @click=${() => this.dispatchEvent(new MenuRequest())}
      >
        ${icon('menu')}
      </button>
      <div class="title">
        <h1 dir="auto">${thread.name}</h1>
        <p class="soft number">${counted(turns, 'turn')}</p>
      </div>
      <nav aria-label="Views of this thread">
        ${this.tab('thread', 'Thread', formatRoute({ kind: 'thread', threadId }))}
        ${this.tab('memory', 'Memory', formatRoute({ kind: 'memory', threadId }))}
      </nav>
      <div class="tools">
        ${
          turns > 0
            ? html`<skein-go-to .session=${session} .threadId=${threadId} .turns=${turns}></skein-go-to>`
            : nothing
        }
        <skein-menu label="Thread: more">
          <button data-close @click=${() => saveThread(session, threadId)}>${icon('export')} Export thread</button>
          ${session.readOnly ? nothing : this.changes()}
        </skein-menu>
      </div>
    </header>`;
  }

  private tab(view: 'thread' | 'memory', label: string, href: string): TemplateResult {
    return html`<a href=${href} aria-current=${this.view === view ? 'page' : nothing}>${label}</a>`;
  }

  private changes(): TemplateResult {
    const { session, thread } = this;
    return html`
      <button data-close @click=${() => this.dispatchEvent(new ImportRequest([], thread.id))}>
        ${icon('import')} Import into this thread
      </button>
      <button data-close @click=${() => renameThread(session, thread)}>${icon('edit')} Rename</button>
      <button data-close class="danger" @click=${() => deleteThread(session, thread)}>${icon('erase')} Erase thread</button>
    `;
  }

  static override readonly styles = [
    base,
    buttons,
    css`
      :host {
        display: block;
      }
      header {
        display: flex;
        align-items: center;
        gap: var(--s2) var(--s3);
        padding: var(--s2) var(--s5);
        min-height: 3.75rem;
        border-block-end: 1px solid var(--line);
      }
      .title {
        min-width: 0;
        margin-inline-end: auto;
      }
      h1 {
        font-size: var(--text-l);
        overflow: hidden;
        white-space: nowrap;
        text-overflow: ellipsis;
      }
      .title p {
        font-size: var(--text-xs);
      }
      nav {
        display: flex;
        gap: var(--s4);
      }
      nav a {
        display: inline-flex;
        align-items: center;
        min-height: var(--touch);
        color: var(--ink-soft);
        font-size: var(--text-s);
        font-weight: 560;
        text-decoration: none;
        border-block: 2px solid transparent;
      }
      nav a:hover {
        color: var(--ink);
      }
      nav a[aria-current] {
        color: var(--ink);
        border-block-end-color: var(--woad);
      }
      .tools {
        display: flex;
      }
      .drawer {
        display: none;
      }
      @media (max-width: 56rem) {
        header {
          padding-inline: var(--s2);
          gap: var(--s2);
        }
        .drawer {
          display: inline-flex;
        }
      }
      @media (max-width: 40rem) {
        header {
          flex-wrap: wrap;
          padding-block-end: 0;
        }
        nav {
          order: 9;
          width: 100%;
          padding-inline: var(--s3);
        }
        .title {
          flex: 1;
        }
      }
    `,
  ];
}
