import { css, html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { customElement, property, query, state } from 'lit/decorators.js';
import { keyed } from 'lit/directives/keyed.js';
import type { LabApi } from '../bench/lab/contract.ts';
import { unreachable } from '../core/unreachable.ts';
import type { EngineApi, ThreadView } from '../engine/contract.ts';
import { type AnswerSource, ChatSession } from './chat/chat-session.ts';
import type { ChatView } from './chat/chat-view.ts';
import { icon } from './design/icons.ts';
import { base, buttons } from './design/shared-styles.ts';
import type { ImportDialog } from './import/import-dialog.ts';
import type { LabView } from './lab/lab-view.ts';
import { connectModels } from './models/connect-models.ts';
import type { ModelsSession } from './models/models-session.ts';
import type { ModelsView } from './models/models-view.ts';
import { formatRoute, navigate, parseRoute, type Route } from './router.ts';
import { Session, SessionListener } from './session.ts';
import { DropZone } from './shell/drop-zone.ts';
import type { DroppedFile } from './shell/dropped-files.ts';
import { worksOffline } from './shell/offline.ts';
import { ImportRequest } from './shell/requests.ts';
import './chat/chat-view.ts';
import './chat/thread-header.ts';
import './parts/confirm.ts';
import './shell/reader-banner.ts';
import './shell/thread-list.ts';
import './shell/toasts.ts';
import './shell/welcome.ts';

/** The shell: threads at the side, the view that the address names, dialogs and messages over it. */
@customElement('skein-app')
export class App extends LitElement {
  @property({ attribute: false }) engine!: EngineApi;
  @state() private route: Route = parseRoute(location.hash);
  @state() private ready = false;
  @query('skein-chat-view') private readonly chat!: ChatView | null;
  @query('dialog.drawer') private drawer!: HTMLDialogElement;
  session!: Session;
  chatSession!: ChatSession;
  /** Connects to the lab when it is first opened; a test or a preview gives its own. */
  connectLab: () => Promise<{ lab: LabApi }> = async () => {
    const { connectLab } = await import('../bench/lab/client.ts');
    return { lab: connectLab() };
  };
  /** What the page knows of language models; a test or a preview gives its own. */
  models: ModelsSession = connectModels();
  /** What answers in place of `models`: a test or a preview gives its own. */
  answers: AnswerSource | undefined;
  private readonly drop = new DropZone(this, (files) => this.onDrop(files));

  constructor() {
    super();
    new SessionListener(this, ({ kind }) => kind === 'threads' || kind === 'turns' || kind === 'tab');
    this.addEventListener('import-request', (event) => void this.openImport(event as ImportRequest));
    this.addEventListener('menu-request', () => this.drawer.showModal());
  }

  override connectedCallback(): void {
    super.connectedCallback();
    window.addEventListener('hashchange', this.onRoute);
    window.addEventListener('popstate', this.onRoute);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    window.removeEventListener('hashchange', this.onRoute);
    window.removeEventListener('popstate', this.onRoute);
  }

  override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has('engine')) return;
    this.ready = false;
    this.session = new Session(this.engine);
    this.chatSession = new ChatSession(this.session, this.answers ?? this.models);
    void this.session.ready.then(() => {
      this.ready = true;
      this.openLatest();
    });
    void worksOffline(this.session);
  }

  override render(): TemplateResult {
    const { session, route } = this;
    const threadId = 'threadId' in route ? route.threadId : undefined;
    const list = html`<skein-thread-list
      .session=${session}
      .current=${threadId}
      .page=${route.kind}
    ></skein-thread-list>`;
    return html`
      <a class="skip" href="#main" @click=${this.onSkip}>Skip to the thread</a>
      <aside>${list}</aside>
      <dialog class="drawer" aria-label="Threads" @click=${this.onDrawerClick}>
        <button class="icon-only" aria-label="Close the list" @click=${() => this.drawer.close()}>${icon('close')}</button>
        ${list}
      </dialog>
      <main id="main" tabindex="-1">
        <skein-reader-banner .session=${session}></skein-reader-banner>
        ${this.ready ? this.view(route) : nothing}
      </main>
      <skein-toasts .session=${session}></skein-toasts>
      <skein-import-dialog .session=${session} .current=${threadId}></skein-import-dialog>
      ${this.drop.over ? html`<div class="drop">${icon('import')} ${dropHint(route)}</div>` : nothing}
    `;
  }

  private view(route: Route): TemplateResult {
    switch (route.kind) {
      case 'home':
        return this.page(html`<skein-welcome .session=${this.session}></skein-welcome>`);
      case 'settings':
        this.load(() => import('./settings/settings-view.ts'));
        return this.page(
          html`<skein-settings .session=${this.session} .models=${this.models}></skein-settings>`,
        );
      case 'models':
        this.load(() => import('./models/models-view.ts'));
        return this.page(html`<skein-models .session=${this.session} .models=${this.models}></skein-models>`);
      case 'lab':
        this.load(() => import('./lab/lab-view.ts'));
        return this.page(
          html`<skein-lab .session=${this.session} .models=${this.models} .connect=${this.connectLab} .path=${route.path}></skein-lab>`,
        );
      case 'thread':
      case 'memory': {
        const thread = this.session.thread(route.threadId);
        return thread ? this.threadView(route, thread) : this.missingThread();
      }
      default:
        return unreachable(route);
    }
  }

  private threadView(route: Extract<Route, { threadId: string }>, thread: ThreadView): TemplateResult {
    if (route.kind === 'memory') this.load(() => import('./memory/memory-view.ts'));
    const { session } = this;
    return html`
      <skein-thread-header .session=${session} .thread=${thread} .view=${route.kind}></skein-thread-header>
      ${keyed(
        `${route.kind} ${thread.id}`,
        route.kind === 'thread'
          ? html`<skein-chat-view
              .session=${session}
              .chat=${this.chatSession}
              .thread=${thread}
              .target=${route.turn}
            ></skein-chat-view>`
          : html`<skein-memory-view .session=${session} .thread=${thread}></skein-memory-view>`,
      )}
    `;
  }

  private page(content: TemplateResult): TemplateResult {
    return html`<div class="page">
      <button class="icon-only menu" aria-label="Threads" @click=${this.onMenu}>${icon('menu')}</button>
      ${content}
    </div>`;
  }

  private missingThread(): TemplateResult {
    return this.page(html`<div class="missing">
      <h1>This thread is not here</h1>
      <p class="soft">It may have been erased, or the link comes from another browser: threads stay where they were made.</p>
      <p><a href=${formatRoute({ kind: 'home' })}>Go to the start</a></p>
    </div>`);
  }

  /** Loads a view that is not part of the first load; the element draws itself once it is there. */
  private load(view: () => Promise<unknown>): void {
    view().catch(() => {
      this.session.toast('This part of the page could not be loaded.', {
        label: 'Reload the page',
        run: () => location.reload(),
      });
    });
  }

  /** Home with threads is the latest thread. */
  private openLatest(): void {
    if (this.route.kind !== 'home') return;
    const latest = [...this.session.threads].sort((a, b) => b.updatedAt - a.updatedAt)[0];
    if (latest) navigate({ kind: 'thread', threadId: latest.id }, true);
  }

  private readonly onRoute = async (): Promise<void> => {
    const before = formatRoute(this.route);
    this.route = parseRoute(location.hash);
    this.drawer?.close();
    if (this.ready) this.openLatest();
    await this.updateComplete;
    const { route } = this;
    // The same address again means: jump there again.
    if (route.kind === 'thread' && route.turn !== undefined && formatRoute(route) === before) {
      this.chat?.jump(route.turn);
    }
    const thread = 'threadId' in route ? this.session.thread(route.threadId) : undefined;
    const place = route.kind === 'lab' ? 'Lab' : route.kind === 'models' ? 'Models' : thread?.name;
    document.title = place ? `${place} · Skein` : 'Skein';
  };

  private onDrop(files: readonly DroppedFile[]): void {
    if (this.route.kind === 'lab') this.renderRoot.querySelector<LabView>('skein-lab')?.takeFiles(files);
    else if (this.route.kind === 'models') {
      void this.renderRoot.querySelector<ModelsView>('skein-models')?.takeFiles(files);
    } else void this.openImport(new ImportRequest(files.map(({ file }) => file)));
  }

  private async openImport(event: ImportRequest): Promise<void> {
    this.drawer.close();
    this.load(() => import('./import/import-dialog.ts'));
    await customElements.whenDefined('skein-import-dialog');
    const dialog = this.renderRoot.querySelector<ImportDialog>('skein-import-dialog');
    await dialog?.open(event.files, event.threadId);
  }

  private readonly onMenu = (): void => {
    this.drawer.showModal();
  };

  /** A click on the backdrop, or on a link or button inside, closes the drawer. */
  private readonly onDrawerClick = (event: Event): void => {
    const [target] = event.composedPath();
    const chosen = target instanceof Element && target.closest('a') !== null;
    if (target === this.drawer || chosen) this.drawer.close();
  };

  private readonly onSkip = (event: Event): void => {
    event.preventDefault();
    this.renderRoot.querySelector<HTMLElement>('main')?.focus();
  };

  static override readonly styles = [
    base,
    buttons,
    css`
      :host {
        display: grid;
        grid-template-columns: 16.5rem minmax(0, 1fr);
        grid-template-rows: minmax(0, 1fr);
        height: 100dvh;
      }
      aside {
        min-height: 0;
      }
      main {
        display: grid;
        grid-template-rows: auto auto minmax(0, 1fr);
        grid-template-columns: minmax(0, 1fr);
        min-height: 0;
        outline: none;
      }
      skein-reader-banner {
        grid-row: 1;
      }
      skein-thread-header {
        grid-row: 2;
      }
      skein-chat-view,
      skein-memory-view {
        grid-row: 3;
      }
      .page {
        grid-row: 2 / 4;
        overflow-y: auto;
        position: relative;
      }
      .missing {
        display: grid;
        gap: var(--s3);
        max-width: 32rem;
        margin: 20vh auto 0;
        padding: var(--s5);
      }
      .menu {
        display: none;
        position: absolute;
        inset: var(--s2) auto auto var(--s2);
      }
      .skip {
        position: fixed;
        inset-block-start: -4rem;
        inset-inline-start: var(--s4);
        z-index: 2;
        padding: var(--s2) var(--s4);
        background: var(--surface);
        border-radius: var(--radius-m);
      }
      .skip:focus {
        inset-block-start: var(--s2);
      }
      .drawer {
        width: min(20rem, 86vw);
        height: 100dvh;
        max-height: none;
        margin: 0;
        padding: 0;
        border: 0;
        color: var(--ink);
        background: var(--sunken);
      }
      .drawer::backdrop {
        background: var(--scrim);
      }
      .drawer > button {
        position: absolute;
        inset: var(--s3) var(--s3) auto auto;
      }
      .drop {
        position: fixed;
        inset: var(--s3);
        z-index: 3;
        display: flex;
        align-items: center;
        justify-content: center;
        gap: var(--s3);
        font-size: var(--text-xl);
        color: var(--woad);
        background: color-mix(in srgb, var(--woad-tint) 92%, transparent);
        border: 2px dashed var(--woad);
        border-radius: var(--radius-l);
        pointer-events: none;
      }
      @media (max-width: 56rem) {
        :host {
          grid-template-columns: minmax(0, 1fr);
        }
        aside {
          display: none;
        }
        .menu {
          display: inline-flex;
        }
      }
    `,
  ];
}

function dropHint({ kind }: Route): string {
  if (kind === 'lab') return 'Drop to read as a package';
  return kind === 'models' ? 'Drop to add as a model' : 'Drop to import';
}
