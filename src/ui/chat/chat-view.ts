import { css, html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { customElement, property, query, state } from 'lit/decorators.js';
import type { EpisodeView, ThreadView } from '../../engine/contract.ts';
import type { AskRecord } from '../../store/records.ts';
import { base, buttons } from '../design/shared-styles.ts';
import { counted, turnSpan } from '../format.ts';
import { type Session, type SessionEvent, SessionListener } from '../session.ts';
import type { AskAgainEvent } from './ask-view.ts';
import type { AskingEvent, Composer, ModeEvent, SettledEvent } from './composer.ts';
import type { ThreadScroller } from './thread-scroller.ts';
import './composer.ts';
import './ingest-bar.ts';
import './thread-scroller.ts';

/** One thread: its turns and questions, and the composer beneath. */
@customElement('skein-chat-view')
export class ChatView extends LitElement {
  @property({ attribute: false }) session!: Session;
  @property({ attribute: false }) thread!: ThreadView;
  /** The turn that the address names. */
  @property({ attribute: false }) target: number | undefined;
  @state() private asks: readonly AskRecord[] = [];
  @state() private episodes: readonly EpisodeView[] = [];
  @state() private questions: readonly string[] = [];
  @state() private pending: string | undefined;
  @state() private adding = false;
  @state() private said = '';
  @query('skein-thread-scroller') private scroller!: ThreadScroller;
  @query('skein-composer') private composer!: Composer;

  constructor() {
    super();
    new SessionListener(this, (event) => this.onSession(event));
  }

  override firstUpdated(): void {
    void this.load();
  }

  override updated(changed: PropertyValues<this>): void {
    if (changed.has('target') && this.target !== undefined) void this.scroller?.jumpToTurn(this.target);
  }

  override render(): TemplateResult {
    const { session, thread } = this;
    const empty = thread.turns === 0 && this.asks.length === 0 && this.pending === undefined;
    return html`
      <skein-ingest-bar .session=${session} .threadId=${thread.id}></skein-ingest-bar>
      ${
        empty
          ? this.emptyThread()
          : html`<skein-thread-scroller
              .session=${session}
              .threadId=${thread.id}
              .turns=${thread.turns}
              .asks=${this.asks}
              .episodes=${this.episodes}
              .pending=${this.pending}
              @ask-again=${this.onAskAgain}
            ></skein-thread-scroller>`
      }
      <footer>
        ${this.examples()}
        <skein-composer
          .session=${session}
          .threadId=${thread.id}
          .mode=${thread.turns === 0 ? 'add' : 'ask'}
          .disabled=${session.readOnly}
          @asking=${this.onAsking}
          @settled=${this.onSettled}
          @mode=${this.onMode}
          @added=${() => this.scroller?.followEnd()}
        ></skein-composer>
      </footer>
      <p class="visually-hidden" role="status">${this.said}</p>
    `;
  }

  /** Jumps again to the turn that the address names. */
  jump(turn: number): void {
    void this.scroller?.jumpToTurn(turn);
  }

  private emptyThread(): TemplateResult {
    return html`<div class="empty">
      <h2>Nothing here yet</h2>
      <p class="soft">
        Write the first turn below, paste a whole conversation, or drop an export anywhere on this page.
      </p>
    </div>`;
  }

  private examples(): TemplateResult | typeof nothing {
    const open = this.questions.filter((question) => !this.asks.some(({ text }) => text === question));
    if (open.length === 0 || this.adding || this.session.readOnly) return nothing;
    return html`<div class="examples">
      <span class="soft small" id="examples">Try asking</span>
      <ul aria-labelledby="examples">
        ${open.map(
          (question) => html`<li>
            <button class="outline" ?disabled=${this.pending !== undefined} @click=${() => this.composer.ask(question)}>
              ${question}
            </button>
          </li>`,
        )}
      </ul>
    </div>`;
  }

  private onSession(event: SessionEvent): boolean {
    if (event.kind === 'tab') return true;
    if (!('threadId' in event) || event.threadId !== this.thread.id) return false;
    if (event.kind === 'asks') void this.loadAsks();
    if (event.kind === 'episodes' || event.kind === 'ingest-done') void this.loadEpisodes();
    return false;
  }

  private async load(): Promise<void> {
    const { engine } = this.session;
    await Promise.all([
      this.loadAsks(),
      this.loadEpisodes(),
      this.session.attempt(async () => {
        this.questions = await engine.exampleQuestions(this.thread.id);
      }),
    ]);
    await this.beginAtLastAsk();
  }

  /** A thread that ends with a question opens at the top of it, where its answer begins. */
  private async beginAtLastAsk(): Promise<void> {
    const last = this.asks.findLast(({ position }) => position >= this.thread.turns);
    if (!last || this.target !== undefined || this.pending !== undefined) return;
    await this.updateComplete;
    await this.scroller?.jumpToAsk(last.id);
  }

  private async loadAsks(): Promise<void> {
    await this.session.attempt(async () => {
      this.asks = await this.session.engine.listAsks(this.thread.id);
    });
  }

  private async loadEpisodes(): Promise<void> {
    await this.session.attempt(async () => {
      this.episodes = await this.session.engine.listEpisodes(this.thread.id);
    });
  }

  private readonly onAsking = (event: AskingEvent): void => {
    this.pending = event.question;
    this.said = 'Looking through the thread.';
  };

  private readonly onSettled = async ({ askId }: SettledEvent): Promise<void> => {
    await this.loadAsks();
    this.pending = undefined;
    const ask = this.asks.find(({ id }) => id === askId);
    this.said = ask ? announcement(ask) : 'Stopped.';
    await this.updateComplete;
    if (ask) await this.scroller?.jumpToAsk(ask.id);
  };

  private readonly onMode = (event: ModeEvent): void => {
    this.adding = event.mode === 'add';
  };

  private readonly onAskAgain = (event: AskAgainEvent): void => {
    void this.composer.ask(event.text);
  };

  static override readonly styles = [
    base,
    buttons,
    css`
      :host {
        display: grid;
        grid-template-rows: auto minmax(0, 1fr) auto;
        grid-template-columns: minmax(0, 1fr);
        min-height: 0;
        height: 100%;
      }
      skein-thread-scroller,
      .empty {
        grid-row: 2;
      }
      .empty {
        align-self: center;
        justify-self: center;
        max-width: 30rem;
        padding: var(--s5);
        text-align: center;
        display: grid;
        gap: var(--s2);
      }
      .empty h2 {
        font-size: var(--text-xl);
      }
      footer {
        grid-row: 3;
        width: 100%;
        max-width: calc(var(--measure) + var(--strand) + var(--s4) + 2 * var(--s4));
        margin-inline: auto;
        padding: 0 var(--s4) max(var(--s4), env(safe-area-inset-bottom));
      }
      .examples {
        display: flex;
        align-items: center;
        padding-block: var(--s2);
      }
      .examples > span {
        white-space: nowrap;
      }
      .examples ul {
        display: flex;
        gap: var(--s2);
        overflow-x: auto;
        scrollbar-width: none;
        padding: 3px 2.5rem 3px var(--s3);
        /* What goes on beyond an edge fades there. */
        mask-image: linear-gradient(
          to right,
          transparent,
          #000 var(--s3),
          #000 calc(100% - 2.5rem),
          transparent
        );
      }
      .examples button {
        white-space: nowrap;
        font-weight: 450;
        border-radius: 999px;
        border-color: var(--line);
      }
    `,
  ];
}

/** What a screen reader says when an answer is there. */
function announcement(ask: AskRecord): string {
  const first = ask.episodes[0];
  if (!first) return 'Nothing in this thread fits the question.';
  return `Recalled ${counted(ask.episodes.length, 'episode')}. First: ${turnSpan(first.start, first.end).toLowerCase()}.`;
}
